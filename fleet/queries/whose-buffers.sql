-- Whose buffers? What buffers lose to rounding, by workload and driver.
SELECT t.workload, t.driver, count(*) AS buffers, sum(r.size_bytes) AS size_bytes, sum(r.rounding_bytes) AS rounding_bytes
FROM resources r JOIN traces t ON r.trace = t.trace
WHERE r.dimension = 'BUFFER'
GROUP BY t.workload, t.driver
ORDER BY t.workload, t.driver
