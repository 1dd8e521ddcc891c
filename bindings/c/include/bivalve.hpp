/* Bivalve in C++17: values with operators over bivalve.h, exceptions for errors.
 *
 * A Manager owns sorts and terms, a Solver is freed with its object. Terms and sorts are numbers that are copied;
 * they are good as long as their manager. Everything that can fail throws bivalve::Error. What bivalve.h says of
 * threads holds here, too. Terms of Booleans and of bits share the operators ~ & | ^ == !=; && and || are of Booleans,
 * and make terms of both sides; + - * and << are of bit-vectors. There is no >>: lshr and ashr say which one is meant.
 * A number beside a bit-vector has its width, and as an index or an element of an array that of the array's; negative
 * ones are in two's complement, and what does not fit is an error. Between floating-point numbers + - * and / round to
 * nearest even, and a number beside one becomes the nearest of its sort; == is identity, fp_eq() equality of numbers.
 */
#ifndef BIVALVE_HPP
#define BIVALVE_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bivalve.h"

namespace bivalve
{

/* What went wrong: the message of the library, and its code. */
class Error : public std::runtime_error
{
 public:
  Error() : std::runtime_error(bivalve_error()), status(bivalve_error_code()) {}
  const bivalve_status status;
};

namespace detail
{
inline void ok(bivalve_status status)
{
  if (status != BIVALVE_STATUS_OK) throw Error();
}

template <class Handle>
Handle made(Handle handle)
{
  if (handle.id == 0) throw Error();
  return handle;
}

inline std::string text(const char *found)
{
  if (found == nullptr) throw Error();
  return found;
}

/* What is 0, or the kind "none", for errors alone. */
template <class Number>
Number nonzero(Number found)
{
  if (found == Number{}) throw Error();
  return found;
}

template <class Number>
using if_number = std::enable_if_t<std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>, int>;

/* The constant of a sort of bits or of floating-point numbers. */
template <class Number>
bivalve_term constant(bivalve_manager manager, Number value, bivalve_sort sort)
{
  if constexpr (std::is_floating_point_v<Number>)
  {
    return bivalve_mk_double(manager, sort, static_cast<double>(value));
  }
  else
  {
    if (bivalve_sort_kind(sort) == BIVALVE_SORT_TAG_FLOAT)
    {
      return bivalve_mk_float(manager, sort, std::to_string(value).c_str(), BIVALVE_ROUNDING_NEAREST_EVEN);
    }
    const uint32_t width = nonzero(bivalve_sort_width(sort));
    if constexpr (std::is_signed_v<Number>)
    {
      if (value < 0) return bivalve_mk_bv_digits(manager, std::to_string(value).c_str(), 10, width);
    }
    return bivalve_mk_bv(manager, static_cast<uint64_t>(value), width);
  }
}
}  // namespace detail

/* A sort. */
class Sort
{
 public:
  explicit Sort(bivalve_sort handle) : handle_(detail::made(handle)) {}
  bivalve_sort handle() const { return handle_; }
  bivalve_sort_tag kind() const { return detail::nonzero(bivalve_sort_kind(handle_)); }
  uint32_t width() const { return detail::nonzero(bivalve_sort_width(handle_)); }
  /* The bits of floating-point numbers; those of the significand with the hidden one. */
  uint32_t exponent_bits() const { return detail::nonzero(bivalve_sort_exponent_bits(handle_)); }
  uint32_t significand_bits() const { return detail::nonzero(bivalve_sort_significand_bits(handle_)); }
  /* The sort of the index of arrays, or of a parameter of functions. */
  Sort parameter(std::size_t position = 0) const { return Sort(bivalve_sort_parameter(handle_, position)); }
  /* The sort of the elements of arrays, or of the results of functions. */
  Sort result() const { return Sort(bivalve_sort_result(handle_)); }
  std::string text() const { return detail::text(bivalve_sort_text(handle_)); }
  bool operator==(const Sort &other) const { return handle_.id == other.handle_.id; }
  bool operator!=(const Sort &other) const { return handle_.id != other.handle_.id; }

