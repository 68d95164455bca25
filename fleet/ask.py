"""Asks a lake the questions of files in one engine: ask.py duckdb|datafusion|spark LAKE QUERY.sql…

Prints a JSON object with the rows of each question under its file's name. `--time` tells on stderr how long each took.
"""

import json
import os
import re
import sys
import time
from decimal import Decimal
from pathlib import Path


def tables(lake, questions):
    """The lake's tables that the questions name."""
    words = set(re.findall(r"\w+", " ".join(questions)))
    return sorted(folder.name for folder in Path(lake).iterdir() if folder.is_dir() and folder.name in words)


def duckdb_engine(lake, questions):
    import duckdb

    database = duckdb.connect()
    for table in tables(lake, questions):
        files = f"{lake}/{table}/*/*.parquet"
        database.execute(
            f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{files}', hive_partitioning = true, "
            "hive_types_autocast = false, union_by_name = true)"
        )

    def ask(sql):
        found = database.execute(sql)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row)) for row in found.fetchall()]

    return ask


def datafusion_engine(lake, questions):
    import pyarrow
    from datafusion import SessionContext

    context = SessionContext()
    for table in tables(lake, questions):
        # Words are texts whether a file's schema calls them views or not.
        context.register_parquet(table, f"{lake}/{table}/", table_partition_cols=[("trace", pyarrow.string())])

    def ask(sql):
        return [row for batch in context.sql(sql).collect() for row in batch.to_pylist()]

    return ask


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
    for table in tables(lake, questions):
        session.read.option("mergeSchema", "true").parquet(f"{lake}/{table}").createOrReplaceTempView(table)

    def ask(sql):
        return [row.asDict() for row in session.sql(sql).collect()]

    return ask


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
    ask = ENGINES[engine](lake, questions.values())
    answers = {}
    for name, sql in questions.items():
        began = time.perf_counter()
        rows = ask(sql)
        if "--time" in sys.argv:
            print(f"{engine} {name}: {time.perf_counter() - began:.3f} s", file=sys.stderr)
        answers[name] = [{column: plain(value) for column, value in row.items()} for row in rows]
    json.dump(answers, sys.stdout)


main()
