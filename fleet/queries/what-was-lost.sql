-- What was lost: events, and traces without an end, by workload and build.
SELECT workload, build, count(*) AS traces, sum(events) AS events, sum(lost_events) AS lost_events,
  sum(CASE WHEN complete THEN 0 ELSE 1 END) AS unfinished
FROM traces
GROUP BY workload, build
ORDER BY workload, build
