/* The sum of the first numbers, by a loop and by the formula. */
#include <assert.h>
unsigned nondet_uint(void);
int main(void) {
  unsigned n = nondet_uint(), sum = 0;
  if (n > 7) return 0;
  for (unsigned i = 1; i <= n; i++) sum += i;
  assert(sum == n * (n + 1) / 2);
  return 0;
}