 private:
  bivalve_sort handle_;
};

class Term;

/* A rounding mode: one of the five, or a term. */
class Rounding
{
 public:
  Rounding(bivalve_rounding mode = BIVALVE_ROUNDING_NEAREST_EVEN) : mode_(mode), term_{0} {}
  Rounding(const Term &term);
  bivalve_term in(bivalve_manager manager) const
  {
    return term_.id != 0 ? term_ : bivalve_mk_rounding_mode(manager, static_cast<uint32_t>(mode_));
  }

 private:
  bivalve_rounding mode_;
  bivalve_term term_;
};

/* A term. */
class Term
{
 public:
  explicit Term(bivalve_term handle) : handle_(detail::made(handle)) {}
  bivalve_term handle() const { return handle_; }
  bivalve_kind kind() const { return detail::nonzero(bivalve_term_kind(handle_)); }
  Sort sort() const { return Sort(bivalve_term_sort(handle_)); }
  uint32_t width() const { return detail::nonzero(bivalve_term_width(handle_)); }
  std::string text() const { return detail::text(bivalve_term_text(handle_)); }
  std::size_t arity() const
  {
    kind();  // An error if there is no such term, of which the arity is 0.
    return bivalve_term_arity(handle_);
  }
  Term argument(std::size_t position) const { return Term(bivalve_term_argument(handle_, position)); }
  /* Whether these are one term; what equals() makes is a formula. */
  bool is(const Term &other) const { return handle_.id == other.handle_.id; }

  /* Operators by kind. */
  Term apply(bivalve_kind kind) const { return Term(bivalve_mk1(kind, handle_)); }
  Term apply(bivalve_kind kind, const Term &other) const { return Term(bivalve_mk2(kind, handle_, other.handle_)); }
  template <class Number, detail::if_number<Number> = 0>
  Term apply(bivalve_kind kind, Number other) const
  {
    return apply(kind, constant(other));
  }
  Term implies(const Term &other) const { return apply(BIVALVE_KIND_IMPLIES, other); }

