/* A tour of bivalve.hpp. It ends with 0 if all goes as it says. */
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include "bivalve.hpp"

static void expect(bool condition, const char *what)
{
  if (condition) return;
  std::cerr << "tour.cpp: " << what << " (" << bivalve_error() << ")\n";
  std::exit(1);
}

/* Whether something is refused. */
template <class Action>
static bool fails(Action action)
{
  try
  {
    action();
    return false;
  }
  catch (const bivalve::Error &)
  {
    return true;
  }
}

/* Numbers beside terms, and getters that throw. */
static void numbers()
{
  using namespace bivalve;
  auto m = std::make_unique<Manager>();
  const Term x = m->symbol("x", m->bv_sort(8)), wide = m->symbol("w", m->bv_sort(100));
  const Term p = m->symbol("p", m->bool_sort()), q = m->symbol("q", m->bool_sort());
  const Term a = m->symbol("a", m->array_sort(m->bv_sort(4), m->bv_sort(8)));
  expect((x & 0xf).is(x & x.constant(15)) && (1 + x).is(x.constant(1) + x), "numbers on both sides");
  expect((x == -1).is(x.equals(255)) && (x == -1).is(x == 255u) && (x * -128).is(x * 128), "two's complement");
  expect((wide == -1).is(wide == m->bv(std::string(100, '1'), 2, 100)), "a negative number of 100 bits");
  expect(x.slt(3).text() == "(bvslt x #b00000011)" && x.lshr(1).width() == 8 && (0 - x).width() == 8, "methods");
  expect(a[3].is(a[m->bv(3, 4)]) && a.store(3, x)[3].width() == 8, "indices");
  expect(a.store(x.extract(3, 0), -1).arity() == 3, "elements");
  expect((p && q).is(p & q) && (p || !q).kind() == BIVALVE_KIND_OR, "connectives");
  Solver solver(*m);
  solver.add((x & 0xf) == 5 && x.slt(-100));
  expect(solver.check() == BIVALVE_ANSWER_SAT && solver.value_u64(x) == 0x85, "a value");
  expect(fails([&] { (void)(x == 256); }) && fails([&] { (void)(x == -129); }) && fails([&] { a[16]; }), "too large");
  expect(fails([&] { p.width(); }) && fails([&] { m->bool_sort().width(); }), "Booleans have no width");
  expect(fails([&] { (void)(p & 1); }), "a number beside a Boolean");
  const Sort gone = x.sort();
  expect(x.arity() == 0 && p.kind() == BIVALVE_KIND_SYMBOL, "a symbol");
  Manager moved(std::move(*m));
  m = nullptr;
  expect(x.width() == 8, "a manager that was moved");
  {
    Manager last(std::move(moved));
  }
  expect(fails([&] { x.kind(); }) && fails([&] { x.width(); }) && fails([&] { x.arity(); }), "terms that are gone");
  expect(fails([&] { gone.kind(); }) && fails([&] { gone.width(); }), "a sort that is gone");
}

/* Floating point. */
static void floats()
{
  using namespace bivalve;
  Manager m;
  const Sort single = m.float_sort(8, 24), other = m.float_sort(11, 53);
  const Term x = m.symbol("x", single), y = m.symbol("y", single), word = m.symbol("w", m.bv_sort(32));
  const Term mode = m.symbol("mode", m.rounding_mode_sort());
  expect((x + 0.1).is(x.fp_add(m.number(single, "0.1"))) && (1 - x).is(m.number(single, 1) - x), "numbers beside terms");
  expect((x / 3).is(x.fp_div(3, BIVALVE_ROUNDING_NEAREST_EVEN)) && (-x).is(x.fp_neg()), "operators");
  expect(x.fp_mul(y, mode).text() == "(fp.mul mode x y)" && x.fp_fma(y, x).arity() == 4, "modes");
  expect(x.to_fp(other).sort() == other && word.to_fp(single).text() == "((_ to_fp 8 24) RNE w)", "conversions");
  expect(word.bits_to_fp(single).kind() == BIVALVE_KIND_FP_FROM_BITS && x.fp_to_bits().width() == 32, "bits");
  expect(fails([&] { (void)(x & y); }) && fails([&] { (void)(word / 2); }) && fails([&] { (void)(word + 0.5); }), "sorts");
  expect(fails([&] { m.number(single, "1.2.3"); }) && fails([&] { m.float_sort(1, 3); }), "texts and formats");
  Solver solver(m);
  solver.add((x * x).fp_eq(2.25) & x.fp_lt(0) & (y == x.fp_sqrt()) & (word == (x / 2).fp_to_sbv(32, BIVALVE_ROUNDING_UP)));
  expect(solver.check() == BIVALVE_ANSWER_SAT && solver.value_double(x) == -1.5, "a number");
  expect(solver.value_double(y) != solver.value_double(y) && solver.value_u64(word) == 0, "NaN, and an integer");
  expect(solver.value(x).is(m.number(single, -1.5)) && solver.value_digits(x, 16) == "bfc00000", "a constant");
  std::cout << x * x << " is 2.25 for " << solver.value_text(x) << "\n";
}

