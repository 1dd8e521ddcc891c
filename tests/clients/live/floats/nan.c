/* holds: two numbers are ordered; only what is not a number differs from itself. */
#include <assert.h>
double nondet_double(void);
int main(void) {
  double x = nondet_double(), y = nondet_double();
  assert(x < y || x == y || x > y || x != x || y != y);
  assert(!(x < y) || !(y <= x));
  assert(!(x + y != x + y) || x != x || y != y || x - x != x - x);
  return 0;
}
