/* Every function of boolector.h with arguments at random: what is wrong is told to the function of
 * boolector_set_abort, and the call returns. */
#include "boolector.h"
#include "fuzz.h"

LIST(Btor *, btor)
LIST(BoolectorNode *, node)
LIST(BoolectorSort, sort)
LIST(const char *, digits)

static unsigned long aborts;

static void told(const char *message)
{
  aborts++;
  EXPECT(strncmp(message, "[bivalve] boolector_", 20) == 0);
  if (strstr(message, "internal: ") != NULL || strstr(message, "internal error") != NULL) check_failed(__FILE__, __LINE__, message);
}

static void *made_up(void)
{
  return (void *)(uintptr_t)(rarely(2) ? any() : (uint64_t)(4 + below(5)) << 60 | (uint64_t)below(6) << 32 | below(200));
}

#define PICK(type, name)                                                                       \
  static type name(void)                                                                       \
  {                                                                                            \
    switch (below(60))                                                                         \
    {                                                                                          \
      case 0: return NULL;                                                                     \
      case 1: return made_up();                                                                \
      case 2: return (type)(void *)kept_node();                                                \
      default: return kept_##name();                                                           \
    }                                                                                          \
  }

PICK(Btor *, btor)
PICK(BoolectorNode *, node)
PICK(BoolectorSort, sort)

typedef BoolectorNode *(*unary)(Btor *, BoolectorNode *);
typedef BoolectorNode *(*binary)(Btor *, BoolectorNode *, BoolectorNode *);
typedef BoolectorNode *(*indexed)(Btor *, BoolectorNode *, uint32_t);
typedef BoolectorNode *(*constant)(Btor *, BoolectorSort);
typedef BoolectorNode *(*symbol)(Btor *, BoolectorSort, const char *);
typedef bool (*question)(Btor *, BoolectorNode *);
typedef uint32_t (*count)(Btor *, BoolectorNode *);
typedef void (*plain)(Btor *);
typedef const char *(*words)(Btor *);
typedef uint32_t (*bound)(Btor *, BtorOption);
typedef const char *(*help)(Btor *, BtorOption);
typedef int32_t (*parser)(Btor *, FILE *, const char *, FILE *, char **, int32_t *);

#define ONE_OF(table) ((table)[below(sizeof(table) / sizeof *(table))])

static const unary unaries[] = {boolector_not, boolector_neg, boolector_redor, boolector_redxor, boolector_redand,
  boolector_inc, boolector_dec, boolector_copy, boolector_match_node, boolector_get_value};
static const binary binaries[] = {boolector_implies, boolector_iff, boolector_eq, boolector_ne, boolector_xor,
  boolector_xnor, boolector_and, boolector_nand, boolector_or, boolector_nor, boolector_add, boolector_uaddo,
  boolector_saddo, boolector_mul, boolector_umulo, boolector_smulo, boolector_ult, boolector_slt, boolector_ulte,
  boolector_slte, boolector_ugt, boolector_sgt, boolector_ugte, boolector_sgte, boolector_sll, boolector_srl,
  boolector_sra, boolector_rol, boolector_ror, boolector_sub, boolector_usubo, boolector_ssubo, boolector_udiv,
  boolector_sdiv, boolector_sdivo, boolector_urem, boolector_srem, boolector_smod, boolector_concat, boolector_read};
static const indexed indexeds[] = {boolector_uext, boolector_sext, boolector_roli, boolector_rori, boolector_repeat};
static const constant constants[] = {boolector_zero, boolector_ones, boolector_one, boolector_min_signed,
  boolector_max_signed};
static const symbol symbols[] = {boolector_constd, boolector_consth, boolector_var, boolector_var, boolector_array,
  boolector_uf, boolector_param};
