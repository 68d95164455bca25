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
taut.hlk("peer").checks
taut.recover("a")
taut.lake("l").query("SELECT 1").polars()
taut.query({"a": "a.taut", "b": trace}, "SELECT 1").pandas()
try:
    pass
except taut.TraceError as error:
    offset: "int | None" = error.offset
except taut.QueryError as error:
    line: "int | None" = error.line
