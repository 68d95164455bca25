import tautline as taut

trace: taut.Trace = taut.open("a.taut")
info: taut.Values = trace.info
frame: taut.Frame = trace.query("SELECT 1")
for batch in trace.table("events", columns=["stamp"]):
    n: int = len(batch)
columns: list[str] = frame.columns
report: taut.Report = trace.report("alignment", budget=None)
text: str = report.html() + report.verdict
taut.record("small-level", "x.taut", set={"frames": 5}, progress=lambda done, total: None)
trace.replay(tight=True, output="y.taut", progress=True)
trace.export("z", to="jsonl")
taut.diff("a", trace)
taut.record("small-level", mode="ring", max_size=1 << 20, providers=["api", "task"], sync_interval=0.5)
events: list[taut.Values] = trace.dump(limit=5, event="CreateHeap")
verified: taut.Values = trace.inspect(verify=True)
trace.report(heap_budget={"DEFAULT": 1 << 30}).markdown()
trace.replay(place=["best-fit"], block_size=[1 << 24], change=["buffers_below_256_b=tight"])
checks = taut.hlk("peer").checks
taut.hlk(cases="cases.json", setting={"key": 1})
listed = [taut.drivers("peer"), taut.machines(), taut.workloads("small-level")]
schema: taut.Values = taut.schema()
cache: taut.Values = taut.cache(clear=True)
answer: taut.Values = taut.control("a.taut", "enable", "ddi", timeout=1.0)
sizes: list[taut.Values] = taut.alloc_info([{"id": 1}], driver="peer")
offsets: list[taut.Values] = taut.tile_info([{"id": 1}])
windows: list[taut.Values] = [taut.etl_info("a.etl", manifest=["a.man"]), taut.etl_profile()]
taut.import_etl("a.etl", "a.taut", provider=["name"], redact=True)
taut.recover("a")
taut.lake("l").query("SELECT 1").polars()
taut.query({"a": "a.taut", "b": trace}, "SELECT 1").pandas()
try:
    pass
except taut.TraceError as error:
    offset: "int | None" = error.offset
except taut.QueryError as error:
    line: "int | None" = error.line
