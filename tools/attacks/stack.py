"""Recursion that input controls: a message at a depth or count, never an overflow."""

import json
import os

import containers
from harness import GIB, Limits, case, register

LIMITS = Limits(address_space=4 * GIB)
# Depths: above the documented limit of 500, the issue's, and far beyond any stack.
DEPTHS = [600, 3000, 100_000]


def repeated(text, depth, join):
    return join.join([text] * depth)


SQL = {
    "union_all": lambda n: repeated("SELECT 1", n, " UNION ALL "),
    "union": lambda n: repeated("SELECT 1", n, " UNION "),
    "except": lambda n: repeated("SELECT 1", n, " EXCEPT "),
    "additions": lambda n: "SELECT " + repeated("1", n, "+"),
    "stamp_additions": lambda n: "SELECT " + repeated("stamp", n, "+") + " FROM events",
    "ands": lambda n: "SELECT 1 FROM events WHERE " + repeated("stamp > 1", n, " AND "),
    "ors": lambda n: "SELECT 1 FROM events WHERE " + repeated("stamp = 1", n, " OR "),
    "parentheses": lambda n: "SELECT " + "(" * n + "1" + ")" * n,
    "open_parentheses": lambda n: "SELECT " + "(" * n,
    "nots": lambda n: "SELECT " + "NOT " * n + "true",
    "minuses": lambda n: "SELECT " + "- " * n + "1",
    "pluses": lambda n: "SELECT " + "+ " * n + "1",
    "subqueries": lambda n: "SELECT * FROM (" * n + "SELECT 1" + ")" * n,
    "scalar_subqueries": lambda n: "SELECT (" * n + "SELECT 1" + ")" * n,
    "functions": lambda n: "SELECT " + "abs(" * n + "1" + ")" * n,
    "cases": lambda n: "SELECT " + "CASE WHEN true THEN " * n + "1" + " END" * n,
    "whens": lambda n: "SELECT CASE " + "WHEN false THEN 1 " * n + "END",
    "casts": lambda n: "SELECT " + "CAST(" * n + "1" + " AS BIGINT)" * n,
    "colons": lambda n: "SELECT 1" + "::BIGINT" * n,
    "concatenations": lambda n: "SELECT " + repeated("'a'", n, "||"),
    "likes": lambda n: "SELECT " + repeated("'a'", n, " LIKE "),
    "is_null": lambda n: "SELECT 1" + " IS NULL" * n,
    "equals": lambda n: "SELECT " + repeated("1", n, "="),
    "joins": lambda n: "SELECT count(*) FROM traces t" + "".join(f" JOIN traces t{k} ON t.trace = t{k}.trace" for k in range(n)),
    "nested_joins": lambda n: "SELECT 1 FROM " + "(" * n + "traces" + ")" * n,
    "with_chain": lambda n: "WITH c0 AS (SELECT 1 AS a)" + "".join(f", c{k} AS (SELECT * FROM c{k - 1})" for k in range(1, n)) + f" SELECT * FROM c{n - 1}",
    "withs": lambda n: "WITH a AS (" * n + "SELECT 1" + ") SELECT * FROM a" * n,
    "exists": lambda n: "SELECT 1 WHERE " + "EXISTS (SELECT 1 WHERE " * n + "true" + ")" * n,
    "in_nested": lambda n: "SELECT 1 WHERE 1 IN (" + "SELECT 1 WHERE 1 IN (" * n + "1" + ")" * n + ")",
    "betweens": lambda n: "SELECT " + "1 BETWEEN 0 AND " * n + "1",
    "arrays": lambda n: "SELECT " + "[" * n + "]" * n,
    "columns": lambda n: "SELECT " + repeated("1", n, ","),
    "order_by": lambda n: "SELECT stamp FROM events ORDER BY " + repeated("stamp", n, ","),
    "group_by": lambda n: "SELECT count(*) FROM events GROUP BY " + repeated("stamp", n, ","),
    "windows": lambda n: "SELECT " + "sum(" * n + "1" + ") OVER ()" * n,
    "comments": lambda n: "SELECT " + "/*" * n + "*/" * n + "1",
    "dots": lambda n: "SELECT " + repeated("a", n, "."),
    "explain": lambda n: "EXPLAIN " * n + "SELECT 1",
}


def sql(t, name, depth):
    """A question of this depth has an answer or a message; its shell goes on."""
    t.fixture("plain.taut", "x.taut")
    text = SQL[name](depth)
    run = t.taut("query", "x.taut", "-", stdin=text.encode(), limits=LIMITS, timeout_s=40, codes={0, 1, 2})
    t.check(run, run.code == 0 or run.stderr.strip(), "a message")
    if depth == 3000:
        # A shell that reads a pipe ends at the first error, with that error's code.
        t.taut("shell", "x.taut", stdin=text.encode() + b";\nSELECT 40 + 2;\n", limits=LIMITS, timeout_s=40, codes={0, 1, 2})


