/* Bivalve: an SMT solver for bit-vectors, arrays and uninterpreted functions.
 *
 * Made by a test from the sources of bindings/c; not edited by hand.
 *
 * Handles (managers, sorts, terms, solvers) are numbers in a struct, never addresses, so that a wrong one is
 * refused: of a failed call, freed, of another kind, of another manager, made up. The handle of a failed call
 * has the id 0. Nothing but managers and solvers has to be freed.
 *
 * A call that fails returns a status other than BIVALVE_STATUS_OK, the handle 0, a null pointer, or what its
 * comment says; bivalve_error() has the message and bivalve_error_code() the code. Where a comment names no
 * error, a call fails with ARGUMENT, HANDLE or THREAD for wrong handles only. No call ends the process.
 *
 * Addresses: a null pointer is refused. Any other has to lead to what is asked for: a text that ends with a
 * zero byte, so many members, a place for a result.
 *
 * Threads: a manager belongs to the thread that made it. Different threads have different managers.
 */

#ifndef BIVALVE_H
#define BIVALVE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// How a call ended.
typedef enum bivalve_status {
  // It was carried out.
  BIVALVE_STATUS_OK = 0,
  // An argument is null, out of range, or no text.
  BIVALVE_STATUS_ARGUMENT = 1,
  // A handle was freed, is of another kind or of another manager, or never was one.
  BIVALVE_STATUS_HANDLE = 2,
  // Terms have the wrong sorts or widths for what is made of them.
  BIVALVE_STATUS_SORT = 3,
  // What is asked for is not there now: a model after `unsat`, a level below the lowest.
  BIVALVE_STATUS_STATE = 4,
  // The manager belongs to another thread.
  BIVALVE_STATUS_THREAD = 5,
  // It is outside of what Bivalve decides, or what a format can express.
  BIVALVE_STATUS_UNSUPPORTED = 6,
  // A text is malformed.
  BIVALVE_STATUS_PARSE = 7,
  // A self-check failed. The manager cannot be used any more; it can be freed.
  BIVALVE_STATUS_INTERNAL = 8,
} bivalve_status;

// What a sort is.
typedef enum bivalve_sort_tag {
  // No sort: the answer to a call that failed.
  BIVALVE_SORT_TAG_NONE = 0,
  // `Bool`.
  BIVALVE_SORT_TAG_BOOL = 1,
  // Bit-vectors of one width.
  BIVALVE_SORT_TAG_BIT_VEC = 2,
  // Arrays.
  BIVALVE_SORT_TAG_ARRAY = 3,
  // Functions.
  BIVALVE_SORT_TAG_FUNCTION = 4,
  // A declared sort.
  BIVALVE_SORT_TAG_DECLARED = 5,
} bivalve_sort_tag;

