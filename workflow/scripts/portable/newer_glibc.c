// What Debian's libstdc++ takes from a glibc newer than 2.28, for programs that run with the older one.
#include <stdlib.h>
#include <sys/random.h>
char __libc_single_threaded = 0;  // "there may be threads"
unsigned arc4random(void) {
  unsigned drawn;
  if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) abort();
  return drawn;
}
