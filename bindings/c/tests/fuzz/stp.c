/* Every function of stp/c_interface.h with arguments at random: what is wrong is told to the function of
 * vc_registerErrorHandler, and the call returns. */
#include "stp/c_interface.h"
#include "fuzz.h"

LIST(VC, vc)
LIST(Expr, expr)
LIST(Type, type)
LIST(WholeCounterExample, example)

static unsigned long errors;

static void told(const char *message)
{
  errors++;
  EXPECT(strncmp(message, "[bivalve] ", 10) == 0);
  if (strstr(message, "internal: ") != NULL || strstr(message, "internal error") != NULL) check_failed(__FILE__, __LINE__, message);
}

static void *made_up(void)
{
  return (void *)(uintptr_t)(rarely(2) ? any() : (uint64_t)(7 + below(6)) << 60 | (uint64_t)below(6) << 32 | below(200));
}

#define PICK(name)                                                                             \
  static void *name(void)                                                                      \
  {                                                                                            \
    switch (below(60))                                                                         \
    {                                                                                          \
      case 0: return NULL;                                                                     \
      case 1: return made_up();                                                                \
      case 2: return kept_expr();                                                              \
      default: return kept_##name();                                                           \
    }                                                                                          \
  }

PICK(vc)
PICK(expr)
PICK(type)
PICK(example)

typedef Expr (*unary)(VC, Expr);
typedef Expr (*binary)(VC, Expr, Expr);
typedef Expr (*sized)(VC, int, Expr, Expr);
typedef Expr (*shift)(VC, int, Expr);
typedef Expr (*indexed)(VC, Expr, int);
typedef bool (*backend)(VC);
typedef void (*plain)(VC);
typedef int (*measure)(Expr);

#define ONE_OF(table) ((table)[below(sizeof(table) / sizeof *(table))])

static const unary unaries[] = {vc_notExpr, vc_boolToBVExpr, vc_bvUMinusExpr, vc_bvNotExpr, vc_simplify,
  vc_getCounterExample};
static const binary binaries[] = {vc_eqExpr, vc_eqExpr, vc_andExpr, vc_orExpr, vc_xorExpr, vc_impliesExpr, vc_iffExpr,
  vc_readExpr, vc_bvConcatExpr, vc_bv32PlusExpr, vc_bv32MinusExpr, vc_bv32MultExpr, vc_bvLtExpr, vc_bvLeExpr,
  vc_bvGtExpr, vc_bvGeExpr, vc_sbvLtExpr, vc_sbvLeExpr, vc_sbvGtExpr, vc_sbvGeExpr, vc_bvAndExpr, vc_bvOrExpr,
  vc_bvXorExpr, vc_bvVar32LeftShiftExpr, vc_bvVar32RightShiftExpr, vc_bvVar32DivByPowOfTwoExpr, vc_paramBoolExpr};
static const sized sizeds[] = {vc_bvPlusExpr, vc_bvMinusExpr, vc_bvMultExpr, vc_bvDivExpr, vc_bvModExpr,
  vc_sbvDivExpr, vc_sbvModExpr, vc_sbvRemExpr, vc_bvLeftShiftExprExpr, vc_bvRightShiftExprExpr,
  vc_bvSignedRightShiftExprExpr};
static const shift shifts[] = {vc_bvLeftShiftExpr, vc_bvRightShiftExpr, vc_bv32LeftShiftExpr, vc_bv32RightShiftExpr};
static const indexed indexeds[] = {vc_bvBoolExtract, vc_bvBoolExtract_Zero, vc_bvBoolExtract_One, vc_bvSignExtend};
static const backend backends[] = {vc_supportsMinisat, vc_useMinisat, vc_isUsingMinisat,
  vc_supportsSimplifyingMinisat, vc_useSimplifyingMinisat, vc_isUsingSimplifyingMinisat, vc_supportsCryptominisat,
  vc_useCryptominisat, vc_isUsingCryptominisat};
static const plain plains[] = {vc_push, vc_push, vc_pop, vc_pop, vc_printCounterExample, vc_printVarDecls,
  vc_clearDecls, vc_printQuery, make_division_total};
