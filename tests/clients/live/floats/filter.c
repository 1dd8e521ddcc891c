/* holds: a low-pass filter stays within the range of its inputs. */
#include <assert.h>
float nondet_float(void);
int main(void) {
  float y = 0.0f;
  for (int step = 0; step < 3; step++) {
    float x = nondet_float();
    if (!(x >= -1.0f && x <= 1.0f)) return 0;
    y = 0.75f * y + 0.25f * x;
    assert(y >= -1.0f && y <= 1.0f);
  }
  return 0;
}
