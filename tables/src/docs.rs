//! Generator of `docs/tables.md` from the table definitions. A test keeps the page up to date.

use crate::sql::plan::FUNCTIONS;
use crate::sql::pushdown;
use crate::tables::{EventTable, Make, TABLES};
use taut_schemas::SchemaTable;

/// SQL keywords and function names, for completion.
pub fn sql_words() -> Vec<&'static str> {
    const WORDS: &str = "SELECT DISTINCT FROM WHERE GROUP BY HAVING QUALIFY ORDER LIMIT OFFSET WITH AS JOIN LEFT RIGHT \
                         FULL CROSS SEMI ANTI ON USING UNION ALL EXCEPT INTERSECT AND OR NOT IN IS NULL LIKE ILIKE \
                         BETWEEN CASE WHEN THEN ELSE END CAST FILTER OVER PARTITION DESC ASC NULLS FIRST LAST \
                         DESCRIBE SUMMARIZE EXCLUDE SHOW TABLES";
    WORDS.split_whitespace().chain(FUNCTIONS.iter().flat_map(|names| names.iter().copied())).collect()
}

/// Documentation of the table cache.
const CACHE_SECTION: &str = "Tables other than `events` are cached if the trace is finished and undamaged and has a \
     recording id. The cache directory is `$TAUT_CACHE`, `$XDG_CACHE_HOME/taut` or `~/.cache/taut`. A cached table is \
     valid while the trace's id, size and time, the tables' columns and the program are the same. A table that is \
     computed in parts is cached once a query has read all of it. At the end of a recording, `taut record --tables` \
     caches all tables except those of single calls and marks. Damaged tables are recomputed. The cache holds at most \
     2 GiB; the least recently used tables are removed first. `taut cache` lists the tables, `taut cache clear` \
     removes them, `--no-cache` ignores them.\n\nA lake is queried like traces: see [A fleet of traces](fleet.md).\n\n";

/// Table of the SQL that is answered, of other SQL, and of what to write instead.
const DIALECT: &str = "\
| subject | answered | not answered | instead |
|---|---|---|---|
| statements | `SELECT`, `FROM table`, `WITH`, `SHOW TABLES`, `DESCRIBE table`, `SUMMARIZE table` (its number of values and quartiles are exact, where DuckDB estimates them; handles and texts have no average) | `CREATE`, `COPY`, `PIVOT`, `VALUES`, `EXPLAIN`, several statements, `RECURSIVE` | `--format`, `-o`, `WITH`, `CASE` in sums, `--explain` |
| columns | `*`, `table.*`, `* EXCLUDE (…)` | `* REPLACE`, `COLUMNS(…)` | the columns by name |
| rows | `DISTINCT`, `DISTINCT ON (…)`, `LIMIT`, `OFFSET` | `USING SAMPLE`, `generate_series` | `LIMIT` |
| order and groups | `ORDER BY ALL`, `GROUP BY ALL`, `HAVING`, `QUALIFY`, `FILTER` | `ROLLUP`, `CUBE`, `GROUPING SETS` | `UNION ALL` |
| joins | INNER, LEFT, RIGHT, FULL, CROSS, SEMI, ANTI | `LATERAL`, `ASOF`, outer joins on inequalities | a window function |
| set operations | `UNION`, `UNION ALL`, `EXCEPT`, `INTERSECT` | `EXCEPT ALL`, `BY NAME` | columns in the same order |
| subqueries | in `FROM`, after `IN` and `EXISTS`, as a value | those that name a column of the outer query | a join |
| windows | `OVER (…)` from the first row to the current one | other frames, `WINDOW w AS`, `ntile`, defaults of `lag` | `row_number`, `coalesce` |
| patterns | `LIKE`, `ILIKE`, `regexp_matches` with a quoted pattern (no `{n}`, `[:class:]`, `\\b`, `\\p`) | `GLOB`, `SIMILAR TO`, `regexp_extract` | `LIKE` |
| values | integers, real numbers, texts, conditions; lists and structs of a table | dates, intervals, `{…}`, `[…]`, `TRY_CAST`, `<<`, `>>` | `_ns` columns, `//` |
| aggregates | the list below | aggregates of constants except `count`; `arg_max`, `string_agg`, `mode` | `DISTINCT ON` |

";

/// Documentation of the SQL dialect.
fn dialect() -> String {
    let mut text = String::from(
        "## SQL\n\nQueries are DuckDB's SQL, limited to the part whose results are known to equal DuckDB's. Other SQL \
         is rejected with a message, a position and the command `taut duckdb`, which starts DuckDB with the same \
         tables as views.\n\n\
         * Quantities (sizes, counts, offsets, stamps) are i64, so differences can be negative; a value above 2⁶³ − 1 \
         in a trace is null. Handles, addresses and hashes are u64, for comparison and counting, not for arithmetic.\n\
         * `+`, `-`, `*`, `sum` of integers and casts fail if the result does not fit into 64 bits, `//` and `%` if \
         the divisor is 0. No operation wraps. (DuckDB's `sum` has 128 bits.) `/` divides real numbers.\n\
         * Nulls come last without `NULLS FIRST`; the sum of no rows is null.\n\
         * A join counts its pairs of rows (by equal keys, where it has some) before it starts, and is refused if pairs \
         of 8 bytes exceed `--memory`. A product of three or more tables with a `WHERE` is not counted.\n\
         * `taut duckdb` joins overlapping ranges faster after `SET prefer_range_joins = true` if both conditions on the \
         ranges come first (resources that overlap in their heaps and in time, of 117,547 placements: 1.7 s against \
         17 s).\n\n",
    );
    text += DIALECT;
    for (kind, names) in ["Scalar functions", "Aggregate functions", "Window functions"].iter().zip(FUNCTIONS) {
        text += &format!("{kind}: {}.\n\n", names.join(", "));
    }
    text
}