static const question questions[] = {boolector_is_bv_const_zero, boolector_is_bv_const_one,
  boolector_is_bv_const_ones, boolector_is_bv_const_max_signed, boolector_is_bv_const_min_signed, boolector_is_const,
  boolector_is_var, boolector_is_array, boolector_is_array_var, boolector_is_param, boolector_is_bound_param,
  boolector_is_uf, boolector_is_fun, boolector_failed};
static const count counts[] = {boolector_get_width, boolector_get_index_width, boolector_get_fun_arity};
static const plain plains[] = {boolector_reset_time, boolector_reset_stats, boolector_print_stats,
  boolector_fixate_assumptions, boolector_reset_assumptions};
static const words wordings[] = {boolector_copyright, boolector_version, boolector_git_id};
static const bound bounds[] = {boolector_get_opt, boolector_get_opt_min, boolector_get_opt_max, boolector_get_opt_dflt};
static const help helps[] = {boolector_get_opt_lng, boolector_get_opt_shrt, boolector_get_opt_desc};
static const parser parsers[] = {boolector_parse_btor, boolector_parse_btor2, boolector_parse_smt1,
  boolector_parse_smt2};

/* Wide nodes are made, but not built upon, so that a run stays short. */
static void note_node(Btor *b, BoolectorNode *made)
{
  if (made == NULL) return;
  if (boolector_is_array(b, made) || boolector_is_fun(b, made) || boolector_get_width(b, made) < 100) keep_node(made);
}

static void note_sort(BoolectorSort made)
{
  if (made != NULL) keep_sort(made);
}

static void leaf_call(Btor *b)
{
  BoolectorSort domain[2] = {sort(), sort()};
  switch (below(16))
  {
    case 0: note_node(b, rarely(2) ? boolector_true(b) : boolector_false(b)); break;
    case 1: note_node(b, boolector_const(b, text())); break;
    case 2: note_node(b, ONE_OF(constants)(b, sort())); break;
    case 3: note_node(b, boolector_unsigned_int(b, (uint32_t)any(), sort())); break;
    case 4: note_node(b, boolector_int(b, (int32_t)any(), sort())); break;
    case 5:
    case 6:
    case 7:
    case 8: note_node(b, ONE_OF(symbols)(b, sort(), rarely(2) ? NULL : text())); break;
    case 9: note_node(b, boolector_const_array(b, sort(), node())); break;
    case 10: note_sort(boolector_bool_sort(b)); break;
    case 11:
    case 12: note_sort(boolector_bitvec_sort(b, number())); break;
    case 13: note_sort(boolector_fun_sort(b, rarely(9) ? NULL : domain, below(3), sort())); break;
    case 14: note_sort(boolector_array_sort(b, sort(), sort())); break;
    default: note_sort(boolector_copy_sort(b, sort()));
  }
}

static void operator_call(Btor *b)
{
  BoolectorNode *nodes[2] = {node(), node()};
  switch (below(12))
  {
    case 0:
    case 1: note_node(b, ONE_OF(unaries)(b, node())); break;
    case 2: note_node(b, ONE_OF(indexeds)(b, node(), number())); break;
    case 3: note_node(b, boolector_slice(b, node(), number(), below(4))); break;
    case 4: note_node(b, boolector_cond(b, node(), node(), node())); break;
    case 5: note_node(b, boolector_write(b, node(), node(), node())); break;
    case 6: note_node(b, boolector_fun(b, rarely(9) ? NULL : nodes, below(3), node())); break;
    case 7: note_node(b, boolector_apply(b, rarely(9) ? NULL : nodes, below(3), node())); break;
    case 8: (void)boolector_fun_sort_check(b, rarely(9) ? NULL : nodes, below(3), node()); break;
    default: note_node(b, ONE_OF(binaries)(b, node(), node()));
  }
}

