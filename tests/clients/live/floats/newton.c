/* holds: two steps of Newton's method for the root of a number between 1 and 2 stay between 1 and 3/2. */
#include <assert.h>
float nondet_float(void);
int main(void) {
  float x = nondet_float(), guess = 1.0f;
  if (!(x >= 1.0f && x <= 2.0f)) return 0;
  guess = 0.5f * (guess + x / guess);
  guess = 0.5f * (guess + x / guess);
  assert(guess >= 1.0f && guess <= 1.5f);
  return 0;
}
