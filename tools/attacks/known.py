"""Cases that are known to fail, each with the reason. A case listed here counts as skipped when it fails."""

TEMPORARY_TRACE = (
    "a what-if under another driver also writes a temporary trace, and the error of that names the recording"
)
KNOWN = {
    "names_and_numbers/failed_output_changes_0": TEMPORARY_TRACE,
    "names_and_numbers/failed_output_changes_1000": TEMPORARY_TRACE,
}