// What a term is: a leaf, or the operator at its root.
//
// The meaning of each operator is that of SMT-LIB 2.7, and the comment of a kind has its name there.
// Operators of bit-vectors begin with `BV`, those of Booleans do not.
typedef enum bivalve_kind {
  // No term: the answer to a call that failed.
  BIVALVE_KIND_NONE = 0,
  // A Boolean or bit-vector constant.
  BIVALVE_KIND_CONST = 1,
  // A declared symbol of any sort.
  BIVALVE_KIND_SYMBOL = 2,
  // A function symbol applied to arguments; the symbol is the first child.
  BIVALVE_KIND_APPLY = 3,
  // Negation: `not`.
  BIVALVE_KIND_NOT = 4,
  // Implication, to the right: `=>`.
  BIVALVE_KIND_IMPLIES = 5,
  // Conjunction: `and`.
  BIVALVE_KIND_AND = 6,
  // Disjunction: `or`.
  BIVALVE_KIND_OR = 7,
  // Exclusive disjunction: `xor`.
  BIVALVE_KIND_XOR = 8,
  // Equality of any first-class sort; arrays are equal when all their elements are: `=`.
  BIVALVE_KIND_EQ = 9,
  // All arguments differ from each other: `distinct`.
  BIVALVE_KIND_DISTINCT = 10,
  // If-then-else: `ite`.
  BIVALVE_KIND_ITE = 11,
  // The element of an array at an index: `select`.
  BIVALVE_KIND_SELECT = 12,
  // An array that differs from another at one index at most: `store`.
  BIVALVE_KIND_STORE = 13,
  // The array whose elements are all equal, `((as const S) v)`; built by a constructor of its own.
  BIVALVE_KIND_CONST_ARRAY = 14,
  // Concatenation, the first argument holds the most significant bits: `concat`.
  BIVALVE_KIND_CONCAT = 15,
  // Bits `hi` down to `lo`; the stored index is `lo`: `extract`.
  BIVALVE_KIND_EXTRACT = 16,
  // Several copies in a row: `repeat`.
  BIVALVE_KIND_REPEAT = 17,
  // Zeros put in front: `zero_extend`.
  BIVALVE_KIND_ZERO_EXTEND = 18,
  // Copies of the sign bit put in front: `sign_extend`.
  BIVALVE_KIND_SIGN_EXTEND = 19,
  // Rotation to the left by a constant, modulo the width: `rotate_left`.
  BIVALVE_KIND_ROTATE_LEFT = 20,
  // Rotation to the right by a constant, modulo the width: `rotate_right`.
  BIVALVE_KIND_ROTATE_RIGHT = 21,
  // Rotation to the left by a term, read as unsigned, modulo the width: `ext_rotate_left`.
  BIVALVE_KIND_EXT_ROTATE_LEFT = 22,
  // Rotation to the right by a term, read as unsigned, modulo the width: `ext_rotate_right`.
  BIVALVE_KIND_EXT_ROTATE_RIGHT = 23,
  // Bitwise complement: `bvnot`.
  BIVALVE_KIND_BV_NOT = 24,
  // Bitwise conjunction: `bvand`.
  BIVALVE_KIND_BV_AND = 25,
  // Bitwise disjunction: `bvor`.
  BIVALVE_KIND_BV_OR = 26,
  // Bitwise exclusive disjunction: `bvxor`.
  BIVALVE_KIND_BV_XOR = 27,
  // Complement of the conjunction: `bvnand`.
  BIVALVE_KIND_BV_NAND = 28,
  // Complement of the disjunction: `bvnor`.
  BIVALVE_KIND_BV_NOR = 29,
  // Complement of the exclusive disjunction; longer lists fold from the left: `bvxnor`.
  BIVALVE_KIND_BV_XNOR = 30,
  // One bit: are the arguments equal?: `bvcomp`.
  BIVALVE_KIND_BV_COMP = 31,
  // One bit: conjunction of all bits: `bvredand`.
  BIVALVE_KIND_RED_AND = 32,
  // One bit: disjunction of all bits: `bvredor`.
  BIVALVE_KIND_RED_OR = 33,
  // One bit: parity: `bvredxor`.
  BIVALVE_KIND_RED_XOR = 34,
  // Two's complement negation: `bvneg`.
  BIVALVE_KIND_BV_NEG = 35,
  // Sum: `bvadd`.
  BIVALVE_KIND_BV_ADD = 36,
  // Difference: `bvsub`.
  BIVALVE_KIND_BV_SUB = 37,
  // Product: `bvmul`.
  BIVALVE_KIND_BV_MUL = 38,
  // Unsigned quotient, all ones when the divisor is zero: `bvudiv`.
  BIVALVE_KIND_BV_UDIV = 39,
  // Unsigned remainder, the dividend when the divisor is zero: `bvurem`.
  BIVALVE_KIND_BV_UREM = 40,
  // Signed quotient, rounded towards zero: `bvsdiv`.
  BIVALVE_KIND_BV_SDIV = 41,
  // Signed remainder, with the sign of the dividend: `bvsrem`.
  BIVALVE_KIND_BV_SREM = 42,
  // Signed remainder, with the sign of the divisor: `bvsmod`.
  BIVALVE_KIND_BV_SMOD = 43,
  // Shift to the left: `bvshl`.
  BIVALVE_KIND_BV_SHL = 44,
  // Shift to the right, zeros move in: `bvlshr`.
  BIVALVE_KIND_BV_LSHR = 45,
  // Shift to the right, copies of the sign move in: `bvashr`.
  BIVALVE_KIND_BV_ASHR = 46,
  // Unsigned less than: `bvult`.
  BIVALVE_KIND_BV_ULT = 47,
  // Unsigned less than or equal: `bvule`.
  BIVALVE_KIND_BV_ULE = 48,
  // Unsigned greater than: `bvugt`.
  BIVALVE_KIND_BV_UGT = 49,
  // Unsigned greater than or equal: `bvuge`.
  BIVALVE_KIND_BV_UGE = 50,
  // Signed less than: `bvslt`.
  BIVALVE_KIND_BV_SLT = 51,
  // Signed less than or equal: `bvsle`.
  BIVALVE_KIND_BV_SLE = 52,
  // Signed greater than: `bvsgt`.
  BIVALVE_KIND_BV_SGT = 53,
  // Signed greater than or equal: `bvsge`.
  BIVALVE_KIND_BV_SGE = 54,
  // Negation overflows: the argument is the least signed value: `bvnego`.
  BIVALVE_KIND_BV_NEGO = 55,
  // Unsigned sum overflows: `bvuaddo`.
  BIVALVE_KIND_BV_UADDO = 56,
  // Signed sum overflows: `bvsaddo`.
  BIVALVE_KIND_BV_SADDO = 57,
  // Unsigned product overflows: `bvumulo`.
  BIVALVE_KIND_BV_UMULO = 58,
  // Signed product overflows: `bvsmulo`.
  BIVALVE_KIND_BV_SMULO = 59,
  // Unsigned difference underflows: `bvusubo`.
  BIVALVE_KIND_BV_USUBO = 60,
  // Signed difference overflows: `bvssubo`.
  BIVALVE_KIND_BV_SSUBO = 61,
  // Signed quotient overflows: the least signed value by -1: `bvsdivo`.
  BIVALVE_KIND_BV_SDIVO = 62,
  // Unsigned quotient overflows: never: `bvudivo`.
  BIVALVE_KIND_BV_UDIVO = 63,
} bivalve_kind;