/// Names of the tables whose source matches, as text: `a`, `b` and `c`.
fn names(is_so: fn(&Make) -> bool) -> String {
    let names: Vec<String> =
        TABLES.iter().filter(|table| is_so(&table.make)).map(|table| format!("`{}`", table.name)).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Documentation of the tables of calls and marks, as this build records them.
fn event_tables() -> String {
    let schema = SchemaTable::current();
    let mut text = String::from(
        "\n## Tables of calls and marks\n\nEach call, DDI call and mark in the trace's schema table has its own table, \
         with one row per occurrence:\n\n    taut query trace.taut \"SELECT heap, sum(desc_width) FROM \
         CreatePlacedResource GROUP BY heap ORDER BY 2 DESC LIMIT 5\"\n\nThe name of a table is `PROVIDER.NAME`. \
         `NAME` alone is sufficient if no other table has this name. Tables of the provider `state` (the records of a \
         rundown) are reachable only as `state.NAME`, such as `state.Resource`.\n\nThe first columns of a call are \
         `call` (the number in `calls` of the API call or of the enclosing API call), `seq` (API calls only), \
         `thread`, `start_stamp`, `stop_stamp` and `duration_ns`; those of a mark are `call`, `thread` and `stamp`. \
         The fields follow: arguments under their names with `_` for `.` (`desc_width`), results with the prefix \
         `result_` (`result_heap`), the result code as `hr`. A name that is taken gets the prefix `arg_`. A list has \
         numbers or structs as elements; it can be selected, counted and tested for null. A missing optional field is \
         null. Byte strings have no column. `DESCRIBE d3d12.CreateHeap` lists the types; `SHOW TABLES` lists the \
         tables with records in the traces. This build records:\n",
    );
    let tables = EventTable::all(&schema);
    let mut provider = "";
    for table in &tables {
        if table.provider != provider {
            provider = &table.provider;
            text += &format!("\n### {provider}\n\n| table | fields |\n|---|---|\n");
        }
        let columns = table.columns(&schema);
        let fields = columns.iter().skip(table.columns_before_fields(&schema));
        let fields: Vec<String> = fields.map(|column| format!("`{}` {}", column.name, column.kind.name())).collect();
        text += &format!("| `{}` | {} |\n", table.name, fields.join(", "));
    }
    text
}

/// Documentation of how tables are computed, and of the memory that a query needs.
fn execution() -> String {
    let mut text = format!(
        "## Execution and memory\n\nThe tables {} are computed in parts of one million records of the trace. Filters \
         (`WHERE`), counts, integer sums and averages, min and max, with or without groups, run per part; the results \
         are combined. Rows for `--format csv`, `json` or `parquet` are written as they are computed. Memory therefore \
         grows with the filtered rows and the number of groups, not with the file. All other operations (`ORDER BY`, \
         `DISTINCT`, joins, medians, `count(DISTINCT …)`, window functions) hold the filtered rows in memory, with the \
         columns that the query names.\n\n",
        names(|make| matches!(make, Make::InParts(_) | Make::OfClasses { .. })),
    );
    text += "`--explain` reads no records. It prints the rewrites that apply to the query, one per line with the \
             effect, followed by polars' plan:\n\n| rewrite | meaning |\n|---|---|\n";
    for (name, doc) in pushdown::documented() {
        text += &format!("| `{name}` | {doc} |\n");
    }
    text += &format!(
        "\nOther tables are computed in one part. The tables {} need all heaps and resources ever created, with their \
         names: some 300 bytes per resource, in addition to the named columns; reports hold the same data. The tables \
         {} need all data on background processing, as the report `pgo` does. The tables {} need the whole trace; \
         `figures` runs all reports.\n\n",
        names(|make| matches!(make, Make::OfWorld(_))),
        names(|make| matches!(make, Make::OfBackground(_))),
        names(|make| matches!(make, Make::OfTrace(_))),
    );
    text
}

/// The page about the tables, with the meaning of each column.
pub fn tables_page() -> String {
    let mut text = String::from(
        "# Tables\n\n`taut query` reads these tables, from traces and from lakes (`taut export --to parquet`). Names \
         are stable; units come last. Stamps are ticks of the trace's clock. Times `…_ns` count from the trace's first \
         stamp, and are null if the clock has no frequency. With `--clock logical`, stamps are counters and a tick \
         counts as one nanosecond: such times only give the order of events.\n\n    taut query trace.taut \
         \"SELECT format, sum(rounding_bytes) FROM resources GROUP BY format ORDER BY 2 DESC LIMIT 5\"\n\nWith \
         several traces, every table has the rows of all traces and a first column `trace`. A query reads only the \
         columns that it names.\n\n",
    );
    text += &execution();
    text += CACHE_SECTION;
    text += &dialect();
    text += "## The tables\n";
    for table in TABLES {
        text +=
            &format!("\n### {}\n\n{}\n\n| column | type | meaning |\n|---|---|---|\n", table.name, table.description);
        for column in table.columns {
            text += &format!("| `{}` | {} | {} |\n", column.name, column.kind.name(), column.doc);
        }
        if table.fields_of.is_some() {
            text += "| `hr` | i64 | Result code; null if the call has none or never returned. |\n\nThe fields of a call \
                     are columns of the call's own table. In a lake, this table also has the fields of all recorded \
                     calls.\n";
        }
    }
    text += &event_tables();
    text + "\nThis page is generated from the code (`tables/src/docs.rs`).\n"
}
