/* The one function of bcryptprimitives.dll that Rust's standard library imports; Wine 8 lacks the library. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID data, ULONG bytes);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T bytes)
{
    return SystemFunction036(data, (ULONG)bytes);
}