/* Symbols that are bound in one formula and free in another one. */
static void quantifiers()
{
  using namespace bivalve;
  Manager m;
  const Sort byte = m.bv_sort(8);
  const Term x = m.symbol("x", byte), y = m.symbol("y", byte);
  const Term opposite = (x + y == 0).exists({y}).forall({x});
  expect(opposite.kind() == BIVALVE_KIND_FORALL && opposite.arity() == 2, "a formula for all x");
  expect(opposite.argument(0).is(x) && opposite.argument(1).is((x + y == 0).exists({y})), "its parts");
  expect(opposite.text() == "(forall ((x (_ BitVec 8))) (exists ((y (_ BitVec 8))) (= (bvadd x y) #b00000000)))", "text");
  expect(fails([&] { x.forall({y}); }) && fails([&] { opposite.forall({x, x}); }), "no Boolean, and one symbol twice");
  Solver solver(m);
  solver.add(opposite & (x == 3) & x.ule(y).forall({y}).apply(BIVALVE_KIND_NOT));
  expect(solver.check() == BIVALVE_ANSWER_SAT && solver.value_u64(x) == 3, "x is free beside it");
  solver.add((x * y == 1).exists({y}).forall({x}));
  expect(solver.check() == BIVALVE_ANSWER_UNSAT, "no even number has an inverse");
}

static void questions()
{
  using namespace bivalve;
  Manager m;
  const Term x = m.symbol("x", m.bv_sort(8)), y = m.symbol("y", m.bv_sort(8)), z = m.symbol("z", m.bv_sort(8));
  Solver solver(m);
  solver.add((x * y == 42) & x.ult(y));
  solver.push();
  solver.minimize(y - x);
  solver.add_soft(y.ult(50), "0.5");
  expect(solver.optimize() == BIVALVE_ANSWER_SAT && solver.value_u64(y - x) == 1, "the closest factors");
  expect(solver.objective_count() == 2 && solver.lower(0) == "1" && solver.upper(0) == "1", "an optimum");
  expect(fails([&] { solver.minimize(x == y); }) && fails([&] { solver.add_soft(x, "1"); }), "objectives");
  solver.pop();
  solver.add(y.ult(50));
  int count = 0;
  const auto seen = [&](const std::vector<Term> &values) {
    expect((values[0] * values[1]).width() == 8, "values are constants");
    return ++count > 0;
  };
  expect(solver.each_model({x, y}, seen) == BIVALVE_ANSWER_UNSAT && std::to_string(count) == solver.count_models({x, y}),
         "all models");
  Solver parity(m);
  const Term even = x == y + y, odd = x == z + z + 1, some = y.ugt(3);
  for (const Term &formula : {even, some, odd}) parity.add(formula);
  const Term found = parity.interpolant({even, some});
  expect(found.text() == "(= ((_ extract 0 0) x) #b0)", "an interpolant");
  expect(parity.interpolants({{even, some}, {odd}})[0].is(found), "a sequence");
  expect(parity.interpolants({{even}, {some}, {odd}}, {0, 1, 0}).size() == 2, "a tree");
  expect(fails([&] { parity.interpolants({{even}, {odd}}); }), "all assertions");
  std::cout << count << " pairs; between even and odd: " << found << "\n";
}

int main()
{
  numbers();
  floats();
  quantifiers();
  questions();
  using namespace bivalve;
  Manager m;
  const Term x = m.symbol("x", m.bv_sort(8)), y = m.symbol("y", m.bv_sort(8));
  const Term f = m.symbol("f", m.function_sort({m.bv_sort(8)}, m.bv_sort(8)));
  const Term a = m.symbol("a", m.array_sort(m.bv_sort(8), m.bv_sort(8)));
  Solver solver(m);
  solver.add(x * x == 0x51);
  solver.add(x.ugt(100) & (f(x) == y + 1) & (a.store(x, y)[y] == x));
  expect(solver.check() == BIVALVE_ANSWER_SAT, "sat");
  const uint64_t root = solver.value_u64(x);
  expect(root > 100 && root * root % 256 == 0x51, "a root");
  std::cout << x * x << " is 81 for " << solver.value_text(x) << "\n";

  expect(solver.explanation().find("x  ") != std::string::npos, "what matters");

  solver.push();
  solver.add_tracked(x.ult(100));
  expect(solver.check() == BIVALVE_ANSWER_UNSAT && solver.unsat_core().size() == 1, "a core");
  solver.pop();
  const Term even = x.bit(0) == 0;
  expect(solver.check({even}) == BIVALVE_ANSWER_UNSAT && solver.failed_assumptions()[0].is(even), "a failed one");

  try
  {
    solver.add(x + y);
    expect(false, "an error");
  }
  catch (const Error &error)
  {
    expect(error.status == BIVALVE_STATUS_SORT, "a sort error");
    std::cout << error.what() << "\n";
  }
  int count = 0;
  solver.on_terminate([&] { return ++count > 0; });
  solver.add((x ^ y) != (y << 1) - x);
  solver.check({~even, -x != (y | x)});
  Solver moved(std::move(solver));
  expect(moved.check() == BIVALVE_ANSWER_SAT && moved.print().find("declare") != std::string::npos, "moved");
  return 0;
}