static const measure measures[] = {vc_isBool, getDegree, getBVLength, getVWidth, getIWidth, getExprID, getBVInt};

/* Wide expressions are made, but not built upon, so that a run stays short. */
static void note_expr(Expr made)
{
  if (made == NULL) return;
  if (getType(made) != BITVECTOR_TYPE || getBVLength(made) < 100) keep_expr(made);
}

static void note_type(Type made)
{
  if (made != NULL) keep_type(made);
}

/* The width of an expression, mostly: what an operator with a width asks for. */
static int width_of(Expr e)
{
  return rarely(9) || e == NULL || getType(e) != BITVECTOR_TYPE ? (int)number() : getBVLength(e);
}

static void leaf_call(VC vc)
{
  switch (below(20))
  {
    case 0: note_type(vc_boolType(vc)); break;
    case 1:
    case 2: note_type(vc_bvType(vc, (int)number())); break;
    case 3: note_type(vc_bv32Type(vc)); break;
    case 4: note_type(vc_arrayType(vc, type(), type())); break;
    case 5: note_type(vc_getType(vc, expr())); break;
    case 6:
    case 7:
    case 8: note_expr(vc_varExpr(vc, text(), type())); break;
    case 9: note_expr(vc_varExpr1(vc, text(), rarely(2) ? 0 : (int)number(), (int)number())); break;
    case 10: note_expr(rarely(2) ? vc_trueExpr(vc) : vc_falseExpr(vc)); break;
    case 11: note_expr(vc_bvConstExprFromDecStr(vc, (int)number(), text())); break;
    case 12: note_expr(vc_bvConstExprFromStr(vc, text())); break;
    case 13: note_expr(vc_bvConstExprFromInt(vc, (int)number(), below(20))); break;
    case 14: note_expr(vc_bvConstExprFromLL(vc, (int)number(), any())); break;
    case 15: note_expr(vc_bv32ConstExprFromInt(vc, (unsigned)any())); break;
    default: note_expr(vc_bvCreateMemoryArray(vc, text()));
  }
}

static void operator_call(VC vc)
{
  Expr left = expr(), children[2] = {left, expr()};
  switch (below(14))
  {
    case 0: note_expr(ONE_OF(unaries)(vc, left)); break;
    case 1: note_expr(vc_andExprN(vc, rarely(9) ? NULL : children, (int)below(4) - 1)); break;
    case 2: note_expr(vc_orExprN(vc, rarely(9) ? NULL : children, (int)below(3))); break;
    case 3: note_expr(vc_bvPlusExprN(vc, width_of(left), rarely(9) ? NULL : children, (int)below(3))); break;
    case 4: note_expr(vc_iteExpr(vc, expr(), expr(), expr())); break;
    case 5: note_expr(vc_writeExpr(vc, expr(), expr(), expr())); break;
    case 6: note_expr(ONE_OF(shifts)(vc, (int)number(), left)); break;
    case 7: note_expr(ONE_OF(indexeds)(vc, left, (int)number())); break;
    case 8: note_expr(vc_bvExtract(vc, left, (int)number(), (int)below(4))); break;
    case 9: note_expr(vc_bvReadMemoryArray(vc, left, expr(), (int)number())); break;
    case 10: note_expr(vc_bvWriteToMemoryArray(vc, left, expr(), expr(), (int)below(4))); break;
    case 11: note_expr(ONE_OF(sizeds)(vc, width_of(left), left, rarely(2) ? left : expr())); break;
    default: note_expr(ONE_OF(binaries)(vc, left, expr()));
  }
}

static void look(VC vc)
{
  char *found;
  switch (below(12))
  {
    case 0: (void)ONE_OF(measures)(expr()); break;
    case 1: (void)getBVUnsigned(expr()); break;
    case 2: (void)getBVUnsignedLongLong(expr()); break;
    case 3: note_expr(getChild(expr(), (int)number())); break;
    case 4: (void)getExprKind(expr()); break;
    case 5: (void)exprName(expr()); break;
    case 6: (void)vc_getBVLength(vc, expr()); break;
    case 7: vc_DeleteExpr(expr()); break;
    default:
      found = rarely(3) ? exprString(expr()) : rarely(2) ? typeString(type()) : vc_printSMTLIB(vc, expr());
      EXPECT(found == NULL || *found != 0);
      free(found);
  }
}

