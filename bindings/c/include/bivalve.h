/* Bivalve: an SMT solver for bit-vectors, floating-point numbers, arrays and functions.
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
  // Floating-point numbers of one format.
  BIVALVE_SORT_TAG_FLOAT = 6,
  // Rounding modes.
  BIVALVE_SORT_TAG_ROUNDING_MODE = 7,
  // Integers, which texts have.
  BIVALVE_SORT_TAG_INT = 8,
  // Real constants, which texts have.
  BIVALVE_SORT_TAG_REAL = 9,
  // Records: data types without recursion, which texts have.
  BIVALVE_SORT_TAG_RECORD = 10,
} bivalve_sort_tag;

// What a term is: a leaf, or the operator at its root.
//
// The meaning of each operator is that of SMT-LIB 2.7, and the comment of a kind has its name there.
// Operators of bit-vectors begin with `BV`, those of floating-point numbers with `FP`, those of integers
// with `INT`, those of Booleans with none of these.
typedef enum bivalve_kind {
  // No term: the answer to a call that failed.
  BIVALVE_KIND_NONE = 0,
  // A constant.
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
  // The number with a sign, an exponent and a fraction, three bit-vectors: `fp`.
  BIVALVE_KIND_FP = 64,
  // The number whose bits a bit-vector is; the indices are the bits of exponent and significand, as of all
  // that make numbers of a format: `to_fp`.
  BIVALVE_KIND_FP_FROM_BITS = 65,
  // The nearest number of another format, in a rounding mode: `to_fp`.
  BIVALVE_KIND_FP_FROM_FP = 66,
  // The number nearest to a real constant, which texts have: `to_fp`.
  BIVALVE_KIND_FP_FROM_REAL = 67,
  // The number nearest to a bit-vector in two's complement: `to_fp`.
  BIVALVE_KIND_FP_FROM_SBV = 68,
  // The number nearest to a bit-vector without a sign: `to_fp_unsigned`.
  BIVALVE_KIND_FP_FROM_UBV = 69,
  // Magnitude: `fp.abs`.
  BIVALVE_KIND_FP_ABS = 70,
  // The number with the other sign: `fp.neg`.
  BIVALVE_KIND_FP_NEG = 71,
  // Sum; the first argument of this and all that round is the rounding mode: `fp.add`.
  BIVALVE_KIND_FP_ADD = 72,
  // Difference: `fp.sub`.
  BIVALVE_KIND_FP_SUB = 73,
  // Product: `fp.mul`.
  BIVALVE_KIND_FP_MUL = 74,
  // Quotient: `fp.div`.
  BIVALVE_KIND_FP_DIV = 75,
  // Product of the first two numbers plus the third, rounded once: `fp.fma`.
  BIVALVE_KIND_FP_FMA = 76,
  // Square root: `fp.sqrt`.
  BIVALVE_KIND_FP_SQRT = 77,
  // Remainder by the nearest integer, as `remainder` of C, not `fmod`: `fp.rem`.
  BIVALVE_KIND_FP_REM = 78,
  // The nearest integer, as a number of the format: `fp.roundToIntegral`.
  BIVALVE_KIND_FP_RTI = 79,
  // The lesser number, either of zeros of opposite sign: `fp.min`.
  BIVALVE_KIND_FP_MIN = 80,
  // The greater number, either of zeros of opposite sign: `fp.max`.
  BIVALVE_KIND_FP_MAX = 81,
  // The integer without a sign, of the width that the index says, any where it does not fit: `fp.to_ubv`.
  BIVALVE_KIND_FP_TO_UBV = 82,
  // The integer in two's complement, likewise: `fp.to_sbv`.
  BIVALVE_KIND_FP_TO_SBV = 83,
  // The bits; of NaN those of the quiet one: `fp.to_ieee_bv`.
  BIVALVE_KIND_FP_TO_BITS = 84,
  // Less than or equal, false for NaN: `fp.leq`.
  BIVALVE_KIND_FP_LEQ = 85,
  // Less than: `fp.lt`.
  BIVALVE_KIND_FP_LT = 86,
  // Greater than or equal: `fp.geq`.
  BIVALVE_KIND_FP_GEQ = 87,
  // Greater than: `fp.gt`.
  BIVALVE_KIND_FP_GT = 88,
  // Equality of numbers, the `==` of C; `EQ` is identity: `fp.eq`.
  BIVALVE_KIND_FP_EQUAL = 89,
  // A number with the hidden bit: `fp.isNormal`.
  BIVALVE_KIND_FP_IS_NORMAL = 90,
  // A number without the hidden bit, but no zero: `fp.isSubnormal`.
  BIVALVE_KIND_FP_IS_SUBNORMAL = 91,
  // One of the zeros: `fp.isZero`.
  BIVALVE_KIND_FP_IS_ZERO = 92,
  // One of the infinities: `fp.isInfinite`.
  BIVALVE_KIND_FP_IS_INF = 93,
  // Not a number: `fp.isNaN`.
  BIVALVE_KIND_FP_IS_NAN = 94,
  // A number with the sign: `fp.isNegative`.
  BIVALVE_KIND_FP_IS_NEG = 95,
  // A number without the sign: `fp.isPositive`.
  BIVALVE_KIND_FP_IS_POS = 96,
  // The integer that a bit-vector without a sign is: `ubv_to_int`.
  BIVALVE_KIND_UBV_TO_INT = 97,
  // The integer that a bit-vector in two's complement is: `sbv_to_int`.
  BIVALVE_KIND_SBV_TO_INT = 98,
  // An integer modulo 2^width, of the width that the index says: `int_to_bv`.
  BIVALVE_KIND_INT_TO_BV = 99,
  // Negation of an integer: `-`.
  BIVALVE_KIND_INT_NEG = 100,
  // Difference of integers: `-`.
  BIVALVE_KIND_INT_SUB = 101,
  // Sum of integers: `+`.
  BIVALVE_KIND_INT_ADD = 102,
  // Product of integers: `*`.
  BIVALVE_KIND_INT_MUL = 103,
  // Quotient of integers: `div`.
  BIVALVE_KIND_INT_DIV = 104,
  // Remainder of integers, never negative: `mod`.
  BIVALVE_KIND_INT_MOD = 105,
  // Magnitude of an integer: `abs`.
  BIVALVE_KIND_INT_ABS = 106,
  // Less than, of integers: `<`.
  BIVALVE_KIND_INT_LT = 107,
  // Less than or equal, of integers: `<=`.
  BIVALVE_KIND_INT_LEQ = 108,
  // Greater than, of integers: `>`.
  BIVALVE_KIND_INT_GT = 109,
  // Greater than or equal, of integers: `>=`.
  BIVALVE_KIND_INT_GEQ = 110,
  // A formula for all values of symbols; these come first, then the body: `forall`.
  BIVALVE_KIND_FORALL = 111,
  // The record of a constructor with these fields, which texts have.
  BIVALVE_KIND_RECORD_NEW = 112,
  // Has the record this constructor: `is`.
  BIVALVE_KIND_RECORD_IS = 113,
  // A field of a record: a selector.
  BIVALVE_KIND_RECORD_GET = 114,
  // The record with another value in a field: `update`.
  BIVALVE_KIND_RECORD_SET = 115,
  // The exact value of a float as a real: `fp.to_real`.
  BIVALVE_KIND_FP_TO_REAL = 116,
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

// How results are rounded.
typedef enum bivalve_rounding {
  // To the nearest number, of two the even one: `RNE`, what C does unless it is told otherwise.
  BIVALVE_ROUNDING_NEAREST_EVEN = 0,
  // To the nearest number, of two the one that is further from zero: `RNA`.
  BIVALVE_ROUNDING_NEAREST_AWAY = 1,
  // Up: `RTP`.
  BIVALVE_ROUNDING_UP = 2,
  // Down: `RTN`.
  BIVALVE_ROUNDING_DOWN = 3,
  // Towards zero: `RTZ`, as casts to integers in C.
  BIVALVE_ROUNDING_ZERO = 4,
} bivalve_rounding;

// How several objectives are combined.
typedef enum bivalve_priority {
  // Each among the optima of those before it.
  BIVALVE_PRIORITY_LEXICOGRAPHIC = 0,
  // Each by itself, as if it were the only one; the model is that of the first.
  BIVALVE_PRIORITY_BOX = 1,
  // Values none of which can be better unless another one is worse. Each search finds others, until the
  // answer is unsat; then it begins anew.
  BIVALVE_PRIORITY_PARETO = 2,
} bivalve_priority;

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
// wrong with a command is a reply as well: `(error "...")`. `(set-option :timeout N)` limits each command.
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

// The sort of floating-point numbers with so many bits of exponent and of significand, the hidden one
// included: 8 and 24 are `float` of C, 11 and 53 `double`.
//
// Errors: `SORT` unless there are 2 to 24 bits of exponent, 2 or more of significand, and at most 2^22 in
// all.
struct bivalve_sort bivalve_sort_float(struct bivalve_manager manager,
                                       uint32_t exponent_bits,
                                       uint32_t significand_bits);

// The sort of rounding modes.
struct bivalve_sort bivalve_sort_rounding_mode(struct bivalve_manager manager);

// The number of bits of the exponent of a floating-point sort.
//
// Errors: 0 and `ARGUMENT` if it is another sort.
uint32_t bivalve_sort_exponent_bits(struct bivalve_sort sort);

// The number of bits of the significand of a floating-point sort, the hidden one included.
//
// Errors: 0 and `ARGUMENT` if it is another sort.
uint32_t bivalve_sort_significand_bits(struct bivalve_sort sort);

// A rounding mode, of a `bivalve_rounding`.
//
// Errors: `ARGUMENT` if there is no such mode.
struct bivalve_term bivalve_mk_rounding_mode(struct bivalve_manager manager, uint32_t rounding);

// The number of a floating-point sort that is nearest to a double: that very number for `float` and
// `double`, if it is one.
//
// Errors: `ARGUMENT` if the sort is another one.
struct bivalve_term bivalve_mk_double(struct bivalve_manager manager, struct bivalve_sort sort, double value);

// The number of a floating-point sort that is nearest to what a text says, in a rounding mode of a
// `bivalve_rounding`: a decimal number (`-1.5e-3`), a hexadecimal one (`0x1.8p+3`), a fraction (`1/3`),
// `inf`, `-inf` or `nan`.
//
// Errors: `ARGUMENT` if the text is none of these or has more than 65536 characters, or there is no such
// mode or format.
struct bivalve_term bivalve_mk_float(struct bivalve_manager manager,
                                     struct bivalve_sort sort,
                                     const char *number,
                                     uint32_t rounding);

// The number of a floating-point sort with these bits, digits in base 2, 10 or 16: sign, exponent, fraction.
//
// Errors: `ARGUMENT` if a digit is wrong or there are too many bits, or the sort is another one.
struct bivalve_term bivalve_mk_float_bits(struct bivalve_manager manager,
                                          struct bivalve_sort sort,
                                          const char *bits,
                                          uint32_t base);

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

// The formula that `body` holds for all values of `count` symbols. They are symbols as others are, made by
// `bivalve_mk_symbol`, and may be used elsewhere, where nothing changes. The same is made by `bivalve_mk` of
// `BIVALVE_KIND_FORALL`, the body being the last argument.
//
// Errors: `SORT` unless the body is a Boolean, and the symbols are different ones and no functions.
struct bivalve_term bivalve_forall(struct bivalve_term body,
                                   uintptr_t count,
                                   const struct bivalve_term *symbols);

// The formula that `body` holds for some values of `count` symbols, as `bivalve_forall`. To look at, it is
// the negation of one for all.
//
// Errors: as `bivalve_forall`.
struct bivalve_term bivalve_exists(struct bivalve_term body,
                                   uintptr_t count,
                                   const struct bivalve_term *symbols);

// An operator, of a `bivalve_kind`, applied to `count` arguments. For `BIVALVE_KIND_APPLY` the first of them
// is the function, for `BIVALVE_KIND_FORALL` all but the last are the symbols.
//
// Errors: `ARGUMENT` if there is no such kind, or it needs indices or a function of its own; `SORT` if it
// does not accept so many arguments, or arguments of these sorts.
struct bivalve_term bivalve_mk(struct bivalve_manager manager,
                               uint32_t kind,
                               uintptr_t count,
                               const struct bivalve_term *arguments);

// An operator with indices, as many as SMT-LIB asks for and in its order: high and low bit of `extract`, the
// number of `zero_extend`, `sign_extend`, `repeat`, `rotate_left` and `rotate_right`, the bits of exponent
// and significand of `to_fp`, the width of `fp.to_sbv` and `fp.to_ubv`.
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

// An argument of a term by its position from 0. A formula for all values of symbols has those symbols and
// the body, in which they are free.
//
// Errors: `ARGUMENT` if there are not so many.
struct bivalve_term bivalve_term_argument(struct bivalve_term term, uintptr_t position);

// The number of indices of a term: 2 for `extract` and what makes numbers of a format, 1 for other operators
// with indices, else 0.
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
// Questions are skipped. Nothing is asserted if anything is refused. The limit of time of the solver, its
// callback and `bivalve_interrupt` end what definitions stand for, which ends at some millions of terms
// anyway.
//
// Errors: `PARSE` with the place in the text; `UNSUPPORTED` if it opens or closes levels.
enum bivalve_status bivalve_parse(struct bivalve_solver solver, const char *input);

// The assertions in a language: "smt2", "btor" or "btor2".
//
// Errors: null and `ARGUMENT` if there is no such language, `UNSUPPORTED` if it has no words for something.
const char *bivalve_print(struct bivalve_solver solver, const char *language);

// What the checks of a solver cost so far, as an object of JSON.
const char *bivalve_statistics(struct bivalve_solver solver);

// Puts the value of a Boolean (0 or 1), of a bit-vector, the bits of a floating-point number, or the number
// of a rounding mode in the model of the last check into `value`.
//
// Errors: `STATE` unless the last check was answered sat, and nothing was asserted, pushed or popped since;
// `ARGUMENT` if the value has another sort, or does not fit.
enum bivalve_status bivalve_value_u64(struct bivalve_solver solver,
                                      struct bivalve_term term,
                                      uint64_t *value);

// The digits of the value of a Boolean, a bit-vector or the bits of a floating-point number in base 2, 10 or
// 16, without a prefix: in base 2 as many as bits, in base 16 one for four bits.
//
// Errors: null; `STATE` as `bivalve_value_u64`, `ARGUMENT` if the base or the sort is another one.
const char *bivalve_value_digits(struct bivalve_solver solver, struct bivalve_term term, uint32_t base);

// Puts the double that is nearest to the value of a floating-point number into `value`: the same number for
// `float` and `double` of C.
//
// Errors: `STATE` as `bivalve_value_u64`, `ARGUMENT` if the term has another sort.
enum bivalve_status bivalve_value_double(struct bivalve_solver solver,
                                         struct bivalve_term term,
                                         double *value);

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

// Puts the double that is nearest to a floating-point constant into `value`.
//
// Errors: `ARGUMENT` if it is no such constant.
enum bivalve_status bivalve_constant_double(struct bivalve_term term, double *value);

// Puts the number that a constant is into `value`, as `bivalve_value_u64`.
//
// Errors: `ARGUMENT` if it is no constant, or does not fit.
enum bivalve_status bivalve_constant_u64(struct bivalve_term term, uint64_t *value);

// The digits of a constant, as `bivalve_value_digits`.
//
// Errors: null and `ARGUMENT` if it is no constant, or the base is another one.
const char *bivalve_constant_digits(struct bivalve_term term, uint32_t base);

// The least value of a term is an objective of the topmost level: of a bit-vector, which is read as a signed
// number if `is_signed`, or of a floating-point number, of which NaN is worse than every number. Objectives
// are numbered from 0; they matter to `bivalve_optimize` alone.
//
// Errors: `SORT` if the term has another sort.
enum bivalve_status bivalve_minimize(struct bivalve_solver solver, struct bivalve_term term, bool is_signed);

// The greatest value of a term is an objective, as `bivalve_minimize`.
//
// Errors: as `bivalve_minimize`.
enum bivalve_status bivalve_maximize(struct bivalve_solver solver, struct bivalve_term term, bool is_signed);

// A formula that should hold: if it does not, that costs `weight`, which is text: `"2"`, `"-1"`, `"0.5"` or
// `"1/3"`. The price of all soft constraints of one name is one objective, the least price, numbered where
// the first of them is. The name may be null; it belongs to the topmost level as the others do.
//
// Errors: `SORT` if the formula is not Boolean, `ARGUMENT` if the weight is no number.
enum bivalve_status bivalve_assert_soft(struct bivalve_solver solver,
                                        struct bivalve_term formula,
                                        const char *weight,
                                        const char *name);

// Puts the number of objectives into `count`.
enum bivalve_status bivalve_objective_count(struct bivalve_solver solver, uintptr_t *count);

// The best values of the objectives among the models of the assertions and of `count` formulas, which are
// assumed; `priority` is a `bivalve_priority`. Sat: all optima were found, and the values of terms are those
// of the optimum. Unknown: what is known is between `bivalve_objective_lower` and `_upper`, and the values
// of terms are those of the best model so far, if there is one. Limits hold for each check of the search.
//
// Errors: as `bivalve_check_assuming`; `ARGUMENT` if there is no such priority.
enum bivalve_answer bivalve_optimize(struct bivalve_solver solver,
                                     uint32_t priority,
                                     uintptr_t count,
                                     const struct bivalve_term *assumptions);

// The least value that the optimum of an objective may have, as the last `bivalve_optimize` found it: `"5"`,
// `"(- 5)"`, a price in lowest terms as `"(/ 1.0 3.0)"`, a floating-point number in SMT-LIB syntax. If it is
// that of `bivalve_objective_upper`, it is the optimum.
//
// Errors: null; `STATE` if there was no such search, or something was changed since, `ARGUMENT` if there is
// no such objective.
const char *bivalve_objective_lower(struct bivalve_solver solver, uintptr_t position);

// The greatest value that the optimum of an objective may have, as `bivalve_objective_lower`.
//
// Errors: as `bivalve_objective_lower`.
const char *bivalve_objective_upper(struct bivalve_solver solver, uintptr_t position);

// Begins to list the values that some terms, bit-vectors and Booleans, have together in models of the
// assertions, each once; `bivalve_next_model` has them. A listing that was begun before ends.
//
// Errors: `SORT` if a term has another sort.
enum bivalve_status bivalve_list_models(struct bivalve_solver solver,
                                        uintptr_t count,
                                        const struct bivalve_term *terms);

// The next values, as constants in the order of the terms: as many as `capacity` into `values`. Sat: there
// they are, in no particular order. Unsat: there are no others. Unknown: whether there are is not decided
// under the limits of the solver, and the next call tries it again. What `bivalve_value` says is void then.
//
// Errors: `STATE` if no listing was begun, or if something was asserted, pushed or popped since.
enum bivalve_answer bivalve_next_model(struct bivalve_solver solver,
                                       struct bivalve_term *values,
                                       uintptr_t capacity);

// How many values some terms, bit-vectors and Booleans, have together in models of the assertions, as
// decimal digits. Whether it is that number is put into `is_exact`; if not, there are so many at least, and
// the limits of the solver were reached.
//
// Errors: null; `SORT` if a term has another sort.
const char *bivalve_count_models(struct bivalve_solver solver,
                                 uintptr_t count,
                                 const struct bivalve_term *terms,
                                 bool *is_exact);

// An interpolant between `count` assertions and all others: a formula that follows from these, contradicts
// the others, and has no symbols but those that both have. No check has to come before it; that it is one
// was checked.
//
// Errors: `ARGUMENT` if a formula is not asserted, `STATE` if both sides have a model together or a limit of
// the solver was reached, `UNSUPPORTED` if there is none that is made of formulas that are there and of
// bits.
struct bivalve_term bivalve_interpolant(struct bivalve_solver solver,
                                        uintptr_t count,
                                        const struct bivalve_term *formulas);

// Interpolants over a tree whose nodes are sets of assertions, all of them together: `sizes` has the numbers
// of formulas in each of the `count` sets, which stand one behind the other in `formulas`, children before
// their parents. `starts` has the position of the first node of the subtree of each; null makes a sequence,
// in which each set is the parent of the one before. For each node but the last, the root, `interpolants`
// gets a formula that follows from the set and the interpolants of its children; with those of its children,
// the root is a contradiction. There have to be `count - 1` places.
//
// Errors: as `bivalve_interpolant`; `ARGUMENT` if assertions are missing, or there is no such tree.
enum bivalve_status bivalve_interpolants(struct bivalve_solver solver,
                                         uintptr_t count,
                                         const uintptr_t *sizes,
                                         const uintptr_t *starts,
                                         const struct bivalve_term *formulas,
                                         struct bivalve_term *interpolants);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BIVALVE_H */
