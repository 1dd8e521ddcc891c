/* fails: the greatest int is none as a float, so the check before the conversion lets 2147483648 through. */
#include <assert.h>
#include <limits.h>
float nondet_float(void);
int main(void) {
  float x = nondet_float();
  if (!(x >= 0.0f && x <= (float)INT_MAX)) return 0;
  long long n = (long long)x;
  assert(n <= INT_MAX);
  return 0;
}
