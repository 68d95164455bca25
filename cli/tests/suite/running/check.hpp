// Ends the program at the first condition that does not hold, with its line, without destructors.

#include <unistd.h>

#include <cstdio>

#define CHECK(condition)                                        \
    do {                                                        \
        if (!(condition)) {                                     \
            printf("line %d: %s\n", __LINE__, #condition);      \
            fflush(stdout);                                     \
            _exit(1);                                           \
        }                                                       \
    } while (0)
