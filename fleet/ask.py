"""Runs the queries of files on a lake in one engine: ask.py duckdb|datafusion|spark LAKE QUERY.sql…

Prints a JSON object with the rows of each query under its file's name. A query of a tag that no trace of the lake has is
skipped with a message, and the exit code is 3. `--time` prints the duration of each query on stderr.
"""

import json
import os
import re
import sys
import time
from decimal import Decimal
from pathlib import Path


VIEWS = Path(__file__).with_name("views.sql")
# How engines write what views.sql has: division of whole numbers, and views over what is not the catalogue's.
SPOKEN = {"duckdb": {}, "datafusion": {"//": "/"}, "spark": {"//": " div ", "CREATE VIEW": "CREATE TEMPORARY VIEW"}}


def plan(lake, questions, engine):
    """The lake's files that the questions name, each with the table's name, and the views over these."""
    # The table of traces is always needed: its columns are the tags of the lake.
    words = set(re.findall(r"\w+", " ".join(questions))) | {"traces"}
    text = re.sub(r"--.*", "", VIEWS.read_text(encoding="utf-8"))
    views = [view.strip() for view in text.split(";") if view.strip()]
    views = [view for view in views if re.match(r"CREATE VIEW (\w+)", view).group(1) in words]
    made = {re.match(r"CREATE VIEW (\w+)", view).group(1) for view in views}
    stored = {word for view in views for word in re.findall(r"\bstored_(\w+)", view)}
    there = {folder.name for folder in Path(lake).iterdir() if folder.is_dir()}
    tables = {name: name for name in (words & there) - made} | {f"stored_{name}": name for name in stored}
    for word, spoken in SPOKEN[engine].items():
        views = [view.replace(word, spoken) for view in views]
    return sorted(tables.items()), views


def missing_tags(sql, columns):
    """Keys of the tags that a query names and no trace of the lake has."""
    named = set(re.findall(r"\btag_(\w+)", re.sub(r"--.*", "", sql)))
    return sorted(key for key in named if f"tag_{key}" not in columns)


def duckdb_engine(lake, questions):
    import duckdb

    database = duckdb.connect()
    tables, views = plan(lake, questions, "duckdb")
    for table, file in tables:
        files = f"{lake}/{file}/*/*.parquet"
        database.execute(
            f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{files}', hive_partitioning = true, "
            "hive_types_autocast = false, union_by_name = true)"
        )
    for view in views:
        database.execute(view)

    def ask(sql):
        found = database.execute(sql)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row)) for row in found.fetchall()]

    return ask, [row[0] for row in database.execute("DESCRIBE SELECT * FROM traces").fetchall()]


def datafusion_engine(lake, questions):
    import pyarrow
    from datafusion import SessionContext

    context = SessionContext()
    tables, views = plan(lake, questions, "datafusion")
    for table, file in tables:
        # Words are texts whether a file's schema calls them views or not.
        context.register_parquet(table, f"{lake}/{file}/", table_partition_cols=[("trace", pyarrow.string())])
    for view in views:
        context.sql(view).collect()

    def ask(sql):
        return [row for batch in context.sql(sql).collect() for row in batch.to_pylist()]

    return ask, context.table("traces").schema().names


def spark_engine(lake, questions):
    from pyspark.sql import SparkSession

    # Two threads of this process; a cluster is named by its master.
    master = os.environ.get("TAUT_SPARK_MASTER", "local[2]")
    session = (
        SparkSession.builder.master(master)
        .config("spark.ui.enabled", "false")
        .config("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    tables, views = plan(lake, questions, "spark")
    for table, file in tables:
        session.read.option("mergeSchema", "true").parquet(f"{lake}/{file}").createOrReplaceTempView(table)
    for view in views:
        session.sql(view)

    def ask(sql):
        return [row.asDict() for row in session.sql(sql).collect()]

    return ask, session.table("traces").columns


ENGINES = {"duckdb": duckdb_engine, "datafusion": datafusion_engine, "spark": spark_engine}


def plain(value):
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--time"]
    if len(arguments) < 3 or arguments[0] not in ENGINES:
        sys.exit(__doc__)
    engine, lake, queries = arguments[0], os.path.abspath(arguments[1]), arguments[2:]
    questions = {Path(query).stem: Path(query).read_text(encoding="utf-8") for query in queries}
    ask, columns = ENGINES[engine](lake, questions.values())
    answers, is_complete = {}, True
    for name, sql in questions.items():
        missing = missing_tags(sql, columns)
        if missing:
            is_complete = False
            options = " ".join(f"--tag {key}=VALUE" for key in missing)
            print(f"skipped {name}: it needs the tags {', '.join(missing)} (taut export {options})", file=sys.stderr)
            continue
        began = time.perf_counter()
        rows = ask(sql)
        if "--time" in sys.argv:
            print(f"{engine} {name}: {time.perf_counter() - began:.3f} s", file=sys.stderr)
        answers[name] = [{column: plain(value) for column, value in row.items()} for row in rows]
    json.dump(answers, sys.stdout)
    sys.exit(0 if is_complete else 3)


if __name__ == "__main__":
    main()
