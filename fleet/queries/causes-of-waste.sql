-- Causes of waste over all runs.
SELECT cause, count(DISTINCT trace) AS traces, sum(count) AS times, sum(waste_bytes) AS waste_bytes
FROM causes
GROUP BY cause
ORDER BY waste_bytes DESC, cause
