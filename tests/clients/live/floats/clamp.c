/* fails: what is not a number passes a clamp. */
#include <assert.h>
float nondet_float(void);
int main(void) {
  float x = nondet_float(), low = nondet_float(), high = nondet_float();
  if (!(low <= high)) return 0;
  float clamped = x < low ? low : x > high ? high : x;
  assert(clamped >= low || clamped != clamped);
  assert(clamped >= low);
  return 0;
}
