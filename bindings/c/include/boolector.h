/* The C interface of Boolector 3, for programs that are linked with Bivalve in its place.
 *
 * Written from the documented behaviour. The part for bit-vectors, arrays and functions is here: incremental use,
 * assumptions, models, texts. Refused, with an error: boolector_clone, quantifiers, traces of calls, AIGER, functions
 * with a body where they are not applied, sorts of tuples. boolector_get_trapi returns NULL.
 *
 * An error calls the function of boolector_set_abort with a message; without one the message is written to standard
 * error and the process exits with 1, as with Boolector. The function may throw an exception of C++. If it returns,
 * the call returns NULL or zero. An instance belongs to the thread that made it.
 */
#ifndef BOOLECTOR_H_INCLUDED
#define BOOLECTOR_H_INCLUDED

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "btortypes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BOOLECTOR_UNKNOWN BTOR_RESULT_UNKNOWN
#define BOOLECTOR_SAT BTOR_RESULT_SAT
#define BOOLECTOR_UNSAT BTOR_RESULT_UNSAT
#define BOOLECTOR_PARSE_ERROR 1
#define BOOLECTOR_PARSE_UNKNOWN 2

/* Instances. boolector_delete frees an instance with all its nodes and sorts. */
Btor *boolector_new(void);
void boolector_delete(Btor *btor);
uint32_t boolector_get_refs(Btor *btor);
void boolector_release_all(Btor *btor);
void boolector_set_term(Btor *btor, int32_t(*fun)(void *), void *state);
int32_t boolector_terminate(Btor *btor);
void boolector_set_abort(void(*fun)(const char* msg));
void boolector_set_msg_prefix(Btor *btor, const char *prefix);
void boolector_reset_time(Btor *btor);
void boolector_reset_stats(Btor *btor);
void boolector_print_stats(Btor *btor);
const char *boolector_copyright(Btor *btor);
const char *boolector_version(Btor *btor);
const char *boolector_git_id(Btor *btor);

/* Levels and assertions. What is asserted or assumed has bit-width 1 and no free parameter. Levels and assumptions
 * need BTOR_OPT_INCREMENTAL. An assumption holds for the next check only. */
void boolector_push(Btor *btor, uint32_t level);
void boolector_pop(Btor *btor, uint32_t level);
void boolector_assert(Btor *btor, BoolectorNode *node);
void boolector_assume(Btor *btor, BoolectorNode *node);
bool boolector_failed(Btor *btor, BoolectorNode *node);
BoolectorNode **boolector_get_failed_assumptions(Btor *btor);
void boolector_fixate_assumptions(Btor *btor);
void boolector_reset_assumptions(Btor *btor);

/* Checks: BOOLECTOR_SAT, BOOLECTOR_UNSAT or BOOLECTOR_UNKNOWN. A second check needs BTOR_OPT_INCREMENTAL. The
 * limit of lemmas is not looked at, that of conflicts is. boolector_simplify does nothing: checks simplify. */
int32_t boolector_sat(Btor *btor);
int32_t boolector_limited_sat(Btor *btor, int32_t lod_limit, int32_t sat_limit);
int32_t boolector_simplify(Btor *btor);
void boolector_set_sat_solver(Btor *btor, const char *solver);

/* Options by number. A value outside of its bounds is an error. */
void boolector_set_opt(Btor *btor, BtorOption opt, uint32_t val);
uint32_t boolector_get_opt(Btor *btor, BtorOption opt);
uint32_t boolector_get_opt_min(Btor *btor, BtorOption opt);
uint32_t boolector_get_opt_max(Btor *btor, BtorOption opt);
uint32_t boolector_get_opt_dflt(Btor *btor, BtorOption opt);
const char *boolector_get_opt_lng(Btor *btor, BtorOption opt);
const char *boolector_get_opt_shrt(Btor *btor, BtorOption opt);
const char *boolector_get_opt_desc(Btor *btor, BtorOption opt);
bool boolector_has_opt(Btor *Btor, BtorOption opt);
BtorOption boolector_first_opt(Btor *btor);
BtorOption boolector_next_opt(Btor *btor, BtorOption opt);

