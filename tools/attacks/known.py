"""Cases that are known to fail, each with the reason. A case listed here counts as skipped when it fails."""

KNOWN = {
    "memory/options_3": "the memory of a buffer is touched in its whole size: 64 threads of 64 MiB buffers are 3 GiB",
}
