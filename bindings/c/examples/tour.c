/* A tour of bivalve.h: small programs one after the other, as crates/solver/examples/tour. It ends with 0 if all of
 * them go as they say, and names the first line that does not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bivalve.h"

#define EXPECT(condition)                                                            \
  do                                                                                 \
  {                                                                                  \
    if (!(condition))                                                                \
    {                                                                                \
      fprintf(stderr, "tour.c:%d: %s (%s)\n", __LINE__, #condition, bivalve_error()); \
      return 1;                                                                      \
    }                                                                                \
  } while (0)

static int quickstart(bivalve_manager m)
{
  bivalve_sort byte = bivalve_sort_bv(m, 8);
  bivalve_term x = bivalve_mk_symbol(m, "x", byte), y = bivalve_mk_symbol(m, "y", byte);
  bivalve_term a = bivalve_mk_symbol(m, "a", bivalve_sort_array(m, byte, byte));
  bivalve_solver s = bivalve_solver_new(m);
  uint64_t vx = 0, vy = 0;
  /* x + 2 < y, without overflow, and a[x] = y. */
  bivalve_term sum = bivalve_mk2(BIVALVE_KIND_BV_ADD, x, bivalve_mk_bv(m, 2, 8));
  EXPECT(bivalve_assert(s, bivalve_mk2(BIVALVE_KIND_BV_ULT, sum, y)) == BIVALVE_STATUS_OK);
  bivalve_term over = bivalve_mk2(BIVALVE_KIND_BV_UADDO, x, bivalve_mk_bv(m, 2, 8));
  EXPECT(bivalve_assert(s, bivalve_mk1(BIVALVE_KIND_NOT, over)) == BIVALVE_STATUS_OK);
  bivalve_term read = bivalve_mk2(BIVALVE_KIND_SELECT, a, x);
  EXPECT(bivalve_assert(s, bivalve_mk2(BIVALVE_KIND_EQ, read, y)) == BIVALVE_STATUS_OK);
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_SAT);
  EXPECT(bivalve_value_u64(s, x, &vx) == BIVALVE_STATUS_OK && bivalve_value_u64(s, y, &vy) == BIVALVE_STATUS_OK);
  EXPECT(vx + 2 < vy && vy < 256);
  EXPECT(strlen(bivalve_value_digits(s, x, 2)) == 8 && strlen(bivalve_value_digits(s, x, 16)) == 2);
  /* The array has the value of y at x. */
  bivalve_term at = {0}, what = {0};
  size_t count = 0, found = 0;
  EXPECT(bivalve_value_entry_count(s, a, &count) == BIVALVE_STATUS_OK);
  for (size_t i = 0; i < count; i++)
  {
    uint64_t index = 0, element = 0;
    EXPECT(bivalve_value_entry(s, a, i, &at, 1, &what) == BIVALVE_STATUS_OK);
    EXPECT(bivalve_constant_u64(at, &index) == BIVALVE_STATUS_OK);
    EXPECT(bivalve_constant_u64(what, &element) == BIVALVE_STATUS_OK);
    found += index == vx && element == vy;
  }
  uint64_t rest = 0;
  EXPECT(bivalve_constant_u64(bivalve_value_default(s, a), &rest) == BIVALVE_STATUS_OK);
  EXPECT(found == 1 || rest == vy);
  printf("x + 2 < y: sat\n");
  return bivalve_solver_free(s);
}