/* Counts of nodes: every function that returns a node counts one, which is given back by boolector_release. */
BoolectorNode *boolector_copy(Btor *btor, BoolectorNode *node);
void boolector_release(Btor *btor, BoolectorNode *node);

/* Constants. The digits of boolector_const are as many as its bits; decimal ones may have a minus. */
BoolectorNode *boolector_true(Btor *btor);
BoolectorNode *boolector_false(Btor *btor);
BoolectorNode *boolector_const(Btor *btor, const char *bits);
BoolectorNode *boolector_constd(Btor *btor, BoolectorSort sort, const char *str);
BoolectorNode *boolector_consth(Btor *btor, BoolectorSort sort, const char *str);
BoolectorNode *boolector_zero(Btor *btor, BoolectorSort sort);
BoolectorNode *boolector_ones(Btor *btor, BoolectorSort sort);
BoolectorNode *boolector_one(Btor *btor, BoolectorSort sort);
BoolectorNode *boolector_min_signed(Btor *btor, BoolectorSort sort);
BoolectorNode *boolector_max_signed(Btor *btor, BoolectorSort sort);
BoolectorNode *boolector_unsigned_int(Btor *btor, uint32_t u, BoolectorSort sort);
BoolectorNode *boolector_int(Btor *btor, int32_t i, BoolectorSort sort);
bool boolector_is_bv_const_zero(Btor *btor, BoolectorNode *node);
bool boolector_is_bv_const_one(Btor *btor, BoolectorNode *node);
bool boolector_is_bv_const_ones(Btor *btor, BoolectorNode *node);
bool boolector_is_bv_const_max_signed(Btor *btor, BoolectorNode *node);
bool boolector_is_bv_const_min_signed(Btor *btor, BoolectorNode *node);

/* Symbols: each call makes a new one. The name may be NULL; otherwise no other node has it. */
BoolectorNode *boolector_var(Btor *btor, BoolectorSort sort, const char *symbol);
BoolectorNode *boolector_array(Btor *btor, BoolectorSort sort, const char *symbol);
BoolectorNode *boolector_uf(Btor *btor, BoolectorSort sort, const char *symbol);
BoolectorNode *boolector_const_array(Btor *btor, BoolectorSort sort, BoolectorNode *value);
BoolectorNode *boolector_param(Btor *btor, BoolectorSort sort, const char *symbol);

/* Operators of bit-vectors. Operands have the same width, conditions and comparisons have width 1. The amount of a
 * shift or rotation has as many bits as what is shifted, or the logarithm of that. */
