-- Percentiles of residency: what heaps and committed resources take, over all changes, by workload (nearest rank).
WITH ranked AS (
  SELECT t.workload, m.total_bytes,
    row_number() OVER (PARTITION BY t.workload ORDER BY m.total_bytes) AS place,
    count(*) OVER (PARTITION BY t.workload) AS changes
  FROM memory m JOIN traces t ON m.trace = t.trace
)
SELECT workload, max(changes) AS changes,
  min(CASE WHEN place * 2 >= changes THEN total_bytes END) AS half_bytes,
  min(CASE WHEN place * 20 >= changes * 19 THEN total_bytes END) AS p95_bytes,
  max(total_bytes) AS max_bytes
FROM ranked
GROUP BY workload
ORDER BY workload