// The answer to a check.
typedef enum bivalve_answer {
  // Not decided; `bivalve_reason_unknown` says why.
  BIVALVE_ANSWER_UNKNOWN = 0,
  // There is a model, and it was validated.
  BIVALVE_ANSWER_SAT = 10,
  // There is none.
  BIVALVE_ANSWER_UNSAT = 20,
  // The check was refused; `bivalve_error` says why.
  BIVALVE_ANSWER_ERROR = -1,
} bivalve_answer;

// A manager: it owns sorts, terms and solvers. Made by `bivalve_manager_new`, freed by
// `bivalve_manager_free`.
typedef struct bivalve_manager {
  // Zero for none; otherwise not to be looked at.
  uint64_t id;
} bivalve_manager;

// A solver. Made by `bivalve_solver_new`, freed by `bivalve_solver_free` or with its manager.
typedef struct bivalve_solver {
  // Zero for none; otherwise not to be looked at.
  uint64_t id;
} bivalve_solver;

// A sort. It lives as long as its manager, and equal sorts have equal ids.
typedef struct bivalve_sort {
  // Zero for none; otherwise not to be looked at.
  uint64_t id;
} bivalve_sort;

// A term. It lives as long as its manager, and terms that are built alike have equal ids.
typedef struct bivalve_term {
  // Zero for none; otherwise not to be looked at.
  uint64_t id;
} bivalve_term;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, such as "0.1.0". The text lives forever.
const char *bivalve_version(void);

// The message of the last call on this thread that failed; empty if there was none. The text lives until the
// next call on this thread that fails.
const char *bivalve_error(void);

// The code of the last call on this thread that failed; `BIVALVE_STATUS_OK` if there was none. Calls that
// succeed leave it as it is.
enum bivalve_status bivalve_error_code(void);

// Forgets the last error of this thread.
void bivalve_clear_error(void);

// A new manager. It belongs to this thread: other threads get `BIVALVE_STATUS_THREAD` from whatever they do
// with it, with its terms and with its solvers, but for `bivalve_interrupt`. It is freed by
// `bivalve_manager_free`, or when the thread ends.
struct bivalve_manager bivalve_manager_new(void);

