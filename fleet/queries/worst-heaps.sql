-- The worst heaps over all runs: what padding, holes and tails take when their resources take most.
SELECT t.workload, t.driver, h.trace, h.created_stamp, h.size_bytes, h.padding_bytes + h.hole_bytes + h.tail_bytes AS waste_bytes
FROM heaps h JOIN traces t ON h.trace = t.trace
WHERE h.peak_placed > 0
ORDER BY waste_bytes DESC, h.trace, h.created_stamp
LIMIT 10