static int floats(bivalve_manager m)
{
  bivalve_sort single = bivalve_sort_float(m, 8, 24), mode = bivalve_sort_rounding_mode(m);
  bivalve_term x = bivalve_mk_symbol(m, "price", single), r = bivalve_mk_symbol(m, "rounding", mode);
  bivalve_term tenth = bivalve_mk_float(m, single, "0.1", BIVALVE_ROUNDING_NEAREST_EVEN);
  bivalve_solver s = bivalve_solver_new(m);
  double value = 0;
  uint64_t bits = 0;
  EXPECT(bivalve_constant_double(tenth, &value) == BIVALVE_STATUS_OK && (float)value == 0.1f);
  EXPECT(bivalve_mk_double(m, single, 0.1f).id == tenth.id && bivalve_mk_float_bits(m, single, "3dcccccd", 16).id == tenth.id);
  EXPECT(bivalve_sort_kind(single) == BIVALVE_SORT_TAG_FLOAT && bivalve_sort_exponent_bits(single) == 8);
  /* x / 10 rounded as r says is a little less than 0.1 for x = 1, so r is not to the nearest. */
  bivalve_term quotient = bivalve_mk3(BIVALVE_KIND_FP_DIV, r, x, bivalve_mk_double(m, single, 10));
  bivalve_assert(s, bivalve_mk2(BIVALVE_KIND_EQ, x, bivalve_mk_double(m, single, 1)));
  bivalve_assert(s, bivalve_mk2(BIVALVE_KIND_FP_LT, quotient, tenth));
  bivalve_assert(s, bivalve_mk2(BIVALVE_KIND_DISTINCT, r, bivalve_mk_rounding_mode(m, BIVALVE_ROUNDING_DOWN)));
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_SAT);
  EXPECT(bivalve_value_double(s, quotient, &value) == BIVALVE_STATUS_OK && (float)value < 0.1f);
  EXPECT(bivalve_value_u64(s, quotient, &bits) == BIVALVE_STATUS_OK && bits == 0x3dcccccc);
  EXPECT(bivalve_value_u64(s, r, &bits) == BIVALVE_STATUS_OK && bits == BIVALVE_ROUNDING_ZERO);
  EXPECT(strcmp(bivalve_value_digits(s, quotient, 16), "3dcccccc") == 0);
  /* An integer, cut off as a cast in C does. */
  uint32_t width = 32;
  bivalve_term cast[] = {bivalve_mk_rounding_mode(m, BIVALVE_ROUNDING_ZERO), bivalve_mk_double(m, single, -2.75)};
  bivalve_term whole = bivalve_mk_indexed(m, BIVALVE_KIND_FP_TO_SBV, 2, cast, 1, &width);
  EXPECT(bivalve_value_u64(s, whole, &bits) == BIVALVE_STATUS_OK && (int32_t)bits == -2);
  EXPECT(bivalve_term_arity(whole) == 2 && bivalve_term_index(whole, 0) == 32);
  EXPECT(bivalve_mk_float(m, single, "1.2.3", 0).id == 0 && bivalve_mk_float(m, single, "1", 5).id == 0);
  printf("1 / 10 < 0.1f: %s\n", bivalve_value_text(s, r));
  return bivalve_solver_free(s);
}

static int quantifiers(bivalve_manager m)
{
  bivalve_sort byte = bivalve_sort_bv(m, 8);
  bivalve_term x = bivalve_mk_symbol(m, "qx", byte), y = bivalve_mk_symbol(m, "qy", byte);
  bivalve_term least = bivalve_forall(bivalve_mk2(BIVALVE_KIND_BV_ULE, x, y), 1, &y);
  bivalve_term parts[] = {y, bivalve_mk2(BIVALVE_KIND_BV_ULE, x, y)};
  EXPECT(bivalve_mk(m, BIVALVE_KIND_FORALL, 2, parts).id == least.id && bivalve_term_argument(least, 0).id == y.id);
  EXPECT(bivalve_forall(x, 1, &y).id == 0 && bivalve_error_code() == BIVALVE_STATUS_SORT);
  EXPECT(bivalve_forall(least, 1, parts + 1).id == 0 && bivalve_error_code() == BIVALVE_STATUS_SORT);
  bivalve_solver s = bivalve_solver_new(m);
  uint64_t value = 0;
  /* x is the least, and y, which is free here, is greater. */
  bivalve_assert(s, least);
  bivalve_assert(s, bivalve_mk2(BIVALVE_KIND_BV_UGT, y, x));
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_SAT && bivalve_value_u64(s, x, &value) == BIVALVE_STATUS_OK && value == 0);
  bivalve_assert(s, bivalve_exists(bivalve_mk2(BIVALVE_KIND_BV_ULT, y, x), 1, &y));
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_UNSAT);
  printf("%s\n", bivalve_term_text(least));
  return bivalve_solver_free(s);
}

