/* Four numbers are sorted. */
#include <assert.h>
unsigned char nondet_uchar(void);
int main(void) {
  unsigned char a[4];
  for (int i = 0; i < 4; i++) a[i] = nondet_uchar();
  for (int i = 0; i < 4; i++)
    for (int j = 0; j + 1 < 4 - i; j++)
      if (a[j] > a[j + 1]) {
        unsigned char t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
  assert(a[0] <= a[1] && a[1] <= a[2] && a[2] <= a[3]);
  return 0;
}
