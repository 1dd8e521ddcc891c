/* What the fuzzers have in common: random numbers, lists of what earlier calls returned, calls from another thread.
 *
 * A run is a sequence of calls with arguments at random, right and wrong ones, each a function of the header under
 * test. It depends on the seed alone. A list has what was returned, freed or not; some picks are null or made up. */
#ifndef BIVALVE_FUZZ_H
#define BIVALVE_FUZZ_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 16;
static unsigned long calls, refused;

static uint64_t any(void)
{
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545f4914f6cdd1dull;
}

static uint32_t below(uint32_t bound)
{
  return (uint32_t)((any() >> 33) % bound);
}

static bool rarely(uint32_t times)
{
  return below(times) == 0;
}

/* A width or a position: small as a rule, at a bound or beyond it otherwise. */
static uint32_t number(void)
{
  switch (below(40))
  {
    case 0: return 0;
    case 1: return UINT32_MAX;
    case 2: return (1u << 24) + 1;
    case 3: return (uint32_t)any();
    case 4: return 1u << 31;
    case 5:
    case 6: return 30 + below(40);
    default: return 1 + below(9);
  }
}

static const char *text(void)
{
  static const char *const texts[] = {
    "x", "y", "", "1011", "0", "-7", "ff", "3", "bvadd", "|a b|", "smt2", "btor", "(assert (= a a))",
    "(declare-const q (_ BitVec 4)) (assert (bvult q #x3)) (check-sat)", "(assert (", "\xff\xfe", "seed",
    "x : BITVECTOR(8);\nASSERT(x = 0hex51);\nQUERY(FALSE);\n", "1 sort bitvec 4\n2 input 1\n3 not 1 2\n4 root 3\n",
    "1 var 4\n2 root 1 1\n", "(benchmark b :logic QF_BV :extrafuns ((a BitVec[4])) :formula (= a a))"
  };
  return rarely(20) ? NULL : texts[below(sizeof texts / sizeof *texts)];
}

/* A list of what calls have returned: the newest are picked most. */
#define KEPT 512
#define LIST(type, name)                                                                       \
  static type name##_list[KEPT];                                                               \
  static unsigned long name##_count;                                                           \
  static void keep_##name(type value)                                                          \
  {                                                                                            \
    name##_list[name##_count++ % KEPT] = value;                                                \
  }                                                                                            \
  static type kept_##name(void)                                                                \
  {                                                                                            \
    unsigned long there = name##_count < KEPT ? name##_count : KEPT;                           \
    unsigned long back = there > 12 && !rarely(8) ? 12 : there;                                \
    return name##_list[(name##_count - 1 - below((uint32_t)back)) % KEPT];                     \
  }

static void check_failed(const char *file, int line, const char *what)
{
  fprintf(stderr, "%s:%d: after %lu calls: %s\n", file, line, calls, what);
  abort();
}
#define EXPECT(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))

static void call(void);

static void *calls_elsewhere(void *unused)
{
  for (int left = 12; left > 0; left--) call();
  return unused;
}

/* Calls on a thread that made nothing of what is picked; this one waits for it. */
static void go_elsewhere(void)
{
  pthread_t other;
  EXPECT(pthread_create(&other, NULL, calls_elsewhere, NULL) == 0);
  EXPECT(pthread_join(other, NULL) == 0);
}

/* So many calls with the seed; both are arguments of the program. */
static void run(int argc, char **argv)
{
  unsigned long wanted = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
  if (argc > 2) state = strtoull(argv[2], NULL, 10) * 2 + 1;
  while (calls < wanted)
  {
    if (rarely(200)) go_elsewhere();
    call();
  }
  fprintf(stderr, "%lu calls, %lu refused\n", calls, refused);
  EXPECT(refused > calls / 20 && refused < calls - calls / 20);
}

#endif