static int pushpop(bivalve_manager m)
{
  bivalve_term x = bivalve_mk_symbol(m, "p", bivalve_sort_bv(m, 32));
  bivalve_solver s = bivalve_solver_new(m);
  bivalve_assert(s, bivalve_mk2(BIVALVE_KIND_BV_ULT, x, bivalve_mk_bv(m, 5, 32)));
  EXPECT(bivalve_push(s, 1) == BIVALVE_STATUS_OK);
  bivalve_assert(s, bivalve_mk2(BIVALVE_KIND_BV_UGT, x, bivalve_mk_bv(m, 10, 32)));
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_UNSAT);
  EXPECT(bivalve_pop(s, 1) == BIVALVE_STATUS_OK && bivalve_check(s) == BIVALVE_ANSWER_SAT);
  EXPECT(bivalve_pop(s, 1) == BIVALVE_STATUS_STATE);
  printf("one level too many: %s\n", bivalve_error());
  return bivalve_solver_free(s);
}

static int assumptions_and_cores(bivalve_manager m)
{
  bivalve_sort word = bivalve_sort_bv(m, 32);
  bivalve_term x = bivalve_mk_symbol(m, "u", word), y = bivalve_mk_symbol(m, "v", word);
  bivalve_term zero = bivalve_mk_bv(m, 0, 32), one = bivalve_mk_bv(m, 1, 1);
  bivalve_solver s = bivalve_solver_new(m);
  bivalve_assert(s, bivalve_mk2(BIVALVE_KIND_EQ, bivalve_mk2(BIVALVE_KIND_BV_AND, x, y), zero));
  bivalve_term assumed[3] = {
      bivalve_mk2(BIVALVE_KIND_EQ, bivalve_extract(3, 3, x), one),
      bivalve_mk2(BIVALVE_KIND_BV_UGT, x, bivalve_mk_bv(m, 1000, 32)),
      bivalve_mk2(BIVALVE_KIND_EQ, bivalve_extract(3, 3, y), one),
  };
  EXPECT(bivalve_check_assuming(s, 3, assumed) == BIVALVE_ANSWER_UNSAT);
  EXPECT(bivalve_is_failed(s, assumed[0]) == 1 && bivalve_is_failed(s, assumed[1]) == 0);
  bivalve_term failed[3];
  size_t count = 0;
  EXPECT(bivalve_failed_assumptions(s, failed, 3, &count) == BIVALVE_STATUS_OK && count == 2);
  EXPECT(failed[0].id == assumed[0].id && failed[1].id == assumed[2].id);
  EXPECT(bivalve_set_option(s, "minimize-core", "on") == BIVALVE_STATUS_OK);
  for (int i = 0; i < 3; i++) bivalve_assert_tracked(s, assumed[i]);
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_UNSAT);
  EXPECT(bivalve_unsat_core(s, failed, 3, &count) == BIVALVE_STATUS_OK && count == 2);
  printf("core: %s\n", bivalve_term_text(failed[1]));
  return bivalve_solver_free(s);
}

static int asked(void *count) { return ++*(int *)count > 3; }