// Frees a manager with its sorts, terms and solvers. Their handles are refused from then on.
//
// Errors: `HANDLE` if it was freed, `STATE` in a callback of one of its solvers.
enum bivalve_status bivalve_manager_free(struct bivalve_manager manager);

// The number of options.
uintptr_t bivalve_option_count(void);

// The name of an option by its position from 0. The text lives until the next call on this thread that
// returns a text, as do all texts but those whose comment says otherwise.
//
// Errors: null and `ARGUMENT` if there are not so many.
const char *bivalve_option_name(uintptr_t position);

// What an option does.
//
// Errors: null and `ARGUMENT` if there are not so many.
const char *bivalve_option_help(uintptr_t position);

// The values of an option, as a manual writes them: `on|off`, `N`.
//
// Errors: null and `ARGUMENT` if there are not so many.
const char *bivalve_option_values(uintptr_t position);

// Sets an option of a solver, by the name and the value that the command line takes; in force from the next
// check on.
//
// Errors: `ARGUMENT` if there is no such option, or if it does not accept the value.
enum bivalve_status bivalve_set_option(struct bivalve_solver solver, const char *name, const char *value);

// The value of an option of a solver.
//
// Errors: null and `ARGUMENT` if there is no such option.
const char *bivalve_option(struct bivalve_solver solver, const char *name);

// Carries an SMT-LIB 2 script out, in a session of its own, and returns its replies, one a line. What is
// wrong with a command is a reply as well: `(error "...")`.
//
// Errors: null and `ARGUMENT` if `script` is null or not in UTF-8.
const char *bivalve_run_script(const char *script);

// The sort of Booleans.
//
// Errors: id 0, as of all functions that return a handle; `bivalve_error` says why.
struct bivalve_sort bivalve_sort_bool(struct bivalve_manager manager);

// The sort of bit-vectors of `width` bits.
//
// Errors: `SORT` unless there are between 1 and 2^24 bits.
struct bivalve_sort bivalve_sort_bv(struct bivalve_manager manager, uint32_t width);

// The sort of arrays from `index` to `element`. Arrays may be nested.
//
// Errors: `SORT` if one of them is a sort of functions, or arrays are nested more than 256 deep.
struct bivalve_sort bivalve_sort_array(struct bivalve_manager manager,
                                       struct bivalve_sort index,
                                       struct bivalve_sort element);

// The sort of functions with `count` parameters, at least one.
//
// Errors: `SORT` if one of them is a sort of functions, or there is no parameter.
struct bivalve_sort bivalve_sort_function(struct bivalve_manager manager,
                                          uintptr_t count,
                                          const struct bivalve_sort *parameters,
                                          struct bivalve_sort result);

// A new sort about which nothing is known but its name.
//
// Errors: `ARGUMENT` if `name` is no text.
struct bivalve_sort bivalve_sort_declare(struct bivalve_manager manager, const char *name);

// What a sort is.
enum bivalve_sort_tag bivalve_sort_kind(struct bivalve_sort sort);

// The number of bits of a bit-vector sort.
//
// Errors: 0 and `ARGUMENT` if it is no sort of bit-vectors.
uint32_t bivalve_sort_width(struct bivalve_sort sort);

// The number of parameters of a sort of functions, 1 for arrays, 0 for other sorts and errors.
uintptr_t bivalve_sort_arity(struct bivalve_sort sort);

// The sort of a parameter of functions by its position from 0, or of the index of arrays at position 0.
//
// Errors: `ARGUMENT` if there is none.
struct bivalve_sort bivalve_sort_parameter(struct bivalve_sort sort, uintptr_t position);

// The sort of the results of functions, or of the elements of arrays.
//
// Errors: `ARGUMENT` if it is another sort.
struct bivalve_sort bivalve_sort_result(struct bivalve_sort sort);

// A sort in SMT-LIB syntax.
//
// Errors: null if the handle is none.
const char *bivalve_sort_text(struct bivalve_sort sort);

// The constant `true` or `false`.
struct bivalve_term bivalve_mk_bool(struct bivalve_manager manager, bool value);

