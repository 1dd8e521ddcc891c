/* fails: the nearest integer is not what adding a half and cutting gives, just below a half. */
#include <assert.h>
float nondet_float(void);
int main(void) {
  float x = nondet_float();
  if (!(x >= 0.0f && x <= 1000.0f)) return 0;
  int nearest = (int)(x + 0.5f);
  if (x < 0.5f) assert(nearest == 0);
  return 0;
}