static int termination(bivalve_manager m)
{
  bivalve_sort word = bivalve_sort_bv(m, 48);
  bivalve_term x = bivalve_mk_symbol(m, "f", word), y = bivalve_mk_symbol(m, "g", word);
  bivalve_term z = bivalve_mk_symbol(m, "h", word), one = bivalve_mk_bv(m, 1, 48);
  bivalve_term z1 = bivalve_mk2(BIVALVE_KIND_BV_ADD, z, one);
  bivalve_term left = bivalve_mk2(BIVALVE_KIND_BV_MUL, bivalve_mk2(BIVALVE_KIND_BV_MUL, x, y), z1);
  bivalve_term right = bivalve_mk2(BIVALVE_KIND_BV_MUL, x, bivalve_mk2(BIVALVE_KIND_BV_MUL, y, z1));
  bivalve_solver s = bivalve_solver_new(m);
  bivalve_set_option(s, "rewrite-level", "0");
  bivalve_assert(s, bivalve_mk2(BIVALVE_KIND_DISTINCT, left, right));
  /* Limits of steps, then of time, then a callback, then an interrupt. */
  bivalve_set_limits(s, 100, 0, 0);
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_UNKNOWN && !strcmp(bivalve_reason_unknown(s), "resourceout"));
  bivalve_set_limits(s, 0, 0, 50);
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_UNKNOWN && !strcmp(bivalve_reason_unknown(s), "timeout"));
  int count = 0;
  bivalve_set_limits(s, 0, 0, 0);
  bivalve_set_terminate(s, asked, &count);
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_UNKNOWN && !strcmp(bivalve_reason_unknown(s), "interrupted"));
  bivalve_set_terminate(s, NULL, NULL);
  EXPECT(bivalve_interrupt(s) == BIVALVE_STATUS_OK);
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_UNKNOWN && bivalve_clear_interrupt(s) == BIVALVE_STATUS_OK);
  /* An interrupt holds also for a check that would be answered by the model of the one before. */
  bivalve_reset_assertions(s);
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_SAT && bivalve_interrupt(s) == BIVALVE_STATUS_OK);
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_UNKNOWN && bivalve_check(s) == BIVALVE_ANSWER_UNKNOWN);
  EXPECT(bivalve_clear_interrupt(s) == BIVALVE_STATUS_OK && bivalve_check(s) == BIVALVE_ANSWER_SAT);
  printf("stopped five times\n");
  return bivalve_solver_free(s);
}

static int texts(bivalve_manager m)
{
  bivalve_solver s = bivalve_solver_new(m);
  EXPECT(bivalve_parse(s, "(declare-const r (_ BitVec 8)) (assert (= (bvmul r r) #x51)) (assert (bvugt r #x64))") ==
         BIVALVE_STATUS_OK);
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_SAT);
  uint64_t root = 0;
  EXPECT(bivalve_value_u64(s, bivalve_lookup(m, "r"), &root) == BIVALVE_STATUS_OK);
  EXPECT(root > 100 && root * root % 256 == 0x51);
  EXPECT(strstr(bivalve_print(s, "smt2"), "(bvmul r r)") && strstr(bivalve_print(s, "btor2"), " mul "));
  EXPECT(bivalve_parse(s, "(assert (bvult r unknown))") == BIVALVE_STATUS_PARSE);
  printf("%s\n", bivalve_error());
  EXPECT(!strcmp(bivalve_run_script("(check-sat)(echo \"done\")"), "sat\n\"done\"\n"));
  EXPECT(strstr(bivalve_statistics(s), "\"checks\":1"));
  return bivalve_solver_free(s);
}

static int certificates(bivalve_manager m)
{
  bivalve_solver s = bivalve_solver_new(m);
  bivalve_term x = bivalve_mk_symbol(m, "cx", bivalve_sort_bv(m, 32)), y = bivalve_mk_symbol(m, "cy", bivalve_sort_bv(m, 32));
  bivalve_term sum = bivalve_mk2(BIVALVE_KIND_BV_ADD, x, y), twice = bivalve_mk2(BIVALVE_KIND_BV_ADD, x, x);
  EXPECT(bivalve_assert(s, bivalve_mk2(BIVALVE_KIND_EQ, x, y)) == BIVALVE_STATUS_OK);
  EXPECT(bivalve_certificate(s) == NULL && bivalve_error_code() == BIVALVE_STATUS_STATE);
  bivalve_term differ = bivalve_mk2(BIVALVE_KIND_DISTINCT, sum, twice);
  EXPECT(bivalve_check_assuming(s, 1, &differ) == BIVALVE_ANSWER_UNSAT);
  /* A text is there until the next one: both are kept. */
  char script[4096], certificate[16384];
  snprintf(script, sizeof script, "%s", bivalve_certificate_script(s));
  snprintf(certificate, sizeof certificate, "%s", bivalve_certificate(s));
  EXPECT(bivalve_check_certificate(script, certificate) == 1);
  EXPECT(bivalve_check_certificate("(declare-const p Bool) (assert p) (check-sat)", certificate) == -1);
  EXPECT(bivalve_error_code() == BIVALVE_STATUS_PARSE);
  printf("%s\n", bivalve_error());
  return bivalve_solver_free(s);
}