  /* Two bit-vectors, or a bit-vector and a number. */
#define BIVALVE_BINARY(name, kind)                                                           \
  Term name(const Term &other) const { return apply(BIVALVE_KIND_##kind, other); }           \
  template <class Number, detail::if_number<Number> = 0>                                     \
  Term name(Number other) const                                                              \
  {                                                                                          \
    return apply(BIVALVE_KIND_##kind, other);                                                \
  }
  BIVALVE_BINARY(equals, EQ)
  BIVALVE_BINARY(distinct, DISTINCT)
  BIVALVE_BINARY(ult, BV_ULT)
  BIVALVE_BINARY(ule, BV_ULE)
  BIVALVE_BINARY(ugt, BV_UGT)
  BIVALVE_BINARY(uge, BV_UGE)
  BIVALVE_BINARY(slt, BV_SLT)
  BIVALVE_BINARY(sle, BV_SLE)
  BIVALVE_BINARY(sgt, BV_SGT)
  BIVALVE_BINARY(sge, BV_SGE)
  BIVALVE_BINARY(udiv, BV_UDIV)
  BIVALVE_BINARY(urem, BV_UREM)
  BIVALVE_BINARY(sdiv, BV_SDIV)
  BIVALVE_BINARY(srem, BV_SREM)
  BIVALVE_BINARY(lshr, BV_LSHR)
  BIVALVE_BINARY(ashr, BV_ASHR)
#undef BIVALVE_BINARY
  Term concat(const Term &low) const { return apply(BIVALVE_KIND_CONCAT, low); }
  Term extract(uint32_t high, uint32_t low) const { return Term(bivalve_extract(high, low, handle_)); }
  Term bit(uint32_t position) const { return extract(position, position); }
  Term zero_extend(uint32_t bits) const { return Term(bivalve_mk1_indexed(BIVALVE_KIND_ZERO_EXTEND, bits, handle_)); }
  Term sign_extend(uint32_t bits) const { return Term(bivalve_mk1_indexed(BIVALVE_KIND_SIGN_EXTEND, bits, handle_)); }

  /* Floating-point numbers; what rounds does so to nearest even unless it is told otherwise. */
#define BIVALVE_UNARY(name, kind) \
  Term name() const { return apply(BIVALVE_KIND_##kind); }
  BIVALVE_UNARY(fp_abs, FP_ABS)
  BIVALVE_UNARY(fp_neg, FP_NEG)
  BIVALVE_UNARY(fp_is_normal, FP_IS_NORMAL)
  BIVALVE_UNARY(fp_is_subnormal, FP_IS_SUBNORMAL)
  BIVALVE_UNARY(fp_is_zero, FP_IS_ZERO)
  BIVALVE_UNARY(fp_is_infinite, FP_IS_INF)
  BIVALVE_UNARY(fp_is_nan, FP_IS_NAN)
  BIVALVE_UNARY(fp_is_negative, FP_IS_NEG)
  BIVALVE_UNARY(fp_is_positive, FP_IS_POS)
  BIVALVE_UNARY(fp_to_bits, FP_TO_BITS)
#undef BIVALVE_UNARY
#define BIVALVE_BINARY(name, kind)                                                           \
  Term name(const Term &other) const { return apply(BIVALVE_KIND_##kind, other); }           \
  template <class Number, detail::if_number<Number> = 0>                                     \
  Term name(Number other) const                                                              \
  {                                                                                          \
    return apply(BIVALVE_KIND_##kind, other);                                                \
  }
  BIVALVE_BINARY(fp_rem, FP_REM)
  BIVALVE_BINARY(fp_min, FP_MIN)
  BIVALVE_BINARY(fp_max, FP_MAX)
  BIVALVE_BINARY(fp_eq, FP_EQUAL)
  BIVALVE_BINARY(fp_lt, FP_LT)
  BIVALVE_BINARY(fp_leq, FP_LEQ)
  BIVALVE_BINARY(fp_gt, FP_GT)
  BIVALVE_BINARY(fp_geq, FP_GEQ)
#undef BIVALVE_BINARY
#define BIVALVE_ROUNDED(name, kind)                                                          \
  Term name(const Term &other, const Rounding &mode = {}) const                              \
  {                                                                                          \
    return rounded(BIVALVE_KIND_##kind, mode, {handle_, other.handle_});                     \
  }                                                                                          \
  template <class Number, detail::if_number<Number> = 0>                                     \
  Term name(Number other, const Rounding &mode = {}) const                                   \
  {                                                                                          \
    return name(constant(other), mode);                                                      \
  }
  BIVALVE_ROUNDED(fp_add, FP_ADD)
  BIVALVE_ROUNDED(fp_sub, FP_SUB)
  BIVALVE_ROUNDED(fp_mul, FP_MUL)
  BIVALVE_ROUNDED(fp_div, FP_DIV)
#undef BIVALVE_ROUNDED
  Term fp_fma(const Term &y, const Term &z, const Rounding &mode = {}) const
  {
    return rounded(BIVALVE_KIND_FP_FMA, mode, {handle_, y.handle_, z.handle_});
  }
  Term fp_sqrt(const Rounding &mode = {}) const { return rounded(BIVALVE_KIND_FP_SQRT, mode, {handle_}); }
  Term fp_round_to_integral(const Rounding &mode = {}) const { return rounded(BIVALVE_KIND_FP_RTI, mode, {handle_}); }
  /* The nearest number of a sort, of one of another sort or of a bit-vector in two's complement. */
  Term to_fp(const Sort &sort, const Rounding &mode = {}) const
  {
    const bool is_word = this->sort().kind() == BIVALVE_SORT_TAG_BIT_VEC;
    return rounded(is_word ? BIVALVE_KIND_FP_FROM_SBV : BIVALVE_KIND_FP_FROM_FP, mode, {handle_}, format(sort));
  }
  Term to_fp_unsigned(const Sort &sort, const Rounding &mode = {}) const
  {
    return rounded(BIVALVE_KIND_FP_FROM_UBV, mode, {handle_}, format(sort));
  }
  /* The number whose bits these are. */
  Term bits_to_fp(const Sort &sort) const
  {
    const std::vector<uint32_t> indices = format(sort);
    return Term(bivalve_mk_indexed(manager(), BIVALVE_KIND_FP_FROM_BITS, 1, &handle_, 2, indices.data()));
  }
  /* The integer, any where it does not fit; a cast in C rounds to zero. */
  Term fp_to_sbv(uint32_t width, const Rounding &mode) const
  {
    return rounded(BIVALVE_KIND_FP_TO_SBV, mode, {handle_}, {width});
  }
  Term fp_to_ubv(uint32_t width, const Rounding &mode) const
  {
    return rounded(BIVALVE_KIND_FP_TO_UBV, mode, {handle_}, {width});
  }

  /* Arrays and functions. */
  Term operator[](const Term &index) const { return apply(BIVALVE_KIND_SELECT, index); }
  Term store(const Term &index, const Term &element) const
  {
    return Term(bivalve_mk3(BIVALVE_KIND_STORE, handle_, index.handle_, element.handle_));
  }
  template <class Number, detail::if_number<Number> = 0>
  Term operator[](Number index) const
  {
    return (*this)[as(sort().parameter(), index)];
  }
  template <class Index, class Element>
  Term store(const Index &index, const Element &element) const
  {
    return store(as(sort().parameter(), index), as(sort().result(), element));
  }
  template <class... Terms>
  Term operator()(const Term &first, const Terms &...others) const
  {
    const bivalve_term all[] = {handle_, first.handle_, others.handle_...};
    return Term(bivalve_mk(manager(), BIVALVE_KIND_APPLY, 2 + sizeof...(others), all));
  }

  /* As a condition: one of two terms. */
  Term ite(const Term &then_part, const Term &else_part) const
  {
    return Term(bivalve_mk3(BIVALVE_KIND_ITE, handle_, then_part.handle_, else_part.handle_));
  }

  /* This holds for all, or for some, values of symbols, which may be used elsewhere. */
  Term forall(const std::vector<Term> &symbols) const { return quantified(bivalve_forall, symbols); }
  Term exists(const std::vector<Term> &symbols) const { return quantified(bivalve_exists, symbols); }

  bool is_bool() const { return sort().kind() == BIVALVE_SORT_TAG_BOOL; }
  bool is_float() const { return sort().kind() == BIVALVE_SORT_TAG_FLOAT; }
  /* The constant of the same sort. */
  template <class Number, detail::if_number<Number> = 0>
  Term constant(Number value) const
  {
    return Term(detail::constant(manager(), value, sort().handle()));
  }

 private:
  Term quantified(bivalve_term (*bind)(bivalve_term, uintptr_t, const bivalve_term *),
                  const std::vector<Term> &symbols) const
  {
    std::vector<bivalve_term> handles;
    for (const Term &symbol : symbols) handles.push_back(symbol.handle());
    return Term(bind(handle_, handles.size(), handles.data()));
  }
  static std::vector<uint32_t> format(const Sort &sort) { return {sort.exponent_bits(), sort.significand_bits()}; }
  Term rounded(bivalve_kind kind, const Rounding &mode, std::vector<bivalve_term> arguments,
               const std::vector<uint32_t> &indices = {}) const
  {
    arguments.insert(arguments.begin(), detail::made(mode.in(manager())));
    return Term(bivalve_mk_indexed(manager(), kind, arguments.size(), arguments.data(), indices.size(),
                                   indices.data()));
  }
  /* A term as it is; a number as a constant of a sort. */
  static Term as(const Sort &, const Term &term) { return term; }
  template <class Number, detail::if_number<Number> = 0>
  Term as(const Sort &sort, Number value) const
  {
    return Term(detail::constant(manager(), value, sort.handle()));
  }
  bivalve_manager manager() const { return bivalve_manager_of(handle_); }
  bivalve_term handle_;
};

inline Rounding::Rounding(const Term &term) : mode_(BIVALVE_ROUNDING_NEAREST_EVEN), term_(term.handle()) {}

inline Term operator~(const Term &x) { return x.apply(x.is_bool() ? BIVALVE_KIND_NOT : BIVALVE_KIND_BV_NOT); }
inline Term operator!(const Term &x) { return x.apply(BIVALVE_KIND_NOT); }
inline Term operator-(const Term &x) { return x.apply(x.is_float() ? BIVALVE_KIND_FP_NEG : BIVALVE_KIND_BV_NEG); }
inline Term operator&&(const Term &x, const Term &y) { return x.apply(BIVALVE_KIND_AND, y); }
inline Term operator||(const Term &x, const Term &y) { return x.apply(BIVALVE_KIND_OR, y); }

/* Two terms, or a term and a number on either side. */
#define BIVALVE_OPERATOR(sign, made)                                                         \
  inline Term operator sign(const Term &x, const Term &y) { return made; }                   \
  template <class Number, detail::if_number<Number> = 0>                                     \
  Term operator sign(const Term &x, Number y)                                                \
  {                                                                                          \
    return x sign x.constant(y);                                                             \
  }                                                                                          \
  template <class Number, detail::if_number<Number> = 0>                                     \
  Term operator sign(Number x, const Term &y)                                                \
  {                                                                                          \
    return y.constant(x) sign y;                                                             \
  }
BIVALVE_OPERATOR(&, x.apply(x.is_bool() ? BIVALVE_KIND_AND : BIVALVE_KIND_BV_AND, y))
BIVALVE_OPERATOR(|, x.apply(x.is_bool() ? BIVALVE_KIND_OR : BIVALVE_KIND_BV_OR, y))
BIVALVE_OPERATOR(^, x.apply(x.is_bool() ? BIVALVE_KIND_XOR : BIVALVE_KIND_BV_XOR, y))
BIVALVE_OPERATOR(==, x.apply(BIVALVE_KIND_EQ, y))
BIVALVE_OPERATOR(!=, x.apply(BIVALVE_KIND_DISTINCT, y))
BIVALVE_OPERATOR(+, x.is_float() ? x.fp_add(y) : x.apply(BIVALVE_KIND_BV_ADD, y))
BIVALVE_OPERATOR(-, x.is_float() ? x.fp_sub(y) : x.apply(BIVALVE_KIND_BV_SUB, y))
BIVALVE_OPERATOR(*, x.is_float() ? x.fp_mul(y) : x.apply(BIVALVE_KIND_BV_MUL, y))
BIVALVE_OPERATOR(/, x.fp_div(y))
BIVALVE_OPERATOR(<<, x.apply(BIVALVE_KIND_BV_SHL, y))
#undef BIVALVE_OPERATOR

inline std::ostream &operator<<(std::ostream &out, const Term &term) { return out << term.text(); }
inline std::ostream &operator<<(std::ostream &out, const Sort &sort) { return out << sort.text(); }

/* Sorts, terms and solvers of one program. It is moved, not copied. */
class Manager
{
 public:
  Manager() : handle_(detail::made(bivalve_manager_new())) {}
  ~Manager()
  {
    if (handle_.id != 0) bivalve_manager_free(handle_);
  }
  Manager(Manager &&other) noexcept : handle_(std::exchange(other.handle_, bivalve_manager{0})) {}
  Manager(const Manager &) = delete;
  Manager &operator=(const Manager &) = delete;

  bivalve_manager handle() const { return handle_; }
  Sort bool_sort() const { return Sort(bivalve_sort_bool(handle_)); }
  Sort bv_sort(uint32_t width) const { return Sort(bivalve_sort_bv(handle_, width)); }
  Sort array_sort(const Sort &index, const Sort &element) const
  {
    return Sort(bivalve_sort_array(handle_, index.handle(), element.handle()));
  }
  Sort function_sort(std::initializer_list<Sort> parameters, const Sort &result) const
  {
    std::vector<bivalve_sort> handles;
    for (const Sort &parameter : parameters) handles.push_back(parameter.handle());
    return Sort(bivalve_sort_function(handle_, handles.size(), handles.data(), result.handle()));
  }
  Sort float_sort(uint32_t exponent_bits, uint32_t significand_bits) const
  {
    return Sort(bivalve_sort_float(handle_, exponent_bits, significand_bits));
  }
  Sort rounding_mode_sort() const { return Sort(bivalve_sort_rounding_mode(handle_)); }
  Sort declare_sort(const std::string &name) const { return Sort(bivalve_sort_declare(handle_, name.c_str())); }

  Term boolean(bool value) const { return Term(bivalve_mk_bool(handle_, value)); }
  template <class Number, detail::if_number<Number> = 0>
  Term bv(Number value, uint32_t width) const
  {
    return Term(detail::constant(handle_, value, bv_sort(width).handle()));
  }
  Term bv(const std::string &digits, uint32_t base, uint32_t width) const
  {
    return Term(bivalve_mk_bv_digits(handle_, digits.c_str(), base, width));
  }
  /* The nearest number of a sort: to a number, or to what a text says. */
  template <class Number, detail::if_number<Number> = 0>
  Term number(const Sort &sort, Number value) const
  {
    return Term(detail::constant(handle_, value, sort.handle()));
  }
  Term number(const Sort &sort, const std::string &text, bivalve_rounding mode = BIVALVE_ROUNDING_NEAREST_EVEN) const
  {
    return Term(bivalve_mk_float(handle_, sort.handle(), text.c_str(), static_cast<uint32_t>(mode)));
  }
  Term number_of_bits(const Sort &sort, const std::string &digits, uint32_t base) const
  {
    return Term(bivalve_mk_float_bits(handle_, sort.handle(), digits.c_str(), base));
  }
  Term rounding_mode(bivalve_rounding mode) const { return Term(Rounding(mode).in(handle_)); }
  Term symbol(const std::string &name, const Sort &sort) const
  {
    return Term(bivalve_mk_symbol(handle_, name.c_str(), sort.handle()));
  }
  Term lookup(const std::string &name) const { return Term(bivalve_lookup(handle_, name.c_str())); }
  Term const_array(const Sort &sort, const Term &element) const
  {
    return Term(bivalve_mk_const_array(handle_, sort.handle(), element.handle()));
  }

 private:
  bivalve_manager handle_;
};

/* A solver over the terms of a manager, which has to live as long. It is moved, not copied. */
class Solver
{
 public:
  explicit Solver(const Manager &manager) : handle_(detail::made(bivalve_solver_new(manager.handle()))) {}
  ~Solver()
  {
    if (handle_.id != 0) bivalve_solver_free(handle_);
  }
  /* A moved solver has no callback: it is set anew. */
  Solver(Solver &&other) : handle_(std::exchange(other.handle_, bivalve_solver{0}))
  {
    bivalve_set_terminate(handle_, nullptr, nullptr);
  }
  Solver(const Solver &) = delete;
  Solver &operator=(const Solver &) = delete;

  bivalve_solver handle() const { return handle_; }
  void set(const std::string &option, const std::string &value)
  {
    detail::ok(bivalve_set_option(handle_, option.c_str(), value.c_str()));
  }
  std::string get(const std::string &option) const { return detail::text(bivalve_option(handle_, option.c_str())); }
  void add(const Term &formula) { detail::ok(bivalve_assert(handle_, formula.handle())); }
  void add_tracked(const Term &formula) { detail::ok(bivalve_assert_tracked(handle_, formula.handle())); }
  void push(uint64_t levels = 1) { detail::ok(bivalve_push(handle_, levels)); }
  void pop(uint64_t levels = 1) { detail::ok(bivalve_pop(handle_, levels)); }
  void reset_assertions() { detail::ok(bivalve_reset_assertions(handle_)); }
  void parse(const std::string &text) { detail::ok(bivalve_parse(handle_, text.c_str())); }
  std::string print(const std::string &language = "smt2") const
  {
    return detail::text(bivalve_print(handle_, language.c_str()));
  }
  std::string statistics() const { return detail::text(bivalve_statistics(handle_)); }
  void set_timeline(bool is_recorded) { detail::ok(bivalve_set_timeline(handle_, is_recorded)); }
  std::string explanation() const { return detail::text(bivalve_explanation(handle_)); }
  std::string explanation_json() const { return detail::text(bivalve_explanation_json(handle_)); }

  bivalve_answer check(const std::vector<Term> &assumptions = {})
  {
    const std::vector<bivalve_term> assumed = handles(assumptions);
    const bivalve_answer answer = bivalve_check_assuming(handle_, assumed.size(), assumed.data());
    if (answer == BIVALVE_ANSWER_ERROR) throw Error();
    return answer;
  }
  std::string reason_unknown() const { return detail::text(bivalve_reason_unknown(handle_)); }
  std::vector<Term> failed_assumptions() const { return listed(bivalve_failed_assumptions); }
  std::vector<Term> unsat_core() const { return listed(bivalve_unsat_core); }
  std::vector<Term> assertions() const { return listed(bivalve_assertions); }

  /* Objectives of the topmost level; optimize() looks for their best values, numbered from 0. */
  void minimize(const Term &term, bool is_signed = false)
  {
    detail::ok(bivalve_minimize(handle_, term.handle(), is_signed));
  }
  void maximize(const Term &term, bool is_signed = false)
  {
    detail::ok(bivalve_maximize(handle_, term.handle(), is_signed));
  }
  void add_soft(const Term &formula, const std::string &weight = "1", const std::string &name = "")
  {
    detail::ok(bivalve_assert_soft(handle_, formula.handle(), weight.c_str(), name.c_str()));
  }
  bivalve_answer optimize(bivalve_priority priority = BIVALVE_PRIORITY_LEXICOGRAPHIC,
                          const std::vector<Term> &assumptions = {})
  {
    const std::vector<bivalve_term> assumed = handles(assumptions);
    const auto code = static_cast<uint32_t>(priority);
    const bivalve_answer answer = bivalve_optimize(handle_, code, assumed.size(), assumed.data());
    if (answer == BIVALVE_ANSWER_ERROR) throw Error();
    return answer;
  }
  std::size_t objective_count() const
  {
    std::size_t count = 0;
    detail::ok(bivalve_objective_count(handle_, &count));
    return count;
  }
  std::string lower(std::size_t objective) const { return detail::text(bivalve_objective_lower(handle_, objective)); }
  std::string upper(std::size_t objective) const { return detail::text(bivalve_objective_upper(handle_, objective)); }

  /* Calls a function with the values of terms in each model, until it returns false or there are no others. The answer
   * is that of the last step: sat if the function has ended it, unsat if all models were seen. */
  bivalve_answer each_model(const std::vector<Term> &terms, const std::function<bool(const std::vector<Term> &)> &seen)
  {
    const std::vector<bivalve_term> listed = handles(terms);
    detail::ok(bivalve_list_models(handle_, listed.size(), listed.data()));
    for (;;)
    {
      std::vector<bivalve_term> values(terms.size());
      const bivalve_answer answer = bivalve_next_model(handle_, values.data(), values.size());
      if (answer == BIVALVE_ANSWER_ERROR) throw Error();
      if (answer != BIVALVE_ANSWER_SAT || !seen(std::vector<Term>(values.begin(), values.end()))) return answer;
    }
  }
  /* The number of values that terms have in models, in decimal digits; an error if it was not found out. */
  std::string count_models(const std::vector<Term> &terms)
  {
    bool is_exact = false;
    const std::vector<bivalve_term> counted = handles(terms);
    const std::string found = detail::text(bivalve_count_models(handle_, counted.size(), counted.data(), &is_exact));
    if (!is_exact) throw std::runtime_error("there are " + found + " models at least");
    return found;
  }

  /* Between these assertions and all others. */
  Term interpolant(const std::vector<Term> &formulas)
  {
    const std::vector<bivalve_term> between = handles(formulas);
    return Term(bivalve_interpolant(handle_, between.size(), between.data()));
  }
  /* Over a tree of sets of assertions, children before their parents; without `starts` over a sequence. */
  std::vector<Term> interpolants(const std::vector<std::vector<Term>> &sets, const std::vector<std::size_t> &starts = {})
  {
    if (!starts.empty() && starts.size() != sets.size()) throw std::invalid_argument("a start for each set is expected");
    std::vector<std::size_t> sizes;
    std::vector<bivalve_term> all;
    for (const std::vector<Term> &set : sets)
    {
      sizes.push_back(set.size());
      for (const Term &formula : set) all.push_back(formula.handle());
    }
    std::vector<bivalve_term> found(sets.empty() ? 0 : sets.size() - 1);
    detail::ok(bivalve_interpolants(handle_, sets.size(), sizes.data(), starts.empty() ? nullptr : starts.data(),
                                    all.data(), found.data()));
    return std::vector<Term>(found.begin(), found.end());
  }

  Term value(const Term &term) const { return Term(bivalve_value(handle_, term.handle())); }
  std::string value_text(const Term &term) const { return detail::text(bivalve_value_text(handle_, term.handle())); }
  std::string value_digits(const Term &term, uint32_t base) const
  {
    return detail::text(bivalve_value_digits(handle_, term.handle(), base));
  }
  uint64_t value_u64(const Term &term) const
  {
    uint64_t value = 0;
    detail::ok(bivalve_value_u64(handle_, term.handle(), &value));
    return value;
  }

  double value_double(const Term &term) const
  {
    double value = 0;
    detail::ok(bivalve_value_double(handle_, term.handle(), &value));
    return value;
  }

  void set_limits(uint64_t conflicts, uint64_t gates, uint64_t milliseconds)
  {
    detail::ok(bivalve_set_limits(handle_, conflicts, gates, milliseconds));
  }
  /* Asks a function, which must not throw, whether a check is to end; an empty one asks nobody. */
  void on_terminate(std::function<bool()> is_over)
  {
    is_over_ = std::move(is_over);
    const auto ask = [](void *asked) { return int((*static_cast<std::function<bool()> *>(asked))()); };
    detail::ok(is_over_ ? bivalve_set_terminate(handle_, ask, &is_over_)
                        : bivalve_set_terminate(handle_, nullptr, nullptr));
  }
  /* From any thread. */
  void interrupt() const { detail::ok(bivalve_interrupt(handle_)); }
  void clear_interrupt() const { detail::ok(bivalve_clear_interrupt(handle_)); }

 private:
  static std::vector<bivalve_term> handles(const std::vector<Term> &terms)
  {
    std::vector<bivalve_term> handles;
    for (const Term &term : terms) handles.push_back(term.handle());
    return handles;
  }
  std::vector<Term> listed(bivalve_status (*list)(bivalve_solver, bivalve_term *, std::size_t, std::size_t *)) const
  {
    std::size_t count = 0;
    detail::ok(list(handle_, nullptr, 0, &count));
    std::vector<bivalve_term> handles(count);
    detail::ok(list(handle_, handles.data(), count, &count));
    std::vector<Term> terms;
    for (bivalve_term handle : handles) terms.emplace_back(handle);
    return terms;
  }

  bivalve_solver handle_;
  std::function<bool()> is_over_;
};

}  // namespace bivalve

#endif
