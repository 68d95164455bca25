// bcryptprimitives.dll for programs of Rust: Wine 8 lacks its one function.

#include <windows.h>

extern "C" BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG size);

extern "C" __declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE* bytes, SIZE_T size) { return SystemFunction036(bytes, (ULONG)size); }