static void text_call(VC vc)
{
  Expr query = NULL, asserts = NULL;
  char *buffer = NULL;
  unsigned long length = 0, *place = rarely(9) ? NULL : &length;
  switch (below(14))
  {
    case 0: (void)vc_parseMemExpr(vc, text(), rarely(9) ? NULL : &query, rarely(9) ? NULL : &asserts); break;
    case 1: note_expr(vc_parseExpr(vc, text())); break;
    case 2: vc_printExpr(vc, expr()); break;
    case 3: vc_printExprFile(vc, expr(), rarely(2) ? 1 : -1); break;
    case 4: vc_printCounterExampleFile(vc, rarely(2) ? 1 : 1000000); break;
    case 5: vc_printExprCCode(vc, expr()); break;
    case 6: vc_printAsserts(vc, 0); break;
    case 7: (void)vc_getHashQueryStateToBuffer(vc, expr()); break;
    case 8: vc_printExprToBuffer(vc, expr(), rarely(9) ? NULL : &buffer, place); break;
    case 9: vc_printCounterExampleToBuffer(vc, rarely(9) ? NULL : &buffer, place); break;
    case 10: vc_printQueryStateToBuffer(vc, expr(), rarely(9) ? NULL : &buffer, place, 0); break;
    default: ONE_OF(plains)(vc);
  }
  note_expr(query);
  note_expr(asserts);
  EXPECT(buffer == NULL || place == NULL || strlen(buffer) <= length);
  free(buffer);
}

static void solver_call(VC vc)
{
  Expr *indices = NULL, *values = NULL;
  int size = 0;
  WholeCounterExample whole;
  switch (below(14))
  {
    case 0:
    case 1: vc_assertFormula(vc, expr()); break;
    case 2:
    case 3: (void)vc_query(vc, expr()); break;
    case 4:
    case 5: (void)vc_query_with_timeout(vc, expr(), (int)below(30)); break;
    case 6:
      vc_getCounterExampleArray(vc, expr(), rarely(9) ? NULL : &indices, &values, &size);
      for (int at = 0; indices != NULL && at < size; at++) note_expr(indices[at]);
      free(indices);
      free(values);
      break;
    case 7: (void)vc_counterexample_size(vc); break;
    case 8:
      whole = vc_getWholeCounterExample(vc);
      if (whole != NULL) keep_example(whole);
      break;
    case 9: note_expr(vc_getTermFromCounterExample(vc, expr(), example())); break;
    case 10: vc_deleteWholeCounterExample(example()); break;
    case 11: (void)ONE_OF(backends)(vc); break;
    case 12: vc_setFlag(vc, 'a'); break;
    default: rarely(2) ? vc_setFlags(vc, 'm', 1) : vc_setInterfaceFlags(vc, MS, 1);
  }
}

static VC made(void)
{
  VC vc = vc_createValidityChecker();
  EXPECT(vc != NULL);
  keep_vc(vc);
  keep_type(vc_bvType(vc, 8));
  keep_expr(vc_trueExpr(vc));
  return vc;
}

static void call(void)
{
  VC checker = rarely(30) ? vc() : vc_list[(vc_count - 1) % KEPT];
  unsigned long before = errors;
  switch (below(18))
  {
    case 0:
    case 1:
    case 2:
    case 3: leaf_call(checker); break;
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
    case 10: operator_call(checker); break;
    case 11:
    case 12: look(checker); break;
    case 13: text_call(checker); break;
    case 14:
    case 15:
    case 16: solver_call(checker); break;
    default:
      if (rarely(20))
      {
        vc_Destroy(checker);
        made();
      }
  }
  calls++;
  refused += errors > before;
}

int main(int argc, char **argv)
{
  /* What is printed is of no interest. */
  EXPECT(freopen("/dev/null", "w", stdout) != NULL);
  vc_registerErrorHandler(told);
  keep_example(NULL);
  made();
  run(argc, argv);
  for (unsigned long at = 0; at < vc_count && at < KEPT; at++) vc_Destroy(vc_list[at]);
  return 0;
}
