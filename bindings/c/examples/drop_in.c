/* Both drop-in headers, over one library: a small question through each. It ends with 0 if all goes as it says. */
#include <stdlib.h>
#include <string.h>

#include "boolector.h"
#include "stp/c_interface.h"

static int complaints = 0;
static void complain(const char *message)
{
  complaints++;
  printf("%s", message);
}

#define EXPECT(condition)                                                   \
  do                                                                        \
  {                                                                         \
    if (!(condition))                                                       \
    {                                                                       \
      fprintf(stderr, "drop_in.c:%d: %s\n", __LINE__, #condition);          \
      return 1;                                                             \
    }                                                                       \
  } while (0)

static int boolector(void)
{
  Btor *btor = boolector_new();
  boolector_set_opt(btor, BTOR_OPT_MODEL_GEN, 1);
  boolector_set_opt(btor, BTOR_OPT_INCREMENTAL, 1);
  BoolectorSort byte = boolector_bitvec_sort(btor, 8), memory = boolector_array_sort(btor, byte, byte);
  BoolectorNode *x = boolector_var(btor, byte, "x"), *a = boolector_array(btor, memory, "a");
  BoolectorNode *param = boolector_param(btor, byte, "n");
  BoolectorNode *square = boolector_mul(btor, param, param);
  BoolectorNode *function = boolector_fun(btor, &param, 1, square);
  BoolectorNode *applied = boolector_apply(btor, &x, 1, function);
  BoolectorNode *wanted = boolector_unsigned_int(btor, 0x51, byte), *seven = boolector_int(btor, 7, byte);
  BoolectorNode *equal = boolector_eq(btor, applied, wanted), *read = boolector_read(btor, a, seven);
  BoolectorNode *holds = boolector_eq(btor, read, x), *small = boolector_ult(btor, x, seven);
  boolector_assert(btor, equal);
  boolector_assert(btor, holds);
  boolector_assume(btor, small);
  EXPECT(boolector_sat(btor) == BOOLECTOR_UNSAT && boolector_failed(btor, small));
  EXPECT(boolector_get_failed_assumptions(btor)[0] == small && boolector_get_failed_assumptions(btor)[1] == NULL);
  EXPECT(boolector_sat(btor) == BOOLECTOR_SAT);
  const char *value = boolector_bv_assignment(btor, x);
  unsigned long root = strtoul(value, NULL, 2);
  EXPECT(strlen(value) == 8 && root * root % 256 == 0x51);
  char **indices, **values;
  uint32_t size;
  boolector_array_assignment(btor, a, &indices, &values, &size);
  EXPECT(size >= 1 && (!strcmp(values[0], value) || !strcmp(values[size - 1], value)));
  boolector_free_array_assignment(btor, indices, values, size);
  boolector_free_bv_assignment(btor, value);
  boolector_print_model(btor, "smt2", stdout);
  boolector_dump_btor(btor, stdout);
  /* What is wrong is said through the callback. */
  boolector_set_abort(complain);
  EXPECT(boolector_add(btor, x, small) == NULL && complaints == 1);
  EXPECT(boolector_eq(btor, function, x) == NULL && boolector_sat(NULL) == -1 && complaints == 3);
  boolector_free_bv_assignment(btor, value);
  EXPECT(complaints == 4);
  boolector_release(btor, small);
  boolector_release(btor, small);
  EXPECT(complaints == 5 && boolector_get_refs(btor) == 13);
  boolector_release_all(btor);
  boolector_delete(btor);
  boolector_delete(btor);
  EXPECT(complaints == 6);
  return 0;
}

static int stp(void)
{
  VC vc = vc_createValidityChecker();
  Expr memory = vc_bvCreateMemoryArray(vc, "m"), x = vc_varExpr(vc, "x", vc_bv32Type(vc));
  Expr at = vc_bv32ConstExprFromInt(vc, 4);
  Expr written = vc_bvWriteToMemoryArray(vc, memory, at, x, 4);
  /* What was written is read, and its lowest byte comes first. */
  EXPECT(vc_query(vc, vc_eqExpr(vc, vc_bvReadMemoryArray(vc, written, at, 4), x)) == 1);
  EXPECT(vc_query(vc, vc_eqExpr(vc, vc_readExpr(vc, written, at), vc_bvExtract(vc, x, 7, 0))) == 1);
  vc_push(vc);
  vc_assertFormula(vc, vc_bvGtExpr(vc, x, vc_bv32ConstExprFromInt(vc, 41)));
  EXPECT(vc_query(vc, vc_bvGtExpr(vc, x, vc_bv32ConstExprFromInt(vc, 42))) == 0);
  vc_pop(vc);
  Expr found = vc_getCounterExample(vc, x);
  EXPECT(getExprKind(found) == BVCONST && getBVUnsigned(found) == 42 && getType(x) == BITVECTOR_TYPE);
  WholeCounterExample kept = vc_getWholeCounterExample(vc);
  Expr query, asserts;
  EXPECT(vc_parseMemExpr(vc, "x : BITVECTOR(32); ASSERT(x = 0hex00000005); QUERY(BVLT(x, 0hex00000006));", &query,
                         &asserts) == 1);
  EXPECT(vc_query(vc, vc_impliesExpr(vc, asserts, query)) == 1);
  EXPECT(getBVUnsigned(vc_getTermFromCounterExample(vc, x, kept)) == 42);
  vc_deleteWholeCounterExample(kept);
  Expr part = vc_bvExtract(vc, x, 3, 1), wide = vc_bvSignExtend(vc, x, 40);
  EXPECT(getDegree(part) == 3 && getChild(part, 0) == x && getDegree(wide) == 2 && getBVInt(getChild(wide, 1)) == 40);
  EXPECT(getBVInt(getChild(part, 1)) == 3 && getBVInt(getChild(part, 2)) == 1 && getBVLength(getChild(part, 2)) == 32);
  char *text = exprString(vc_bvPlusExpr(vc, 32, x, at));
  printf("%s\n", text);
  free(text);
  complaints = 0;
  vc_registerErrorHandler(complain);
  EXPECT(vc_bvPlusExpr(vc, 8, x, at) == NULL && vc_getCounterExample(vc, x) == NULL && complaints == 2);
  EXPECT(vc_bvConstExprFromInt(vc, -3, 1) == NULL && getBVInt(x) == -1 && complaints == 4);
  vc_Destroy(vc);
  EXPECT(getDegree(x) == -1 && complaints == 5);
  return 0;
}

int main(void) { return boolector() || stp(); }
