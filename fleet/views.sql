-- The tables of docs/tables.md whose files in a lake hold less than they do. `stored_NAME` is all files `NAME/trace=*/NAME.parquet`
-- with the column `trace`. `//` divides whole numbers: in Spark that is ` div `, in DataFusion `/`; and Spark's views of this sort are
-- TEMPORARY. fleet/ask.py does it so.

CREATE VIEW calls AS
SELECT *, start_stamp + duration_ticks AS stop_stamp,
  CASE WHEN duration_ticks >= 0 THEN (duration_ticks) // NULLIF(ticks_per_second, 0) * 1000000000 + (duration_ticks) % NULLIF(ticks_per_second, 0) * 1000000000 // NULLIF(ticks_per_second, 0) END AS duration_ns
FROM stored_calls;

CREATE VIEW ddi_calls AS
SELECT *, start_stamp + duration_ticks AS stop_stamp,
  CASE WHEN duration_ticks >= 0 THEN (duration_ticks) // NULLIF(ticks_per_second, 0) * 1000000000 + (duration_ticks) % NULLIF(ticks_per_second, 0) * 1000000000 // NULLIF(ticks_per_second, 0) END AS duration_ns
FROM stored_ddi_calls;

CREATE VIEW resources AS
SELECT *,
  CASE WHEN created_stamp >= first_stamp THEN (created_stamp - first_stamp) // NULLIF(ticks_per_second, 0) * 1000000000 + (created_stamp - first_stamp) % NULLIF(ticks_per_second, 0) * 1000000000 // NULLIF(ticks_per_second, 0)
    WHEN created_stamp < first_stamp THEN 0 // NULLIF(ticks_per_second, 0) END AS created_ns,
  CASE WHEN released_stamp >= first_stamp THEN (released_stamp - first_stamp) // NULLIF(ticks_per_second, 0) * 1000000000 + (released_stamp - first_stamp) % NULLIF(ticks_per_second, 0) * 1000000000 // NULLIF(ticks_per_second, 0)
    WHEN released_stamp < first_stamp THEN 0 // NULLIF(ticks_per_second, 0) END AS released_ns,
  CASE WHEN released_stamp >= created_stamp THEN
    (released_stamp - created_stamp) // NULLIF(ticks_per_second, 0) * 1000000000 + (released_stamp - created_stamp) % NULLIF(ticks_per_second, 0) * 1000000000 // NULLIF(ticks_per_second, 0) END AS lifetime_ns
FROM stored_resources;

CREATE VIEW placements AS
SELECT trace, heap, resource, name, heap_offset_bytes, size_bytes, heap_offset_bytes + size_bytes AS end_bytes, alignment_bytes,
  outlives_heap, created_stamp,
  CASE WHEN created_stamp >= first_stamp THEN (created_stamp - first_stamp) // NULLIF(ticks_per_second, 0) * 1000000000 + (created_stamp - first_stamp) % NULLIF(ticks_per_second, 0) * 1000000000 // NULLIF(ticks_per_second, 0)
    WHEN created_stamp < first_stamp THEN 0 // NULLIF(ticks_per_second, 0) END AS created_ns,
  created_seq, created_thread, released_stamp,
  CASE WHEN released_stamp >= first_stamp THEN (released_stamp - first_stamp) // NULLIF(ticks_per_second, 0) * 1000000000 + (released_stamp - first_stamp) % NULLIF(ticks_per_second, 0) * 1000000000 // NULLIF(ticks_per_second, 0)
    WHEN released_stamp < first_stamp THEN 0 // NULLIF(ticks_per_second, 0) END AS released_ns,
  released_seq, released_thread
FROM stored_resources
WHERE outlives_heap IS NOT NULL;

CREATE VIEW memory AS
SELECT *,
  CASE WHEN at_stamp >= first_stamp THEN (at_stamp - first_stamp) // NULLIF(ticks_per_second, 0) * 1000000000 + (at_stamp - first_stamp) % NULLIF(ticks_per_second, 0) * 1000000000 // NULLIF(ticks_per_second, 0)
    WHEN at_stamp < first_stamp THEN 0 // NULLIF(ticks_per_second, 0) END AS at_ns
FROM stored_memory;

CREATE VIEW events AS
SELECT trace, stamp, thread, code, name, provider, layer, opcode FROM stored_other_events
UNION ALL SELECT trace, start_stamp, thread, code, name, provider, 'api', 'start' FROM stored_calls
UNION ALL SELECT trace, start_stamp + duration_ticks, thread, code + 1, name, provider, 'api', 'stop' FROM stored_calls
  WHERE duration_ticks IS NOT NULL
UNION ALL SELECT trace, start_stamp, thread, code, name, provider, 'ddi', 'start' FROM stored_ddi_calls
UNION ALL SELECT trace, start_stamp + duration_ticks, thread, code + 1, name, provider, 'ddi', 'stop' FROM stored_ddi_calls
  WHERE duration_ticks IS NOT NULL;
