-- Which driver does not converge? Traces whose optimiser came to rest, so that they are fit to measure, and whose did not.
SELECT t.driver, count(*) AS traces, sum(CASE WHEN f.value = 0 THEN 1 ELSE 0 END) AS restless
FROM figures f JOIN traces t ON f.trace = t.trace
WHERE f.report = 'pgo' AND f.key = 'fit_to_measure'
GROUP BY t.driver
ORDER BY t.driver