static void look(Btor *b)
{
  switch (below(18))
  {
    case 0:
    case 1: (void)ONE_OF(questions)(b, node()); break;
    case 2: (void)ONE_OF(counts)(b, node()); break;
    case 3: (void)boolector_get_btor(node()); break;
    case 4: (void)boolector_get_node_id(b, node()); break;
    case 5: note_node(b, boolector_match_node_by_id(b, (int32_t)number())); break;
    case 6: note_node(b, boolector_match_node_by_symbol(b, text())); break;
    case 7: (void)boolector_get_symbol(b, node()); break;
    case 8: boolector_set_symbol(b, node(), text()); break;
    case 9: (void)boolector_is_equal_sort(b, node(), node()); break;
    case 10: (void)boolector_is_array_sort(b, sort()); break;
    case 11: (void)boolector_is_bitvec_sort(b, sort()); break;
    case 12: (void)boolector_is_fun_sort(b, sort()); break;
    case 13: (void)boolector_bitvec_sort_get_width(b, sort()); break;
    case 14: note_sort(boolector_get_sort(b, node())); break;
    case 15: note_sort(boolector_fun_get_domain_sort(b, node())); break;
    case 16: note_sort(boolector_fun_get_codomain_sort(b, node())); break;
    default: (void)ONE_OF(wordings)(b);
  }
}

static void option_call(Btor *b)
{
  BtorOption option = (BtorOption)(rarely(4) ? below(BTOR_OPT_NUM_OPTS) : rarely(9) ? 900 : below(9));
  switch (below(8))
  {
    case 0:
    case 1: boolector_set_opt(b, option, rarely(9) ? (uint32_t)any() : below(3)); break;
    case 2: (void)ONE_OF(bounds)(b, option); break;
    case 3: (void)ONE_OF(helps)(b, option); break;
    case 4: (void)boolector_has_opt(b, option); break;
    case 5: (void)boolector_first_opt(b); break;
    case 6: (void)boolector_next_opt(b, option); break;
    default: boolector_set_sat_solver(b, text());
  }
}

static int32_t stops(void *unused)
{
  (void)unused;
  return rarely(4);
}

static void solver_call(Btor *b)
{
  BoolectorNode **failed;
  switch (below(16))
  {
    case 0:
    case 1:
    case 2: boolector_assert(b, node()); break;
    case 3:
    case 4: boolector_assume(b, node()); break;
    case 5: boolector_push(b, rarely(9) ? (uint32_t)any() % 1000 : 1); break;
    case 6: boolector_pop(b, rarely(9) ? (uint32_t)any() : 1); break;
    case 7:
    case 8: (void)boolector_limited_sat(b, below(3) - 1, below(60) - 1); break;
    case 9: (void)boolector_sat(b); break;
    case 10: (void)boolector_simplify(b); break;
    case 11:
      failed = boolector_get_failed_assumptions(b);
      for (; failed != NULL && *failed != NULL; failed++)
      {
        /* The program may have released the node, which is refused. */
        unsigned long before = aborts;
        EXPECT(boolector_failed(b, *failed) || aborts > before);
      }
      break;
    case 12: boolector_set_term(b, rarely(2) ? NULL : stops, NULL); break;
    case 13: (void)boolector_terminate(b); break;
    default: ONE_OF(plains)(b);
  }
}

static void value_call(Btor *b)
{
  char **left = NULL, **right = NULL;
  uint32_t size = 0;
  const char *found = NULL;
  switch (below(8))
  {
    case 0: found = boolector_get_bits(b, node()); break;
    case 1:
    case 2: found = boolector_bv_assignment(b, node()); break;
    case 3: rarely(2) ? boolector_free_bits(b, kept_digits()) : boolector_free_bv_assignment(b, kept_digits()); break;
    case 4:
      boolector_array_assignment(b, node(), &left, &right, rarely(9) ? NULL : &size);
      for (uint32_t at = 0; at < size; at++) EXPECT(*left[at] != 0 && *right[at] != 0);
      boolector_free_array_assignment(b, left, right, size);
      /* Once more is misuse, and refused. */
      if (size > 0 && rarely(9)) boolector_free_array_assignment(b, left, right, size);
      break;
    case 5:
      boolector_uf_assignment(b, node(), &left, rarely(9) ? NULL : &right, &size);
      if (size > 0) boolector_free_uf_assignment(b, left, right, size);
      break;
    case 6: boolector_array_assignment(b, node(), NULL, NULL, NULL); break;
    default: boolector_free_uf_assignment(b, made_up(), made_up(), below(3));
  }
  if (found != NULL)
  {
    EXPECT(strlen(found) > 0);
    keep_digits(found);
  }
}

