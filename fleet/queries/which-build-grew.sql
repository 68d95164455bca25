-- Which build grew? What resources take at most, by the tag `commit`.
SELECT t.tag_commit, count(*) AS traces, max(f.value) AS max_bytes, avg(f.value) AS mean_bytes
FROM figures f JOIN traces t ON f.trace = t.trace
WHERE f.report = 'alignment' AND f.key = 'peak.allocated_bytes'
GROUP BY t.tag_commit
ORDER BY t.tag_commit
