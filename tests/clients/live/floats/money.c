/* fails: an amount in cents is not what its conversion to euros and back gives: 0.29 becomes 28 cents. */
#include <assert.h>
int nondet_int(void);
int main(void) {
  int cents = nondet_int();
  if (cents < 0 || cents > 10000) return 0;
  double euros = cents / 100.0;
  assert((int)(euros * 100.0 + 0.5) == cents);
  assert((int)(euros * 100.0) == cents);
  return 0;
}
