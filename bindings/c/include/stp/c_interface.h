/* The C interface of STP, for programs that are linked with Bivalve in its place.
 *
 * Written from the documented behaviour. Handles are numbers that look like pointers, and wrong ones are recognised.
 * Expressions and types live as long as their checker; variables of one name are one variable. Division by zero is
 * that of SMT-LIB. Texts are in SMT-LIB syntax, where STP writes its own language; that language is read.
 *
 * Refused, with an error: vc_paramBoolExpr, vc_printExprCCode, vc_getHashQueryStateToBuffer. Not here: floating point
 * and uninterpreted functions of later versions of STP, nodes as C++ objects, SAT solvers by name (vc_use... and
 * vc_supports... say no). Flags are taken, and change nothing.
 *
 * An error calls the function of vc_registerErrorHandler with a message; without one the message is written to
 * standard error and the process exits with 1. The function may throw an exception of C++. If it returns, the call
 * returns NULL or zero, and -1 where it returns an int. A checker belongs to the thread that made it.
 */
#ifndef BIVALVE_STP_C_INTERFACE_H
#define BIVALVE_STP_C_INTERFACE_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
#define BIVALVE_STP_DEFAULT(value) = value
extern "C" {
#else
#define BIVALVE_STP_DEFAULT(value)
#endif

typedef void *VC;
typedef void *Expr;
typedef void *Type;
typedef void *WholeCounterExample;

/* Checkers. vc_Destroy frees a checker with all its expressions, types and counterexamples. */
VC vc_createValidityChecker(void);
void vc_Destroy(VC vc);
void vc_registerErrorHandler(void (*handler)(const char *message));
enum ifaceflag_t
{
  EXPRDELETE,
  MS,
  SMS,
  CMS2,
  CMS4,
  MSP
};
void vc_setFlags(VC vc, char flag, int number BIVALVE_STP_DEFAULT(0));
void vc_setFlag(VC vc, char flag);
void vc_setInterfaceFlags(VC vc, enum ifaceflag_t flag, int value);
void make_division_total(VC vc);
bool vc_supportsMinisat(VC vc);
bool vc_useMinisat(VC vc);
bool vc_isUsingMinisat(VC vc);
bool vc_supportsSimplifyingMinisat(VC vc);
bool vc_useSimplifyingMinisat(VC vc);
bool vc_isUsingSimplifyingMinisat(VC vc);
bool vc_supportsCryptominisat(VC vc);
bool vc_useCryptominisat(VC vc);
bool vc_isUsingCryptominisat(VC vc);

/* Types. Arrays are from bit-vectors to bit-vectors. */
Type vc_boolType(VC vc);
Type vc_bvType(VC vc, int bits);
Type vc_bv32Type(VC vc);
Type vc_arrayType(VC vc, Type index, Type element);
Type vc_getType(VC vc, Expr e);
int vc_getBVLength(VC vc, Expr e);

/* Variables. Widths of vc_varExpr1: no index for bit-vectors, neither for formulas. */
Expr vc_varExpr(VC vc, const char *name, Type type);
Expr vc_varExpr1(VC vc, const char *name, int index_width, int value_width);

/* Formulas. Lists have at least one member. */
Expr vc_eqExpr(VC vc, Expr left, Expr right);
Expr vc_trueExpr(VC vc);
Expr vc_falseExpr(VC vc);
Expr vc_notExpr(VC vc, Expr formula);
Expr vc_andExpr(VC vc, Expr left, Expr right);
Expr vc_andExprN(VC vc, Expr *children, int count);
Expr vc_orExpr(VC vc, Expr left, Expr right);
Expr vc_orExprN(VC vc, Expr *children, int count);
Expr vc_xorExpr(VC vc, Expr left, Expr right);
Expr vc_impliesExpr(VC vc, Expr premise, Expr conclusion);
Expr vc_iffExpr(VC vc, Expr left, Expr right);
Expr vc_iteExpr(VC vc, Expr condition, Expr then_part, Expr else_part);
Expr vc_boolToBVExpr(VC vc, Expr formula);
Expr vc_paramBoolExpr(VC vc, Expr variable, Expr parameter);

/* Arrays. */
Expr vc_readExpr(VC vc, Expr array, Expr index);
Expr vc_writeExpr(VC vc, Expr array, Expr index, Expr value);

/* Texts. What is returned as char * or put into a buffer is freed by the program with free(). */
Expr vc_parseExpr(VC vc, const char *file);
int vc_parseMemExpr(VC vc, const char *text, Expr *query, Expr *asserts);
void vc_printExpr(VC vc, Expr e);
void vc_printExprCCode(VC vc, Expr e);
char *vc_printSMTLIB(VC vc, Expr e);
void vc_printExprFile(VC vc, Expr e, int descriptor);
void vc_printExprToBuffer(VC vc, Expr e, char **buffer, unsigned long *length);
void vc_printCounterExample(VC vc);
void vc_printCounterExampleFile(VC vc, int descriptor);
void vc_printCounterExampleToBuffer(VC vc, char **buffer, unsigned long *length);
void vc_printVarDecls(VC vc);
void vc_clearDecls(VC vc);
void vc_printAsserts(VC vc, int simplify BIVALVE_STP_DEFAULT(0));
void vc_printQueryStateToBuffer(VC vc, Expr e, char **buffer, unsigned long *length, int simplify);
void vc_printQuery(VC vc);
char *exprString(Expr e);
char *typeString(Type t);

/* Questions: 1 if a formula follows from what is asserted, 0 if not, 3 if that was not decided in time. */
void vc_assertFormula(VC vc, Expr formula);
Expr vc_simplify(VC vc, Expr e);
int vc_query(VC vc, Expr formula);
int vc_query_with_timeout(VC vc, Expr formula, int milliseconds);
void vc_push(VC vc);
void vc_pop(VC vc);
int vc_getHashQueryStateToBuffer(VC vc, Expr query);

/* Counterexamples, after the answer 0, until the next question; a whole one until it is deleted. The lists of
 * vc_getCounterExampleArray are freed by the program. */
Expr vc_getCounterExample(VC vc, Expr e);
void vc_getCounterExampleArray(VC vc, Expr e, Expr **indices, Expr **values, int *size);
int vc_counterexample_size(VC vc);
WholeCounterExample vc_getWholeCounterExample(VC vc);
Expr vc_getTermFromCounterExample(VC vc, Expr e, WholeCounterExample c);
void vc_deleteWholeCounterExample(WholeCounterExample c);

/* Constants. A number that does not fit is an error. */
Expr vc_bvConstExprFromDecStr(VC vc, int width, const char *digits);
Expr vc_bvConstExprFromStr(VC vc, const char *binary_digits);
Expr vc_bvConstExprFromInt(VC vc, int width, unsigned int value);
Expr vc_bvConstExprFromLL(VC vc, int width, unsigned long long value);
Expr vc_bv32ConstExprFromInt(VC vc, unsigned int value);
int getBVInt(Expr e);
unsigned int getBVUnsigned(Expr e);
unsigned long long int getBVUnsignedLongLong(Expr e);

/* Operators of bit-vectors. Where a width is said, operands have it. */
Expr vc_bvConcatExpr(VC vc, Expr left, Expr right);
Expr vc_bvPlusExpr(VC vc, int width, Expr left, Expr right);
Expr vc_bvPlusExprN(VC vc, int width, Expr *children, int count);
Expr vc_bv32PlusExpr(VC vc, Expr left, Expr right);
Expr vc_bvMinusExpr(VC vc, int width, Expr left, Expr right);
Expr vc_bv32MinusExpr(VC vc, Expr left, Expr right);
Expr vc_bvMultExpr(VC vc, int width, Expr left, Expr right);
Expr vc_bv32MultExpr(VC vc, Expr left, Expr right);
Expr vc_bvDivExpr(VC vc, int width, Expr left, Expr right);
Expr vc_bvModExpr(VC vc, int width, Expr left, Expr right);
Expr vc_sbvDivExpr(VC vc, int width, Expr left, Expr right);
Expr vc_sbvModExpr(VC vc, int width, Expr left, Expr right);
Expr vc_sbvRemExpr(VC vc, int width, Expr left, Expr right);
Expr vc_bvLtExpr(VC vc, Expr left, Expr right);
Expr vc_bvLeExpr(VC vc, Expr left, Expr right);
Expr vc_bvGtExpr(VC vc, Expr left, Expr right);
Expr vc_bvGeExpr(VC vc, Expr left, Expr right);
Expr vc_sbvLtExpr(VC vc, Expr left, Expr right);
Expr vc_sbvLeExpr(VC vc, Expr left, Expr right);
Expr vc_sbvGtExpr(VC vc, Expr left, Expr right);
Expr vc_sbvGeExpr(VC vc, Expr left, Expr right);
Expr vc_bvUMinusExpr(VC vc, Expr e);
Expr vc_bvAndExpr(VC vc, Expr left, Expr right);
Expr vc_bvOrExpr(VC vc, Expr left, Expr right);
Expr vc_bvXorExpr(VC vc, Expr left, Expr right);
Expr vc_bvNotExpr(VC vc, Expr e);
Expr vc_bvLeftShiftExprExpr(VC vc, int width, Expr left, Expr right);
Expr vc_bvRightShiftExprExpr(VC vc, int width, Expr left, Expr right);
Expr vc_bvSignedRightShiftExprExpr(VC vc, int width, Expr left, Expr right);

/* Shifts by numbers: vc_bvLeftShiftExpr puts zeros behind, so that its result is wider; the others keep the width, or
 * have 32 bits. */
Expr vc_bvLeftShiftExpr(VC vc, int amount, Expr e);
Expr vc_bvRightShiftExpr(VC vc, int amount, Expr e);
Expr vc_bv32LeftShiftExpr(VC vc, int amount, Expr e);
Expr vc_bv32RightShiftExpr(VC vc, int amount, Expr e);
Expr vc_bvVar32LeftShiftExpr(VC vc, Expr amount, Expr e);
Expr vc_bvVar32RightShiftExpr(VC vc, Expr amount, Expr e);
Expr vc_bvVar32DivByPowOfTwoExpr(VC vc, Expr e, Expr power);

/* Bits. vc_bvBoolExtract and vc_bvBoolExtract_Zero: is it zero? vc_bvSignExtend: to so many bits in all. */
Expr vc_bvExtract(VC vc, Expr e, int high, int low);
Expr vc_bvBoolExtract(VC vc, Expr e, int bit);
Expr vc_bvBoolExtract_Zero(VC vc, Expr e, int bit);
Expr vc_bvBoolExtract_One(VC vc, Expr e, int bit);
Expr vc_bvSignExtend(VC vc, Expr e, int width);

/* Memories: arrays of bytes with indices of 32 bits, the lowest byte first. */
Expr vc_bvCreateMemoryArray(VC vc, const char *name);
Expr vc_bvReadMemoryArray(VC vc, Expr array, Expr index, int bytes);
Expr vc_bvWriteToMemoryArray(VC vc, Expr array, Expr index, Expr element, int bytes);

/* Looking at expressions. vc_isBool: 1 for true, 0 for false, -1 for anything else. The children of an extraction are
 * an expression, its highest and its lowest bit, those of an extension an expression and the width of the result; bits
 * and widths are constants of 32 bits. */
enum exprkind_t
{
  UNDEFINED, SYMBOL, BVCONST, BVNEG, BVCONCAT, BVOR, BVAND, BVXOR, BVNAND, BVNOR, BVXNOR, BVEXTRACT, BVLEFTSHIFT,
  BVRIGHTSHIFT, BVSRSHIFT, BVVARSHIFT, BVPLUS, BVSUB, BVUMINUS, BVMULTINVERSE, BVMULT, BVDIV, BVMOD, SBVDIV, SBVREM,
  SBVMOD, BVSX, BVZX, ITE, BOOLEXTRACT, BVLT, BVLE, BVGT, BVGE, BVSLT, BVSLE, BVSGT, BVSGE, EQ, FALSE, TRUE, NOT, AND,
  OR, NAND, NOR, XOR, IFF, IMPLIES, PARAMBOOL, READ, WRITE, ARRAY, BITVECTOR, BOOLEAN
};
enum type_t
{
  BOOLEAN_TYPE = 0,
  BITVECTOR_TYPE,
  ARRAY_TYPE,
  UNKNOWN_TYPE
};
int vc_isBool(Expr e);
Expr getChild(Expr e, int position);
int getDegree(Expr e);
enum exprkind_t getExprKind(Expr e);
enum type_t getType(Expr e);
int getBVLength(Expr e);
int getVWidth(Expr e);
int getIWidth(Expr e);
const char *exprName(Expr e);
int getExprID(Expr e);
void vc_DeleteExpr(Expr e);

#ifdef __cplusplus
}
#endif

#undef BIVALVE_STP_DEFAULT

#endif