// The bit-vector `value` of `width` bits.
//
// Errors: `SORT` unless there are between 1 and 2^24 bits, and unless the value fits.
struct bivalve_term bivalve_mk_bv(struct bivalve_manager manager, uint64_t value, uint32_t width);

// The bit-vector of `width` bits with these digits in base 2, 10 or 16; decimal ones may have a minus in
// front.
//
// Errors: `ARGUMENT` if a digit is wrong or the number does not fit, `SORT` if the width is wrong.
struct bivalve_term bivalve_mk_bv_digits(struct bivalve_manager manager,
                                         const char *digits,
                                         uint32_t base,
                                         uint32_t width);

// A new symbol: a constant, or a function if the sort is one of functions. Each call makes another one, even
// under the same name; `bivalve_lookup` finds the last one.
//
// Errors: `ARGUMENT` if `name` is no text.
struct bivalve_term bivalve_mk_symbol(struct bivalve_manager manager,
                                      const char *name,
                                      struct bivalve_sort sort);

// The symbol of this name that was made or parsed last.
//
// Errors: `ARGUMENT` if there is none.
struct bivalve_term bivalve_lookup(struct bivalve_manager manager, const char *name);

// The array of an array sort whose elements are all `element`.
//
// Errors: `SORT` if it is no array sort, or has elements of another sort.
struct bivalve_term bivalve_mk_const_array(struct bivalve_manager manager,
                                           struct bivalve_sort sort,
                                           struct bivalve_term element);

// An operator, of a `bivalve_kind`, applied to `count` arguments. For `BIVALVE_KIND_APPLY` the first of them
// is the function.
//
// Errors: `ARGUMENT` if there is no such kind, or it needs indices or a function of its own; `SORT` if it
// does not accept so many arguments, or arguments of these sorts.
struct bivalve_term bivalve_mk(struct bivalve_manager manager,
                               uint32_t kind,
                               uintptr_t count,
                               const struct bivalve_term *arguments);

// An operator with indices, as many as SMT-LIB asks for and in its order: high and low bit of `extract`, the
// number of `zero_extend`, `sign_extend`, `repeat`, `rotate_left` and `rotate_right`.
//
// Errors: as `bivalve_mk`; `SORT` if the indices do not fit.
struct bivalve_term bivalve_mk_indexed(struct bivalve_manager manager,
                                       uint32_t kind,
                                       uintptr_t count,
                                       const struct bivalve_term *arguments,
                                       uintptr_t index_count,
                                       const uint32_t *indices);

// An operator of a `bivalve_kind` with one argument. The manager is that of the argument.
//
// Errors: as `bivalve_mk`.
struct bivalve_term bivalve_mk1(uint32_t kind, struct bivalve_term argument);

// An operator of a `bivalve_kind` with two arguments.
//
// Errors: as `bivalve_mk`.
struct bivalve_term bivalve_mk2(uint32_t kind, struct bivalve_term left, struct bivalve_term right);

// An operator of a `bivalve_kind` with three arguments: `ITE`, `STORE`, and those that take lists.
//
// Errors: as `bivalve_mk`.
struct bivalve_term bivalve_mk3(uint32_t kind,
                                struct bivalve_term first,
                                struct bivalve_term second,
                                struct bivalve_term third);

// An operator of a `bivalve_kind` with one index and one argument: `ZERO_EXTEND`, `SIGN_EXTEND`, `REPEAT`,
// `ROTATE_LEFT`, `ROTATE_RIGHT`.
//
// Errors: as `bivalve_mk_indexed`.
struct bivalve_term bivalve_mk1_indexed(uint32_t kind, uint32_t index, struct bivalve_term argument);

// The bits `high` down to `low`, counted from 0, of a bit-vector.
//
// Errors: `SORT` if there are no such bits.
struct bivalve_term bivalve_extract(uint32_t high, uint32_t low, struct bivalve_term argument);

// A term with other terms in the place of `count` symbols, all at once.
//
// Errors: `ARGUMENT` if one of `from` is no symbol, `SORT` if what comes in its place has another sort.
struct bivalve_term bivalve_substitute(struct bivalve_term term,
                                       uintptr_t count,
                                       const struct bivalve_term *from,
                                       const struct bivalve_term *to);

