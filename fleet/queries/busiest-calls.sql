-- The busiest calls: how often each is made, in how many traces, and how long they take.
SELECT provider, name, count(*) AS calls, count(DISTINCT trace) AS traces, sum(duration_ns) AS duration_ns
FROM calls
GROUP BY provider, name
ORDER BY calls DESC, provider, name
LIMIT 15