static int explanations(bivalve_manager m)
{
  bivalve_solver s = bivalve_solver_new(m);
  EXPECT(bivalve_explanation(s) == NULL && bivalve_error_code() == BIVALVE_STATUS_STATE);
  EXPECT(bivalve_set_option(s, "rewrite-level", "0") == BIVALVE_STATUS_OK);
  EXPECT(bivalve_parse(s, "(declare-fun ef ((_ BitVec 8)) (_ BitVec 8)) (declare-const ex (_ BitVec 8))"
                          "(declare-const ey (_ BitVec 8)) (assert (= ((_ extract 0 0) ex) #b1))") ==
         BIVALVE_STATUS_OK);
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_SAT && strstr(bivalve_explanation(s), "ex  #b*******1"));
  EXPECT(strstr(bivalve_explanation_json(s), "\"timeline\":[]"));
  EXPECT(bivalve_set_timeline(s, true) == BIVALVE_STATUS_OK);
  EXPECT(bivalve_parse(s, "(assert (= ex ey)) (assert (= (ef ex) #x01)) (assert (= (ef ey) #x02))") ==
         BIVALVE_STATUS_OK);
  EXPECT(bivalve_check(s) == BIVALVE_ANSWER_UNSAT && strstr(bivalve_explanation_json(s), "\"event\":\"phase\""));
  printf("%s", bivalve_explanation(s));
  return bivalve_solver_free(s);
}

static int optima_and_models(bivalve_manager m)
{
  bivalve_sort byte = bivalve_sort_bv(m, 8);
  bivalve_term x = bivalve_mk_symbol(m, "ox", byte), y = bivalve_mk_symbol(m, "oy", byte);
  bivalve_solver s = bivalve_solver_new(m);
  /* Two factors of 42, the lesser one first: those that are closest, then the pairs below 50. */
  bivalve_term product = bivalve_mk2(BIVALVE_KIND_EQ, bivalve_mk2(BIVALVE_KIND_BV_MUL, x, y), bivalve_mk_bv(m, 42, 8));
  bivalve_assert(s, product);
  bivalve_assert(s, bivalve_mk2(BIVALVE_KIND_BV_ULT, x, y));
  EXPECT(bivalve_minimize(s, bivalve_mk2(BIVALVE_KIND_BV_SUB, y, x), false) == BIVALVE_STATUS_OK);
  EXPECT(bivalve_assert_soft(s, bivalve_mk2(BIVALVE_KIND_BV_ULT, y, bivalve_mk_bv(m, 50, 8)), "0.5", NULL) == BIVALVE_STATUS_OK);
  EXPECT(bivalve_optimize(s, BIVALVE_PRIORITY_LEXICOGRAPHIC, 0, NULL) == BIVALVE_ANSWER_SAT);
  uint64_t distance = 0;
  EXPECT(bivalve_value_u64(s, bivalve_mk2(BIVALVE_KIND_BV_SUB, y, x), &distance) == BIVALVE_STATUS_OK && distance == 1);
  EXPECT(!strcmp(bivalve_objective_lower(s, 0), "1") && !strcmp(bivalve_objective_upper(s, 0), "1"));
  EXPECT(bivalve_objective_lower(s, 2) == NULL && bivalve_error_code() == BIVALVE_STATUS_ARGUMENT);
  printf("closest factors: %s and", bivalve_value_digits(s, x, 10));
  printf(" %s,", bivalve_value_digits(s, y, 10));
  printf(" at a price of %s\n", bivalve_objective_lower(s, 1));
  bivalve_assert(s, bivalve_mk2(BIVALVE_KIND_BV_ULT, y, bivalve_mk_bv(m, 50, 8)));
  bivalve_term both[] = {x, y}, values[2];
  EXPECT(bivalve_list_models(s, 2, both) == BIVALVE_STATUS_OK);
  unsigned count = 0;
  while (bivalve_next_model(s, values, 2) == BIVALVE_ANSWER_SAT)
  {
    uint64_t left = 0, right = 0;
    EXPECT(bivalve_constant_u64(values[0], &left) == BIVALVE_STATUS_OK);
    EXPECT(bivalve_constant_u64(values[1], &right) == BIVALVE_STATUS_OK);
    EXPECT(left * right % 256 == 42 && left < right && right < 50);
    count++;
  }
  bool is_exact = false;
  const char *counted = bivalve_count_models(s, 2, both, &is_exact);
  EXPECT(is_exact && (unsigned)atoi(counted) == count);
  printf("%u pairs below 50\n", count);
  return bivalve_solver_free(s);
}

