-- Regressions by tag: figures in bytes that are more than 1 % greater on other branches than on `main`.
WITH both_sides AS (
  SELECT t.workload, f.report, f.key,
    avg(CASE WHEN t.tag_branch = 'main' THEN f.value END) AS on_main,
    avg(CASE WHEN t.tag_branch <> 'main' THEN f.value END) AS elsewhere
  FROM figures f JOIN traces t ON f.trace = t.trace
  WHERE f.unit = 'bytes'
  GROUP BY t.workload, f.report, f.key
)
SELECT workload, report, key, on_main, elsewhere
FROM both_sides
WHERE elsewhere > on_main * 1.01
ORDER BY workload, report, key
LIMIT 50