/* Streams of the program, read from a text and written to nowhere. */
static void stream_call(Btor *b)
{
  static FILE *nowhere;
  if (nowhere == NULL) nowhere = fopen("/dev/null", "w");
  const char *input = text();
  FILE *in = input == NULL || *input == 0 ? NULL : fmemopen((void *)(uintptr_t)input, strlen(input), "r");
  FILE *out = rarely(9) ? NULL : nowhere;
  char *message = NULL;
  int32_t status;
  bool is_smt2;
  switch (below(10))
  {
    case 0: (void)ONE_OF(parsers)(b, in, text(), out, rarely(9) ? NULL : &message, &status); break;
    case 1: (void)boolector_parse(b, in, text(), out, &message, &status, rarely(9) ? NULL : &is_smt2); break;
    case 2: boolector_dump_btor_node(b, out, node()); break;
    case 3: boolector_dump_btor(b, out); break;
    case 4: boolector_dump_smt2_node(b, out, node()); break;
    case 5: boolector_dump_smt2(b, out); break;
    case 6: boolector_print_model(b, (char *)(uintptr_t)text(), out); break;
    case 7: boolector_set_trapi(b, out); break;
    case 8: rarely(2) ? boolector_dump_aiger_ascii(b, out, true) : boolector_dump_aiger_binary(b, out, false); break;
    default: (void)boolector_get_trapi(b);
  }
  if (in != NULL) fclose(in);
}

static Btor *made(void)
{
  Btor *b = boolector_new();
  boolector_set_opt(b, BTOR_OPT_INCREMENTAL, !rarely(9));
  boolector_set_opt(b, BTOR_OPT_MODEL_GEN, !rarely(9));
  keep_btor(b);
  keep_sort(boolector_bitvec_sort(b, 8));
  keep_node(boolector_true(b));
  return b;
}

static void life_call(Btor *b)
{
  BoolectorNode *nodes[1] = {node()};
  switch (below(30))
  {
    case 0:
      boolector_delete(b);
      made();
      break;
    case 1: boolector_release_all(b); break;
    case 2: boolector_release_sort(b, sort()); break;
    case 3: (void)boolector_clone(b); break;
    case 4: rarely(2) ? boolector_forall(b, nodes, 1, node()) : boolector_exists(b, nodes, 1, node()); break;
    case 5: boolector_set_msg_prefix(b, text()); break;
    case 6: (void)boolector_get_refs(b); break;
    default: boolector_release(b, node());
  }
}

static void call(void)
{
  Btor *b = rarely(30) ? btor() : btor_list[(btor_count - 1) % KEPT];
  unsigned long before = aborts;
  switch (below(20))
  {
    case 0:
    case 1:
    case 2:
    case 3: leaf_call(b); break;
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
    case 10:
    case 11: operator_call(b); break;
    case 12: look(b); break;
    case 13: option_call(b); break;
    case 14:
    case 15:
    case 16: solver_call(b); break;
    case 17: value_call(b); break;
    case 18: stream_call(b); break;
    default: life_call(b);
  }
  calls++;
  refused += aborts > before;
}

int main(int argc, char **argv)
{
  /* What is printed is of no interest. */
  EXPECT(freopen("/dev/null", "w", stdout) != NULL);
  boolector_set_abort(told);
  keep_digits("1");
  made();
  run(argc, argv);
  for (unsigned long at = 0; at < btor_count && at < KEPT; at++) boolector_delete(btor_list[at]);
  return 0;
}
