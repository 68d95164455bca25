// bcryptprimitives.dll for programs of Rust: Wine 8 lacks its one function.

#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG size);

__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE* bytes, SIZE_T size) { return SystemFunction036(bytes, (ULONG)size); }
