/* A tour of bivalve.hpp. It ends with 0 if all goes as it says. */
#include <cstdlib>
#include <iostream>

#include "bivalve.hpp"

static void expect(bool condition, const char *what)
{
  if (condition) return;
  std::cerr << "tour.cpp: " << what << " (" << bivalve_error() << ")\n";
  std::exit(1);
}

int main()
{
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
