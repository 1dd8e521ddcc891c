/* Two ways to count bits. */
#include <assert.h>
unsigned nondet_uint(void);
int main(void) {
  unsigned x = nondet_uint() & 0xff, y = x, count = 0;
  for (int i = 0; i < 8; i++) count += x >> i & 1;
  y = y - (y >> 1 & 0x55);
  y = (y & 0x33) + (y >> 2 & 0x33);
  y = (y + (y >> 4)) & 0x0f;
  assert(y == count);
  return 0;
}
