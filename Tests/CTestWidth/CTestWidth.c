#include <stdlib.h>

// How many tests run at once. Without a bound all begin together, and on a small machine each is so late that
// time-outs which are none of its business come first. Here and not in the Makefile, so that `swift test` by
// itself, and an IDE, keep to it as well; who sets another number is heeded.
__attribute__((constructor)) static void bound_width(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "6", 0);
}
