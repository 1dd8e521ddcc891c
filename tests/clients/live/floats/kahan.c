/* holds: the correction of a compensated sum is too small to change the sum. */
#include <assert.h>
float nondet_float(void);
int main(void) {
  float sum = nondet_float(), next = nondet_float();
  if (!(sum >= 1.0f && sum <= 4.0f && next >= 0.0f && next <= 1.0f)) return 0;
  float total = sum + next;
  float lost = (total - sum) - next;
  assert(total - lost == total);
  return 0;
}
