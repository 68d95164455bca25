-- Calls that failed, by driver.
SELECT t.driver, c.name, c.hr, count(*) AS calls
FROM calls c JOIN traces t ON c.trace = t.trace
WHERE c.hr <> 0
GROUP BY t.driver, c.name, c.hr
ORDER BY calls DESC, t.driver, c.name, c.hr
LIMIT 20
