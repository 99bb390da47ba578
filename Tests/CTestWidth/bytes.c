#include "CTestWidth.h"

#include <stddef.h>

#ifdef __GLIBC__
#include <malloc.h>

size_t test_bytes_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#else
size_t test_bytes_in_use(void) { return 0; }
#endif
