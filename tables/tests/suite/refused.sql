SELECT name, count(*) FROM events
SELECT name, thread, count(*) FROM events GROUP BY name
SELECT * FROM heaps GROUP BY heap
SELECT heap FROM heaps HAVING heap > 1
SELECT name FROM events GROUP BY name HAVING thread > 1
SELECT heap FROM heaps WHERE size_bytes = (1, 2)
SELECT heap FROM heaps WHERE size_bytes = (SELECT heap, name FROM heaps)
SELECT name FROM events WHERE thread = (SELECT thread FROM events)
SELECT (1, 2)
SELECT [1, 2]
DROP TABLE heaps
INSERT INTO heaps VALUES (1)
CREATE TABLE t (a INT)
CREATE TABLE t AS SELECT 1
TRUNCATE heaps
UPDATE heaps SET heap = 1
DELETE FROM heaps
ALTER TABLE heaps ADD COLUMN x INT
EXPLAIN SELECT 1
COPY heaps TO 'x.csv'
SET x = 1
SELECT 1; SELECT 2
SELECT
SELECT heap FROM
SELECT heap FROM heaps WHERE
SELECT heap heaps FROM FROM
select heap, from from heaps
how many heaps are there?
SELECT summ(size_bytes) FROM heaps
SELECT lengt(name) FROM heaps
SELECT now()
SELECT random()
SELECT formt FROM resources
SELECT kind FROM resorces
SELECT x.heap FROM heaps h
SELECT h.hep FROM heaps h
SELECT heap FROM heaps h JOIN placements p ON h.heap = p.heap
SELECT 1 FROM heaps JOIN heaps ON 1 = 1
SELECT heap FROM heaps JOIN placements
SELECT heap + 1 FROM heaps
SELECT sum(heap) FROM heaps
SELECT sum(name) FROM heaps
SELECT avg(tight) FROM resources
SELECT sum(1) FROM heaps
SELECT name + 1 FROM heaps
SELECT heap FROM heaps WHERE name = 5
SELECT heap FROM heaps WHERE size_bytes = '5'
SELECT heap FROM heaps WHERE size_bytes
SELECT heap FROM heaps WHERE name AND true
SELECT heap FROM heaps WHERE count(*) > 1
SELECT heap FROM heaps WHERE row_number() OVER (ORDER BY heap) = 1
SELECT sum(count(*)) FROM heaps
SELECT row_number() OVER () FROM heaps
SELECT row_number() FROM heaps
SELECT heap FROM heaps ORDER BY 3
SELECT heap FROM heaps ORDER BY 'heap'
SELECT heap FROM heaps LIMIT 'x'
SELECT heap FROM heaps LIMIT -1
SELECT heap FROM heaps UNION SELECT heap, name FROM heaps
SELECT heap FROM heaps UNION SELECT name FROM heaps
SELECT h.heap FROM heaps h WHERE EXISTS (SELECT 1 FROM placements p WHERE p.heap = h.heap)
WITH RECURSIVE t AS (SELECT 1) SELECT * FROM t
VALUES (1), (2)
SELECT 18446744073709551616
SELECT 9223372036854775807 + 1
SELECT 1 // 0
SELECT CAST('x' AS BIGINT)
SELECT CAST(1 AS DATE)
SELECT DATE '2020-01-01'
SELECT CASE WHEN true THEN 1 ELSE 'a' END
SELECT coalesce(1, 'a')
SELECT heap FROM heaps WHERE "ALLOWED" = name
SELECT name FROM heaps WHERE name LIKE heap_type
SELECT count(*) FROM read_parquet('x')
SELECT * FROM resource
SELECT * FROM heap
