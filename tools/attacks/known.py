"""Cases that are known to fail, each with the reason. A case listed here counts as skipped when it fails."""

KNOWN: dict[str, str] = {}