def group(t, name, depths):
    """Some depths of a form."""
    for depth in depths:
        sql(t, name, depth)


for name in SQL:
    # Texts of a megabyte take seconds each in a debug build: the short run has them for four forms.
    short = DEPTHS if name in ("union_all", "additions", "parentheses", "subqueries") else DEPTHS[:2]
    register(f"stack/sql_{name}", group, name, short)
    register(f"stack/sql_{name}_long", group, name, DEPTHS, long=True)


@case
def ordinary_depths_have_answers(t):
    """Limits leave ordinary questions alone."""
    t.fixture("plain.taut", "x.taut")
    for name in ["union_all", "additions", "ands", "ors", "whens", "concatenations", "columns"]:
        t.taut("query", "x.taut", SQL[name](100), codes={0}, timeout_s=40)
    for name in ["parentheses", "nots", "subqueries", "functions", "cases", "with_chain"]:
        t.taut("query", "x.taut", SQL[name](20), codes={0}, timeout_s=40)
    # docs/limits.md: 12 functions of keywords around one place.
    t.taut("query", "x.taut", SQL["casts"](12), codes={0}, timeout_s=40)


@case
def unions_have_a_message(t):
    """3,000 `UNION ALL` are an error of the question, with a message."""
    t.fixture("plain.taut", "x.taut")
    run = t.taut("query", "x.taut", SQL["union_all"](3000), limits=LIMITS, codes={1, 2})
    t.check_names(run, "500")


SCENARIO = 'name = "s"\n[shaders]\nh = ["exposure-resolve"]\n[[phase]]\nname = "p"\nsteps = [{steps}]\n'
EXPRESSIONS = {
    "additions": lambda n: repeated("1", n, "+"),
    "frame_additions": lambda n: repeated("frame", n, "+"),
    "subtractions": lambda n: repeated("1", n, "-"),
    "products": lambda n: repeated("1", n, "*"),
    "parentheses": lambda n: "(" * n + "1" + ")" * n,
    "open": lambda n: "(" * n,
    "minuses": lambda n: "-" * n + "1",
    "nots": lambda n: "!" * n + "1",
    "functions": lambda n: "abs(" * n + "1" + ")" * n,
    "minimums": lambda n: "min(1," * n + "1" + ")" * n,
    "comparisons": lambda n: repeated("1", n, "<"),
    "ifs": lambda n: "if(1,1," * n + "1" + ")" * n,
    "ands": lambda n: repeated("1", n, "&&"),
}


def expression(t, name):
    """An expression of a scenario: read, evaluated and dropped, or refused."""
    for depth in DEPTHS:
        text = EXPRESSIONS[name](depth)
        for steps in [f'{{ play = "h", frames = 2, draws = 1, frame = "{text}" }}', f'{{ play = "h", frames = 1, draws = 1, constants = {{ exposure = "{text}" }} }}']:
            t.write("s.toml", SCENARIO.replace("{steps}", steps))
            run = t.taut("record", "s.toml", "-o", "o.taut", "--force", limits=LIMITS, timeout_s=40)
            t.check(run, run.code == 0 or run.stderr.strip(), "a message")
            t.check(run, len(run.stderr) < 10_000, "a message of a few lines", f"{len(run.stderr)} bytes of messages")


for name in EXPRESSIONS:
    register(f"stack/expression_{name}", expression, name)


def nested_toml(n):
    """Arrays and tables in TOML."""
    return [
        "a = " + "[" * n + "]" * n + "\n",
        "a = " + "{ b = " * n + "1" + " }" * n + "\n",
        ".".join(["a"] * n) + " = 1\n",
        "[" + ".".join(["a"] * n) + "]\n",
        "a = " + "[" * n,
    ]


def nested_json(n):
    """Arrays and objects in JSON."""
    return ["[" * n + "]" * n, '{"a":' * n + "1" + "}" * n, "[" * n, '{"asset":' + "[" * n + "]" * n + "}"]


FILES = {
    "driver": ("d.toml", ["record", "small-level", "--driver", "d.toml", "-o", "o.taut"], nested_toml),
    "machine": ("m.toml", ["record", "small-level", "--machine", "m.toml", "-o", "o.taut"], nested_toml),
    "scenario": ("s.toml", ["record", "s.toml", "-o", "o.taut"], nested_toml),
    "shader": ("h.toml", ["record", "pix-single-frame", "--set", "shader=h.toml", "-o", "o.taut"], nested_toml),
    "budget": ("b.toml", ["analyze", "plain.taut", "--budget", "b.toml"], nested_toml),
    "memory_dump": ("d.json", ["record", "d.json", "-o", "o.taut"], nested_json),
    "cases": ("c.json", ["hlk", "--cases", "c.json"], nested_json),
    "scene": ("s.gltf", ["record", "s.gltf", "-o", "o.taut"], nested_json),
    "call_log": ("l.jsonl", ["record", "l.jsonl", "-o", "o.taut"], nested_json),
    "alloc_info": ("a.jsonl", ["alloc-info", "a.jsonl"], nested_json),
    "tile_info": ("t.jsonl", ["tile-info", "t.jsonl"], nested_json),
}