// What a term is.
enum bivalve_kind bivalve_term_kind(struct bivalve_term term);

// The sort of a term.
struct bivalve_sort bivalve_term_sort(struct bivalve_term term);

// The manager of a term.
struct bivalve_manager bivalve_manager_of(struct bivalve_term term);

// The number of bits of a bit-vector.
//
// Errors: 0 and `ARGUMENT` if it is none.
uint32_t bivalve_term_width(struct bivalve_term term);

// The number of arguments of a term; 0 for constants, symbols and errors.
uintptr_t bivalve_term_arity(struct bivalve_term term);

// An argument of a term by its position from 0.
//
// Errors: `ARGUMENT` if there are not so many.
struct bivalve_term bivalve_term_argument(struct bivalve_term term, uintptr_t position);

// The number of indices of a term: 2 for `extract`, 1 for other operators with indices, else 0.
uintptr_t bivalve_term_index_count(struct bivalve_term term);

// An index of a term by its position from 0; 0 for errors, so `bivalve_term_index_count` is to be asked
// first.
uint32_t bivalve_term_index(struct bivalve_term term, uintptr_t position);

// The name of a symbol.
//
// Errors: null and `ARGUMENT` if it is none.
const char *bivalve_term_name(struct bivalve_term term);

// A term in SMT-LIB syntax.
//
// Errors: null if the handle is none.
const char *bivalve_term_text(struct bivalve_term term);

// A new solver with the default options, without assertions. It takes terms of its manager. It is freed by
// `bivalve_solver_free`, or with the manager.
struct bivalve_solver bivalve_solver_new(struct bivalve_manager manager);

// Frees a solver; its terms stay.
//
// Errors: `HANDLE` if it was freed.
enum bivalve_status bivalve_solver_free(struct bivalve_solver solver);

// Asserts a formula on the topmost level.
//
// Errors: `SORT` if it is not Boolean, `UNSUPPORTED` if it has a constant array over a declared sort.
enum bivalve_status bivalve_assert(struct bivalve_solver solver, struct bivalve_term formula);

// Asserts a formula that may be part of unsat cores.
//
// Errors: as `bivalve_assert`.
enum bivalve_status bivalve_assert_tracked(struct bivalve_solver solver, struct bivalve_term formula);

// Opens levels on the assertion stack.
//
// Errors: `STATE` if there would be more than 2^64 - 1.
enum bivalve_status bivalve_push(struct bivalve_solver solver, uint64_t levels);

// Drops the topmost levels with all that was asserted on them.
//
// Errors: `STATE` if there are fewer; nothing changes then.
enum bivalve_status bivalve_pop(struct bivalve_solver solver, uint64_t levels);

// Puts the number of levels above the lowest into `levels`.
enum bivalve_status bivalve_levels(struct bivalve_solver solver, uint64_t *levels);

// Drops all assertions and levels; options, limits and callback stay.
enum bivalve_status bivalve_reset_assertions(struct bivalve_solver solver);

// Is the conjunction of the assertions satisfiable?
enum bivalve_answer bivalve_check(struct bivalve_solver solver);

// Is the conjunction of the assertions and of `count` formulas satisfiable? They are assumed for this check
// only.
//
// Errors: `SORT` if one is not Boolean; nothing was checked then, and the answer of the last check stays.
enum bivalve_answer bivalve_check_assuming(struct bivalve_solver solver,
                                           uintptr_t count,
                                           const struct bivalve_term *assumptions);

// Why the last check was answered unknown: "timeout", "interrupted", "resourceout", "memout" or
// "incomplete"; empty if it was not, or if something was asserted, pushed or popped since.
const char *bivalve_reason_unknown(struct bivalve_solver solver);

// The assumptions of the last check that are part of the contradiction: as many as `capacity` into `terms`,
// their number into `count`. With `capacity` 0 only the number is asked for.
//
// Errors: `STATE` unless the last check was answered unsat, and nothing was asserted, pushed or popped
// since.
enum bivalve_status bivalve_failed_assumptions(struct bivalve_solver solver,
                                               struct bivalve_term *terms,
                                               uintptr_t capacity,
                                               uintptr_t *count);

