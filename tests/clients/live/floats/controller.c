/* holds: a controller's command and its sum of errors stay within their limits, whatever is measured. */
#include <assert.h>
float nondet_float(void);
static float limited(float x, float limit) { return x > limit ? limit : x >= -limit ? x : -limit; }
int main(void) {
  float sum = 0.0f;
  for (int step = 0; step < 3; step++) {
    float error = 20.0f - nondet_float();
    sum = limited(sum + error, 50.0f);
    float command = limited(2.0f * error + 0.1f * sum, 100.0f);
    assert(sum >= -50.0f && sum <= 50.0f);
    assert(command >= -100.0f && command <= 100.0f);
  }
  return 0;
}