def file(t, name):
    """A text whose structure nests deeply."""
    t.fixture("plain.taut")
    path, command, texts = FILES[name]
    for depth in DEPTHS:
        for text in texts(depth):
            t.write(path, text)
            t.taut(*command, limits=LIMITS, timeout_s=40)


for name in FILES:
    register(f"stack/file_{name}", file, name)


@case
def steps_of_a_scenario(t):
    """`repeat` in `repeat`, and loops that would never end."""
    for depth in DEPTHS:
        steps = "{ repeat = 1, steps = [" * depth + '{ play = "h", frames = 1, draws = 1 }' + "] }" * depth
        t.write("s.toml", SCENARIO.replace("{steps}", steps))
        t.taut("record", "s.toml", "-o", "o.taut", limits=LIMITS, timeout_s=40)


@case
def loops_of_a_shader(t):
    """Loops in loops of a shader, deeper than a stack."""
    for depth in [10, 600, 20_000]:
        body = ['{ literal = { ty = "f32", word = 0 } }']
        body += ['{ loop = { trips = { constant = { count = 1 } }, initial = [] } }'] * depth
        body += ["{ end_loop = { next = [] } }"] * depth
        t.write("h.toml", 'name = "h"\nlanes = 1\nconstants = []\ninputs = []\nbody = [\n' + ",\n".join(body) + "\n]\noutputs = [0]\n")
        t.taut("record", "pix-single-frame", "--set", "shader=h.toml", "-o", "o.taut", limits=LIMITS, timeout_s=40)


def scene_of(nodes):
    return json.dumps({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes})


@case
def nodes_of_a_scene(t):
    """A chain of 100,000 nodes, a node that is its own child, and two that are each other's."""
    chain = [{"children": [number + 1]} for number in range(100_000)] + [{}]
    for nodes in [chain, [{"children": [0]}], [{"children": [1]}, {"children": [0]}], [{"children": [7]}]]:
        t.write("s.gltf", scene_of(nodes))
        for more in [[], ["--set", "api=d3d11"]]:
            t.taut("record", "s.gltf", "-o", "o.taut", *more, limits=LIMITS, timeout_s=40)


@case
def doubling_nodes_of_a_scene(t):
    """40 nodes, each the next one's parent twice: 2^40 instances."""
    t.write("s.gltf", scene_of([{"children": [number + 1, number + 1]} for number in range(40)] + [{}]))
    for more in [[], ["--set", "api=d3d11"]]:
        t.taut("record", "s.gltf", "-o", "o.taut", *more, limits=LIMITS, timeout_s=40)


READERS = {
    "info": ["info", "x.taut"],
    "dump": ["dump", "x.taut", "--limit", "10"],
    "analyze": ["analyze", "x.taut"],
    "replay": ["replay", "x.taut"],
    "perfetto": ["export", "x.taut", "--to", "perfetto", "-o", "-"],
    "query": ["query", "x.taut", "SELECT count(*) FROM calls"],
    "call": ["query", "x.taut", "SELECT * FROM call LIMIT 1"],
    "diff": ["diff", "x.taut", "x.taut"],
    "recover": ["recover", "x.taut", "-o", "new.taut"],
}


def nested_calls(t, name):
    """262,144 calls, none of which returns."""
    t.fixture("nested.taut", "x.taut")
    t.taut(*READERS[name], limits=LIMITS, timeout_s=60)


for name in READERS:
    register(f"stack/nested_calls_{name}", nested_calls, name)


def head_text(t, name):
    """A head whose JSON nests deeply."""
    for depth in DEPTHS:
        for text in ['{"schema":{"events":[]},"world":{},"identity":' + "[" * depth + "]" * depth + "}", "[" * depth, '{"world":' * depth + "1" + "}" * depth]:
            start, _ = containers.head(text=text.encode())
            t.write("x.taut", start)
            t.taut(*READERS[name], limits=LIMITS, timeout_s=40)


for name in ["info", "dump", "analyze", "replay", "query"]:
    register(f"stack/head_{name}", head_text, name)


@case
def small_stacks(t):
    """A stack of 1 MiB is enough for ordinary inputs."""
    t.fixture("complete.taut", "x.taut")
    for command in READERS.values():
        if command[0] == "query" and "FROM call " in command[2]:
            continue
        t.taut(*command, limits=Limits(stack=1 << 20), timeout_s=40)
        if os.path.exists(t.path("new.taut")):
            os.remove(t.path("new.taut"))