BoolectorNode *boolector_implies(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_iff(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_eq(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_ne(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_not(Btor *btor, BoolectorNode *node);
BoolectorNode *boolector_neg(Btor *btor, BoolectorNode *node);
BoolectorNode *boolector_redor(Btor *btor, BoolectorNode *node);
BoolectorNode *boolector_redxor(Btor *btor, BoolectorNode *node);
BoolectorNode *boolector_redand(Btor *btor, BoolectorNode *node);
BoolectorNode *boolector_slice(Btor *btor, BoolectorNode *node, uint32_t upper, uint32_t lower);
BoolectorNode *boolector_uext(Btor *btor, BoolectorNode *node, uint32_t width);
BoolectorNode *boolector_sext(Btor *btor, BoolectorNode *node, uint32_t width);
BoolectorNode *boolector_xor(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_xnor(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_and(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_nand(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_or(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_nor(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_add(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_uaddo(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_saddo(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_mul(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_umulo(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_smulo(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_ult(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_slt(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_ulte(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_slte(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_ugt(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_sgt(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_ugte(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_sgte(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_sll(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_srl(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_sra(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_rol(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_ror(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_roli(Btor *btor, BoolectorNode *n, uint32_t nbits);
BoolectorNode *boolector_rori(Btor *btor, BoolectorNode *n, uint32_t nbits);
BoolectorNode *boolector_sub(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_usubo(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_ssubo(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_udiv(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_sdiv(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_sdivo(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_urem(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_srem(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_smod(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_concat(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
BoolectorNode *boolector_repeat(Btor *btor, BoolectorNode *node, uint32_t n);
BoolectorNode *boolector_inc(Btor *btor, BoolectorNode *node);
BoolectorNode *boolector_dec(Btor *btor, BoolectorNode *node);
BoolectorNode *boolector_cond(Btor *btor, BoolectorNode *n_cond, BoolectorNode *n_then, BoolectorNode *n_else);

/* Arrays and functions. A function with a body can be applied, which puts its arguments in the places of its
 * parameters; it cannot be compared, chosen or read as an array. */
BoolectorNode *boolector_read(Btor *btor, BoolectorNode *n_array, BoolectorNode *n_index);
BoolectorNode *boolector_write(Btor *btor, BoolectorNode *n_array, BoolectorNode *n_index,
    BoolectorNode *n_value);
BoolectorNode *boolector_fun(Btor *btor, BoolectorNode **param_nodes, uint32_t paramc, BoolectorNode *node);
BoolectorNode *boolector_apply(Btor *btor, BoolectorNode **arg_nodes, uint32_t argc, BoolectorNode *n_fun);
int32_t boolector_fun_sort_check(Btor *btor, BoolectorNode **arg_nodes, uint32_t argc, BoolectorNode *n_fun);

/* Looking at nodes. Texts of boolector_get_bits are freed by boolector_free_bits; symbols belong to the node. */
Btor *boolector_get_btor(BoolectorNode *node);
int32_t boolector_get_node_id(Btor *btor, BoolectorNode *node);
BoolectorNode *boolector_match_node_by_id(Btor *btor, int32_t id);
BoolectorNode *boolector_match_node_by_symbol(Btor *btor, const char *symbol);
BoolectorNode *boolector_match_node(Btor *btor, BoolectorNode *node);
const char *boolector_get_symbol(Btor *btor, BoolectorNode *node);
void boolector_set_symbol(Btor *btor, BoolectorNode *node, const char *symbol);
uint32_t boolector_get_width(Btor *btor, BoolectorNode *node);
uint32_t boolector_get_index_width(Btor *btor, BoolectorNode *n_array);
const char *boolector_get_bits(Btor *btor, BoolectorNode *node);
void boolector_free_bits(Btor *btor, const char *bits);
uint32_t boolector_get_fun_arity(Btor *btor, BoolectorNode *node);
bool boolector_is_const(Btor *btor, BoolectorNode *node);
bool boolector_is_var(Btor *btor, BoolectorNode *node);
bool boolector_is_array(Btor *btor, BoolectorNode *node);
bool boolector_is_array_var(Btor *btor, BoolectorNode *node);
bool boolector_is_param(Btor *btor, BoolectorNode *node);
bool boolector_is_bound_param(Btor *btor, BoolectorNode *node);
bool boolector_is_uf(Btor *btor, BoolectorNode *node);
bool boolector_is_fun(Btor *btor, BoolectorNode *node);

/* Models, after BOOLECTOR_SAT, with BTOR_OPT_MODEL_GEN. Values are digits in the base of
 * BTOR_OPT_OUTPUT_NUMBER_FORMAT. Lists have the entries of an array
 * or a function that differ from the rest, and an entry "*" where the rest is not zero. What is returned is given
 * back by the function of the matching name. */
BoolectorNode *boolector_get_value(Btor *btor, BoolectorNode *node);
const char *boolector_bv_assignment(Btor *btor, BoolectorNode *node);
void boolector_free_bv_assignment(Btor *btor, const char *assignment);
void boolector_array_assignment(Btor *btor, BoolectorNode *n_array, char ***indices, char ***values,
    uint32_t *size);
void boolector_free_array_assignment(Btor *btor, char **indices, char **values, uint32_t size);
void boolector_uf_assignment(Btor *btor, BoolectorNode *n_uf, char ***args, char ***values, uint32_t *size);
void boolector_free_uf_assignment(Btor *btor, char **args, char **values, uint32_t size);
void boolector_print_model(Btor *btor, char *format, FILE *file);

/* Sorts, which are counted and released as nodes are; those of boolector_get_sort and the like are not. */
BoolectorSort boolector_bool_sort(Btor *btor);
BoolectorSort boolector_bitvec_sort(Btor *btor, uint32_t width);
BoolectorSort boolector_fun_sort(Btor *btor, BoolectorSort *domain, uint32_t arity, BoolectorSort codomain);
BoolectorSort boolector_array_sort(Btor *btor, BoolectorSort index, BoolectorSort element);
BoolectorSort boolector_copy_sort(Btor *btor, BoolectorSort sort);
void boolector_release_sort(Btor *btor, BoolectorSort sort);
BoolectorSort boolector_get_sort(Btor *btor, const BoolectorNode *node);
BoolectorSort boolector_fun_get_domain_sort(Btor *btor, const BoolectorNode *node);
BoolectorSort boolector_fun_get_codomain_sort(Btor *btor, const BoolectorNode *node);
bool boolector_is_equal_sort(Btor *btor, BoolectorNode *n0, BoolectorNode *n1);
bool boolector_is_array_sort(Btor *btor, BoolectorSort sort);
bool boolector_is_bitvec_sort(Btor *btor, BoolectorSort sort);
bool boolector_is_fun_sort(Btor *btor, BoolectorSort sort);
uint32_t boolector_bitvec_sort_get_width(Btor *btor, BoolectorSort sort);

/* Texts. BOOLECTOR_PARSE_ERROR comes with a message, which lives until the next one. Checks of a script of
 * SMT-LIB 2 are answered on the output stream, and the last answer is returned. */
int32_t boolector_parse(Btor *btor, FILE *infile, const char *infile_name, FILE *outfile, char **error_msg,
    int32_t *status, bool *parsed_smt2);
int32_t boolector_parse_btor(Btor *btor, FILE *infile, const char *infile_name, FILE *outfile,
    char **error_msg, int32_t *status);
int32_t boolector_parse_btor2(Btor *btor, FILE *infile, const char *infile_name, FILE *outfile,
    char **error_msg, int32_t *status);
int32_t boolector_parse_smt1(Btor *btor, FILE *infile, const char *infile_name, FILE *outfile,
    char **error_msg, int32_t *status);
int32_t boolector_parse_smt2(Btor *btor, FILE *infile, const char *infile_name, FILE *outfile,
    char **error_msg, int32_t *status);
void boolector_dump_btor_node(Btor *btor, FILE *file, BoolectorNode *node);
void boolector_dump_btor(Btor *btor, FILE *file);
void boolector_dump_smt2_node(Btor *btor, FILE *file, BoolectorNode *node);
void boolector_dump_smt2(Btor *btor, FILE *file);

/* Refused: each of these ends as an error. */
Btor *boolector_clone(Btor *btor);
BoolectorNode *boolector_forall(Btor *btor, BoolectorNode *params[], uint32_t paramc, BoolectorNode *body);
BoolectorNode *boolector_exists(Btor *btor, BoolectorNode *param[], uint32_t paramc, BoolectorNode *body);
void boolector_set_trapi(Btor *btor, FILE *apitrace);
FILE *boolector_get_trapi(Btor *btor);
void boolector_dump_aiger_ascii(Btor *btor, FILE *file, bool merge_roots);
void boolector_dump_aiger_binary(Btor *btor, FILE *file, bool merge_roots);

#ifdef __cplusplus
}
#endif

#endif