static int interpolants(bivalve_manager m)
{
  bivalve_solver s = bivalve_solver_new(m);
  EXPECT(bivalve_parse(s, "(declare-const ix (_ BitVec 8)) (declare-const iy (_ BitVec 8)) (declare-const iz (_ BitVec 8))"
                          "(assert (= ix (bvadd iy iy))) (assert (= ix (bvadd iz iz #x01)))") == BIVALVE_STATUS_OK);
  bivalve_term all[2];
  uintptr_t count = 0;
  EXPECT(bivalve_assertions(s, all, 2, &count) == BIVALVE_STATUS_OK && count == 2);
  bivalve_term found = bivalve_interpolant(s, 1, all);
  EXPECT(!strcmp(bivalve_term_text(found), "(= ((_ extract 0 0) ix) #b0)"));
  printf("between even and odd: %s\n", bivalve_term_text(found));
  return bivalve_solver_free(s);
}

static int options(bivalve_manager m)
{
  bivalve_solver s = bivalve_solver_new(m);
  EXPECT(bivalve_option_count() > 5);
  for (size_t i = 0; i < bivalve_option_count(); i++)
  {
    char name[64];
    snprintf(name, sizeof name, "%s", bivalve_option_name(i));
    EXPECT(bivalve_option(s, name) != NULL);
  }
  EXPECT(bivalve_set_option(s, "seed", "7") == BIVALVE_STATUS_OK && !strcmp(bivalve_option(s, "seed"), "7"));
  EXPECT(bivalve_set_option(s, "sat", "nothing") == BIVALVE_STATUS_ARGUMENT);
  printf("%s\n", bivalve_error());
  return bivalve_solver_free(s);
}

static int misuse(bivalve_manager m)
{
  bivalve_manager other = bivalve_manager_new();
  bivalve_term x = bivalve_mk_bv(m, 1, 8), y = bivalve_mk_bv(other, 1, 8);
  EXPECT(bivalve_mk2(BIVALVE_KIND_BV_ADD, x, y).id == 0 && bivalve_error_code() == BIVALVE_STATUS_HANDLE);
  EXPECT(bivalve_mk_bv(m, 256, 8).id == 0 && bivalve_error_code() == BIVALVE_STATUS_SORT);
  EXPECT(bivalve_sort_bv(m, (uint32_t)-1).id == 0 && bivalve_mk_symbol(m, NULL, bivalve_sort_bool(m)).id == 0);
  EXPECT(bivalve_manager_free(other) == BIVALVE_STATUS_OK && bivalve_term_text(y) == NULL);
  EXPECT(bivalve_manager_free(other) == BIVALVE_STATUS_HANDLE);
  printf("%s\n", bivalve_error());
  return 0;
}

int main(void)
{
  int (*programs[])(bivalve_manager) = {quickstart,   floats,        quantifiers,  pushpop,
                                        assumptions_and_cores, termination, texts, certificates,
                                        explanations, optima_and_models, interpolants, options, misuse};
  bivalve_manager m = bivalve_manager_new();
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
  {
    if (programs[i](m) != 0) return 1;
  }
  return bivalve_manager_free(m);
}