// The tracked assertions that are part of the contradiction, as `bivalve_failed_assumptions`. It is minimal
// if the option `minimize-core` is on.
//
// Errors: as `bivalve_failed_assumptions`.
enum bivalve_status bivalve_unsat_core(struct bivalve_solver solver,
                                       struct bivalve_term *terms,
                                       uintptr_t capacity,
                                       uintptr_t *count);

// The script that `bivalve_certificate` is about: the assertions and assumptions of the last check, in
// SMT-LIB 2.
//
// Errors: null and `STATE` unless the last check was answered unsat, and nothing was asserted, pushed or
// popped since.
const char *bivalve_certificate_script(struct bivalve_solver solver);

// A certificate, as text, that the last check was rightly answered unsat: `bivalve-check` and
// `bivalve_check_certificate` read it, beside `bivalve_certificate_script`. It is searched for anew, under
// the limit of time and the callback of the solver.
//
// Errors: as `bivalve_certificate_script`; `UNSUPPORTED` if none was found, or not in time.
const char *bivalve_certificate(struct bivalve_solver solver);

// Whether checks from now on record their phases, and the lemmas that they learn, for explanations. Each
// lemma is printed then, which takes time.
enum bivalve_status bivalve_set_timeline(struct bivalve_solver solver, bool is_recorded);

// Why the last answer is what it is, in words. After sat: the part of the model that matters; whatever the
// rest is replaced by, the assertions hold. After unsat: which assertions and assumptions are contradictory,
// and by which bits. Before it, if they were recorded, the lemmas of the check; after unknown that is all.
// Formulas are counted from 1, the assertions of the lowest level first, the assumptions last. It is found
// out under the limit of time and the callback of the solver, and says where it may not be minimal.
//
// Errors: null and `STATE` if nothing was checked, something was asserted, pushed or popped since, or the
// answer was unknown and nothing was recorded.
const char *bivalve_explanation(struct bivalve_solver solver);

// The same as one line of JSON, as `bivalve --explain=json` prints it, with the phases of the check.
//
// Errors: as `bivalve_explanation`.
const char *bivalve_explanation_json(struct bivalve_solver solver);

// Does a certificate show that the checks of a script are unsatisfiable? Gives the number of checks that are
// shown to be; 0 if the certificate is right and says nothing, -1 for errors. The checker shares no code
// with the solver.
//
// Errors: `PARSE` with the first step that is wrong, or the place in the script that is not understood.
int bivalve_check_certificate(const char *script, const char *certificate);

// All assertions, tracked or not, the lowest level first, as `bivalve_failed_assumptions`.
enum bivalve_status bivalve_assertions(struct bivalve_solver solver,
                                       struct bivalve_term *terms,
                                       uintptr_t capacity,
                                       uintptr_t *count);

// Whether an assumption of the last check is part of the contradiction: 1 or 0, -1 for errors.
//
// Errors: as `bivalve_failed_assumptions`.
int bivalve_is_failed(struct bivalve_solver solver, struct bivalve_term assumption);

// Limits of each check from now on: conflicts of the search, gates that are built, and milliseconds; 0 for
// no limit, of gates for that of the options. Where one is reached the answer is unknown, and the solver can
// be used on. Limits of steps give the same answers on every machine.
enum bivalve_status bivalve_set_limits(struct bivalve_solver solver,
                                       uint64_t conflicts,
                                       uint64_t gates,
                                       uint64_t milliseconds);

// Asks `callback` with `data` every few thousand steps of a check, on the thread of the check; anything but
// 0 ends it with unknown. Null asks nobody. The callback must return: no `longjmp`, no exception. It must
// not use the manager of the solver, which refuses that; `data` must live as long as it may be asked.
enum bivalve_status bivalve_set_terminate(struct bivalve_solver solver, int (*callback)(void*), void *data);

// Ends the running check of a solver, and every later one, with unknown, until `bivalve_clear_interrupt`.
// May be called from any thread.
//
// Errors: `HANDLE` if the solver was freed.
enum bivalve_status bivalve_interrupt(struct bivalve_solver solver);

