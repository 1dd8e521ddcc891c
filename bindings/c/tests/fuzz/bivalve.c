/* Every function of bivalve.h with arguments at random: whatever a program does, a call returns, and says why if it
 * failed. */
#include "bivalve.h"
#include "fuzz.h"

LIST(bivalve_manager, manager)
LIST(bivalve_sort, sort)
LIST(bivalve_term, term)
LIST(bivalve_solver, solver)

static uint64_t made_up(uint64_t tag)
{
  return rarely(2) ? any() : tag << 60 | (uint64_t)below(6) << 32 | below(200);
}

#define PICK(type, tag)                                                                        \
  static bivalve_##type type(void)                                                             \
  {                                                                                            \
    switch (below(40))                                                                         \
    {                                                                                          \
      case 0: return (bivalve_##type){0};                                                      \
      case 1: return (bivalve_##type){made_up(tag)};                                           \
      case 2: return (bivalve_##type){kept_term().id};                                         \
      default: return kept_##type();                                                           \
    }                                                                                          \
  }

PICK(manager, 1)
PICK(sort, 2)
PICK(term, 3)
PICK(solver, 4)

static void note(bool worked)
{
  calls++;
  if (worked) return;
  refused++;
  EXPECT(bivalve_error_code() != BIVALVE_STATUS_OK && *bivalve_error() != 0);
  if (bivalve_error_code() == BIVALVE_STATUS_INTERNAL) check_failed(__FILE__, __LINE__, bivalve_error());
  bivalve_clear_error();
}

static void note_status(bivalve_status status)
{
  note(status == BIVALVE_STATUS_OK);
}

static void note_text(const char *found)
{
  note(found != NULL);
  if (found != NULL) EXPECT(strlen(found) < (1ul << 27));
}

static void note_sort(bivalve_sort made)
{
  note(made.id != 0);
  if (made.id != 0) keep_sort(made);
}

/* Wide terms are made, but not built upon, so that a run stays short. */
static void note_term(bivalve_term made)
{
  note(made.id != 0);
  if (made.id != 0 && bivalve_term_width(made) < 200) keep_term(made);
  bivalve_clear_error();
}

static uint32_t kind(void)
{
  return rarely(30) ? (uint32_t)any() : below(114);
}

static uint32_t base(void)
{
  static const uint32_t bases[] = {2, 10, 16, 7};
  return bases[below(4)];
}

static void sort_call(void)
{
  bivalve_manager m = manager();
  bivalve_sort parameters[2] = {sort(), sort()};
  switch (below(16))
  {
    case 0: note_sort(bivalve_sort_bool(m)); break;
    case 1:
    case 2:
    case 3: note_sort(bivalve_sort_bv(m, number())); break;
    case 4: note_sort(bivalve_sort_array(m, parameters[0], parameters[1])); break;
    case 5: note_sort(bivalve_sort_function(m, below(3), rarely(9) ? NULL : parameters, sort())); break;
    case 6: note_sort(bivalve_sort_declare(m, text())); break;
    case 7: note_sort(bivalve_sort_parameter(sort(), below(3))); break;
    case 8: note_sort(bivalve_sort_result(sort())); break;
    case 9: note_text(bivalve_sort_text(sort())); break;
    case 10: note(bivalve_sort_kind(sort()) != BIVALVE_SORT_TAG_NONE); break;
    case 11: note(bivalve_sort_width(sort()) != 0); break;
    case 12: note_sort(rarely(2) ? bivalve_sort_rounding_mode(m) : bivalve_sort_float(m, below(5), below(6))); break;
    case 13: note(bivalve_sort_exponent_bits(sort()) != 0 && bivalve_sort_significand_bits(sort()) != 0); break;
    default:
      (void)bivalve_sort_arity(sort());
      bivalve_clear_error();
      calls++;
  }
}

static void leaf_call(void)
{
  bivalve_manager m = manager();
  switch (below(12))
  {
    case 8: note_term(bivalve_mk_rounding_mode(m, below(6))); break;
    case 9: note_term(bivalve_mk_double(m, sort(), (double)any() / 3)); break;
    case 10: note_term(bivalve_mk_float(m, sort(), text(), below(6))); break;
    case 11: note_term(bivalve_mk_float_bits(m, sort(), text(), base())); break;
    case 0: note_term(bivalve_mk_bool(m, rarely(2))); break;
    case 1: note_term(bivalve_mk_bv(m, rarely(9) ? any() : below(20), number())); break;
    case 2: note_term(bivalve_mk_bv_digits(m, text(), base(), number())); break;
    case 3:
    case 4:
    case 5: note_term(bivalve_mk_symbol(m, text(), sort())); break;
    case 6: note_term(bivalve_lookup(m, text())); break;
    default: note_term(bivalve_mk_const_array(m, sort(), term()));
  }
}

static void operator_call(void)
{
  bivalve_manager m = manager();
  bivalve_term terms[3] = {term(), term(), term()};
  uint32_t indices[2] = {number(), below(4)};
  switch (below(13))
  {
    case 11: note_term(bivalve_forall(term(), below(3), rarely(9) ? NULL : terms)); break;
    case 12: note_term(bivalve_exists(term(), below(3), rarely(9) ? NULL : terms)); break;
    case 0: note_term(bivalve_mk(m, kind(), below(4), terms)); break;
    case 1: note_term(bivalve_mk(m, kind(), 2, NULL)); break;
    case 2: note_term(bivalve_mk(m, kind(), SIZE_MAX, terms)); break;
    case 3: note_term(bivalve_mk1(kind(), terms[0])); break;
    case 4:
    case 5:
    case 6: note_term(bivalve_mk2(kind(), terms[0], terms[1])); break;
    case 7: note_term(bivalve_mk3(kind(), terms[0], terms[1], terms[2])); break;
    case 8: note_term(bivalve_mk1_indexed(kind(), number(), terms[0])); break;
    case 9: note_term(bivalve_mk_indexed(m, kind(), below(3), terms, below(3), rarely(9) ? NULL : indices)); break;
    default: note_term(bivalve_extract(indices[0], indices[1], terms[0]));
  }
}

static void look(void)
{
  bivalve_term from[2] = {term(), term()}, to[2] = {term(), term()};
  uint64_t value;
  switch (below(13))
  {
    case 0: note_text(bivalve_term_text(term())); break;
    case 1: note_text(bivalve_term_name(term())); break;
    case 2: note(bivalve_term_kind(term()) != BIVALVE_KIND_NONE); break;
    case 3: note_sort(bivalve_term_sort(term())); break;
    case 4: note_term(bivalve_term_argument(term(), below(3))); break;
    case 5: note(bivalve_manager_of(term()).id != 0); break;
    case 6: note_term(bivalve_substitute(term(), below(3), from, rarely(9) ? NULL : to)); break;
    case 7: note_status(bivalve_constant_u64(term(), rarely(9) ? NULL : &value)); break;
    case 8:
    {
      double number = 0;
      note_text(bivalve_constant_digits(term(), base()));
      note_status(bivalve_constant_double(term(), rarely(9) ? NULL : &number));
      break;
    }
    case 9: note(bivalve_term_width(term()) != 0); break;
    default:
      (void)bivalve_term_arity(term());
      (void)bivalve_term_index_count(term());
      (void)bivalve_term_index(term(), below(2));
      bivalve_clear_error();
      calls += 3;
  }
}

static int interrupts(void *solver)
{
  return bivalve_interrupt(*(bivalve_solver *)solver) == BIVALVE_STATUS_OK || rarely(2);
}

static void solver_call(void)
{
  bivalve_solver s = solver();
  bivalve_term formula = term(), found[2];
  uintptr_t count = 0, *place = rarely(9) ? NULL : &count;
  uint64_t levels;
  switch (below(26))
  {
    case 0:
    case 1:
    case 2: note_status(bivalve_assert(s, formula)); break;
    case 3: note_status(bivalve_assert_tracked(s, formula)); break;
    case 4: note_status(bivalve_push(s, rarely(9) ? UINT64_MAX : 1)); break;
    case 5: note_status(bivalve_pop(s, rarely(9) ? UINT64_MAX : below(3))); break;
    case 6: note_status(bivalve_levels(s, rarely(9) ? NULL : &levels)); break;
    case 7: note(bivalve_check(s) != BIVALVE_ANSWER_ERROR); break;
    case 8:
      found[0] = formula, found[1] = term();
      note(bivalve_check_assuming(s, below(3), rarely(9) ? NULL : found) != BIVALVE_ANSWER_ERROR);
      note(bivalve_is_failed(s, formula) >= 0);
      break;
    case 9: note_status(bivalve_unsat_core(s, rarely(3) ? NULL : found, below(3), place)); break;
    case 10: note_status(bivalve_failed_assumptions(s, rarely(3) ? NULL : found, below(3), place)); break;
    case 11: note_status(bivalve_assertions(s, rarely(3) ? NULL : found, below(3), place)); break;
    case 12: note_status(bivalve_set_option(s, text(), text())); break;
    case 13: note_text(bivalve_option(s, text())); break;
    case 14: note_text(bivalve_print(s, text())); break;
    case 15: note_status(bivalve_parse(s, text())); break;
    case 16:
      note_status(bivalve_interrupt(s));
      note_status(bivalve_clear_interrupt(s));
      break;
    case 17: note_text(bivalve_reason_unknown(s)); break;
    case 18: note_text(bivalve_statistics(s)); break;
    case 19: note_text(bivalve_certificate_script(s)); break;
    case 20: note_text(bivalve_certificate(s)); break;
    case 21: note(bivalve_check_certificate(text(), text()) >= 0); break;
    case 22: note_status(bivalve_set_timeline(s, below(2))); break;
    case 23: note_text(bivalve_explanation(s)); break;
    case 24: note_text(bivalve_explanation_json(s)); break;
    default: note_status(bivalve_reset_assertions(s));
  }
}

/* Listings and interpolants may take as many checks as words have values, so they have a limit of time. */
static void question_call(void)
{
  bivalve_solver s = solver();
  bivalve_term terms[3] = {term(), term(), term()}, found[2];
  uintptr_t count = 0, sizes[3] = {below(2), 1, below(2)}, starts[3] = {0, below(2), below(3)};
  bool is_exact;
  bivalve_set_limits(s, 50, 100000, 20);
  bivalve_clear_error();
  switch (below(9))
  {
    case 0: note_status(rarely(2) ? bivalve_minimize(s, terms[0], below(2)) : bivalve_maximize(s, terms[0], below(2))); break;
    case 1: note_status(bivalve_assert_soft(s, terms[0], rarely(2) ? "1/3" : text(), text())); break;
    case 2: note_status(bivalve_objective_count(s, rarely(9) ? NULL : &count)); break;
    case 3: note(bivalve_optimize(s, below(4), below(3), rarely(9) ? NULL : terms) != BIVALVE_ANSWER_ERROR); break;
    case 4: note_text(rarely(2) ? bivalve_objective_lower(s, below(3)) : bivalve_objective_upper(s, below(3))); break;
    case 5:
      note_status(bivalve_list_models(s, below(4), rarely(9) ? NULL : terms));
      for (int left = 4; left > 0; left--) note(bivalve_next_model(s, rarely(9) ? NULL : found, below(3)) != BIVALVE_ANSWER_ERROR);
      break;
    case 6: note_text(bivalve_count_models(s, below(4), rarely(9) ? NULL : terms, rarely(9) ? NULL : &is_exact)); break;
    default:
      if (bivalve_assertions(s, terms, 3, &count) == BIVALVE_STATUS_OK && rarely(2))
      {
        note_term(bivalve_interpolant(s, below(3), rarely(9) ? NULL : terms));
        break;
      }
      bivalve_clear_error();
      note_status(bivalve_interpolants(s, below(4), rarely(9) ? NULL : sizes, rarely(2) ? NULL : starts,
                                       rarely(9) ? NULL : terms, rarely(9) ? NULL : found));
  }
  bivalve_set_limits(s, 50, 100000, 0);
  bivalve_clear_error();
}

static void value_call(void)
{
  bivalve_solver s = solver();
  bivalve_term at[2], result;
  uint64_t value;
  uintptr_t count = 0;
  switch (below(8))
  {
    case 0: note_status(bivalve_value_u64(s, term(), rarely(9) ? NULL : &value)); break;
    case 1:
    {
      double number = 0;
      note_text(bivalve_value_digits(s, term(), base()));
      note_status(bivalve_value_double(s, term(), &number));
      break;
    }
    case 2: note_text(bivalve_value_text(s, term())); break;
    case 3: note_term(bivalve_value(s, term())); break;
    case 4: note_status(bivalve_value_entry_count(s, term(), rarely(9) ? NULL : &count)); break;
    case 5:
      at[0] = term();
      if (bivalve_value_entry_count(s, at[0], &count) != BIVALVE_STATUS_OK) bivalve_clear_error();
      note_status(bivalve_value_entry(s, at[0], count - below(2), rarely(9) ? NULL : at, below(3), &result));
      break;
    case 6: note_status(bivalve_value_entry(s, term(), below(3), at, 2, NULL)); break;
    default: note_term(bivalve_value_default(s, term()));
  }
}

static void library_call(void)
{
  uintptr_t position = rarely(4) ? (uintptr_t)any() : below(60);
  switch (below(5))
  {
    case 0: note_text(bivalve_option_name(position)); break;
    case 1: note_text(bivalve_option_help(position)); break;
    case 2: note_text(bivalve_option_values(position)); break;
    case 3: note_text(bivalve_run_script(text())); break;
    default: note(bivalve_option_count() > 10 && *bivalve_version() != 0);
  }
}

static void life_call(void)
{
  static bivalve_solver asked;
  bivalve_manager m;
  bivalve_solver s = solver();
  switch (below(40))
  {
    case 0:
      note_status(bivalve_manager_free(manager()));
      m = bivalve_manager_new();
      note(m.id != 0);
      keep_manager(m);
      break;
    case 1:
    case 2: note_status(bivalve_solver_free(solver())); break;
    case 3:
      asked = s;
      note_status(bivalve_set_terminate(s, rarely(3) ? NULL : interrupts, &asked));
      break;
    case 4: note_status(bivalve_set_limits(s, below(100), 1000 + below(100000), below(50))); break;
    default:
      s = bivalve_solver_new(manager());
      note(s.id != 0);
      if (s.id != 0)
      {
        keep_solver(s);
        note_status(bivalve_set_limits(s, 50, 100000, 0));
      }
  }
}

static void call(void)
{
  switch (below(23))
  {
    case 0:
    case 1:
    case 2: sort_call(); break;
    case 3:
    case 4:
    case 5:
    case 6: leaf_call(); break;
    case 7:
    case 8:
    case 9:
    case 10:
    case 11:
    case 12: operator_call(); break;
    case 13:
    case 14: look(); break;
    case 15:
    case 16:
    case 17: solver_call(); break;
    case 18:
    case 19: value_call(); break;
    case 20: library_call(); break;
    case 21: question_call(); break;
    default: life_call();
  }
}

int main(int argc, char **argv)
{
  for (int left = 2; left > 0; left--) keep_manager(bivalve_manager_new());
  keep_sort(bivalve_sort_bool(kept_manager()));
  keep_term(bivalve_mk_bool(kept_manager(), true));
  keep_solver(bivalve_solver_new(kept_manager()));
  run(argc, argv);
  for (unsigned long at = 0; at < manager_count && at < KEPT; at++) bivalve_manager_free(manager_list[at]);
  return 0;
}
