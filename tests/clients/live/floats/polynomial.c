/* holds: a polynomial after Horner is positive between 0 and 1. */
#include <assert.h>
float nondet_float(void);
int main(void) {
  float x = nondet_float();
  if (!(x >= 0.0f && x <= 1.0f)) return 0;
  float p = (x - 1.0f) * x + 0.5f;
  assert(p >= 0.125f && p <= 0.5f);
  return 0;
}