// Checks may run again after `bivalve_interrupt`. May be called from any thread.
//
// Errors: `HANDLE` if the solver was freed.
enum bivalve_status bivalve_clear_interrupt(struct bivalve_solver solver);

// Reads SMT-LIB 2 text into a solver: declarations, definitions and assertions. It may mention the symbols
// of the manager that were made so far, by name, and `bivalve_lookup` finds those that it declares.
// Questions are skipped. Nothing is asserted if anything is refused.
//
// Errors: `PARSE` with the place in the text; `UNSUPPORTED` if it opens or closes levels.
enum bivalve_status bivalve_parse(struct bivalve_solver solver, const char *input);

// The assertions in a language: "smt2", "btor" or "btor2".
//
// Errors: null and `ARGUMENT` if there is no such language, `UNSUPPORTED` if it has no words for something.
const char *bivalve_print(struct bivalve_solver solver, const char *language);

// What the checks of a solver cost so far, as an object of JSON.
const char *bivalve_statistics(struct bivalve_solver solver);

// Puts the value of a Boolean (0 or 1) or of a bit-vector in the model of the last check into `value`.
//
// Errors: `STATE` unless the last check was answered sat, and nothing was asserted, pushed or popped since;
// `ARGUMENT` if the value has another sort, or does not fit.
enum bivalve_status bivalve_value_u64(struct bivalve_solver solver,
                                      struct bivalve_term term,
                                      uint64_t *value);

// The digits of the value of a Boolean or a bit-vector in base 2, 10 or 16, without a prefix: in base 2 as
// many as bits, in base 16 one for four bits.
//
// Errors: null; `STATE` as `bivalve_value_u64`, `ARGUMENT` if the base or the sort is another one.
const char *bivalve_value_digits(struct bivalve_solver solver, struct bivalve_term term, uint32_t base);

// The value of any term in SMT-LIB syntax, of functions, too.
//
// Errors: null; `STATE` as `bivalve_value_u64`.
const char *bivalve_value_text(struct bivalve_solver solver, struct bivalve_term term);

// The value of a term as a constant of its sort, to build more from; an array is a chain of `store` over a
// constant array.
//
// Errors: `STATE` as `bivalve_value_u64`; `UNSUPPORTED` for functions and elements of declared sorts.
struct bivalve_term bivalve_value(struct bivalve_solver solver, struct bivalve_term term);

// Puts the number of entries of the value of an array or function into `count`: of places where it differs
// from its default.
//
// Errors: `STATE` as `bivalve_value_u64`, `ARGUMENT` if the term has another sort.
enum bivalve_status bivalve_value_entry_count(struct bivalve_solver solver,
                                              struct bivalve_term term,
                                              uintptr_t *count);

// An entry of the value of an array or function by its position from 0, as constants: its arguments, of
// which arrays have one, into `arguments`, which has place for `capacity`, and what is there into `result`.
//
// Errors: as `bivalve_value_entry_count`; `ARGUMENT` if there are not so many entries, or there is not
// enough place; `UNSUPPORTED` if they are elements of declared sorts.
enum bivalve_status bivalve_value_entry(struct bivalve_solver solver,
                                        struct bivalve_term term,
                                        uintptr_t position,
                                        struct bivalve_term *arguments,
                                        uintptr_t capacity,
                                        struct bivalve_term *result);

// What an array or function of the model is at all places that are no entries, as a constant.
//
// Errors: as `bivalve_value_entry`.
struct bivalve_term bivalve_value_default(struct bivalve_solver solver, struct bivalve_term term);

// Puts the number that a constant of sort Bool or of bits is into `value`.
//
// Errors: `ARGUMENT` if it is no constant, or does not fit.
enum bivalve_status bivalve_constant_u64(struct bivalve_term term, uint64_t *value);

// The digits of a constant of sort Bool or of bits, as `bivalve_value_digits`.
//
// Errors: null and `ARGUMENT` if it is no constant, or the base is another one.
const char *bivalve_constant_digits(struct bivalve_term term, uint32_t base);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BIVALVE_H */
