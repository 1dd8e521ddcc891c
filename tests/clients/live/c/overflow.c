/* The mean of two numbers, which overflows. */
#include <assert.h>
int nondet_int(void);
int main(void) {
  int a = nondet_int(), b = nondet_int();
  if (a < 0 || b < 0) return 0;
  int mean = (a + b) / 2;
  assert(mean >= 0);
  return 0;
}
