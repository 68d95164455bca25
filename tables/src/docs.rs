//! Generator of `docs/tables.md` from the table definitions. A test keeps the page up to date.

use crate::sql::plan::FUNCTIONS;
use crate::sql::pushdown;
use crate::tables::{EventTable, Make, TABLES};
use taut_schemas::SchemaTable;

/// SQL keywords and function names, for completion.
pub fn sql_words() -> Vec<&'static str> {
    const WORDS: &str = "SELECT DISTINCT FROM WHERE GROUP BY HAVING QUALIFY ORDER LIMIT OFFSET WITH AS JOIN LEFT RIGHT FULL CROSS \
                         SEMI ANTI ON USING UNION ALL EXCEPT INTERSECT AND OR NOT IN IS NULL LIKE ILIKE BETWEEN CASE WHEN THEN \
                         ELSE END CAST FILTER OVER PARTITION DESC ASC NULLS FIRST LAST DESCRIBE SHOW TABLES";
    WORDS.split_whitespace().chain(FUNCTIONS.iter().flat_map(|names| names.iter().copied())).collect()
}

/// Documentation of the table cache.
const CACHE_SECTION: &str = "Tables other than `events` are made once: of a finished trace that says which recording it is, and that has no damage, they \
     are kept in the user's cache (`$TAUT_CACHE`, `$XDG_CACHE_HOME/taut`, `~/.cache/taut`) and read from there as long as the \
     trace's identity, size and time, the tables' columns and the program are the same. A table of records is kept once a question \
     has gone through all of it. `taut record --tables` makes all of them but those of one call or mark at the end of a recording. \
     Damaged tables are computed again. The cache has at most 2 GiB; the least recently used tables are removed first. `taut cache` lists the tables, `taut cache clear` removes \
     them, `--no-cache` ignores them.\n\nA lake is asked as traces are: see [A fleet of traces](fleet.md).\n\n";

/// Documentation of the SQL dialect.
fn dialect() -> String {
    let mut text = String::from(
        "## The SQL\n\nQuestions are DuckDB's SQL, as much of it as is known to have DuckDB's answers; everything else is refused \
         with a sentence and its place, never answered differently. `SHOW TABLES` and `DESCRIBE table` say what there is.\n\n\
         * Quantities (sizes, counts, offsets, stamps) are i64, so differences can be negative; a value above 2⁶³ − 1 in a \
         trace is null. Handles, addresses and hashes are u64: they are compared and counted, not reckoned with.\n\
         * `+`, `-`, `*`, `sum` of whole numbers and casts fail where the result does not fit into 64 bits, and `//` and `%` \
         where they divide by 0. Nothing wraps. (DuckDB's `sum` goes on in 128 bits.) `/` is of real numbers.\n\
         * Nulls come last unless `NULLS FIRST` is said; the sum of no rows is null.\n\
         * There are `WITH`, joins (INNER, LEFT, RIGHT, FULL, CROSS, SEMI, ANTI), `UNION`, `EXCEPT`, `INTERSECT`, `CASE`, \
         `FILTER`, `QUALIFY`, window functions, subqueries that stand alone. Not: subqueries that use the columns around \
         them, `VALUES`, recursion, `DISTINCT ON`, aggregates of constants but `count`, frames of windows other than \
         `UNBOUNDED PRECEDING`.\n\n",
    );
    for (what, names) in ["Functions of a row", "Aggregates", "Functions of windows"].iter().zip(FUNCTIONS) {
        text += &format!("{what}: {}.\n\n", names.join(", "));
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
        "\n## Tables of calls and marks\n\nEach call, DDI call and mark is a table of its own, one row each time, as the \
         trace's own schema table has it:\n\n    taut query trace.taut \"SELECT heap, sum(desc_width) FROM CreatePlacedResource \
         GROUP BY heap ORDER BY 2 DESC LIMIT 5\"\n\nIts name is `PROVIDER.NAME`; `NAME` alone means it where no other table \
         has that name. A call begins with `call` (its number in `calls`, or that of the API call it was made in), `seq` \
         (API calls alone), `thread`, `start_stamp`, `stop_stamp` and `duration_ns`, a mark with `call`, `thread` and `stamp`. \
         Then come its fields: arguments under their names with `_` for `.` (`desc_width`), results after `result_` \
         (`result_heap`), the result code as `hr`; `arg_` stands before a name that is taken. A list is a list of numbers, or \
         of structs; lists are selected, counted and asked for null. What is optional is null where it is not there. Byte \
         strings are left out. `DESCRIBE d3d12.CreateHeap` tells the types; `SHOW TABLES` lists those that the traces have \
         records of. This build records:\n",
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

/// The page about the tables, with the meaning of each column.
pub fn tables_page() -> String {
    let mut text = String::from(
        "# Tables\n\nWhat `taut query` asks, of traces and of what `taut export --to parquet` writes. Names are stable; units come last. \
         Stamps are ticks of the trace's clock; `…_ns` is the time since the trace's first stamp, null where the clock has \
         no frequency. With `--clock logical` stamps only count, and a tick is taken for a nanosecond: such times tell \
         order alone.\n\n    taut query trace.taut \"SELECT format, sum(rounding_bytes) FROM resources GROUP BY format ORDER \
         BY 2 DESC LIMIT 5\"\n\nOf several traces, every table has the rows of all and a first column `trace`. A query reads \
         only the columns it names.\n\n## What a query takes\n\n",
    );
    text += &format!(
        "The tables {} come in parts, a million records of the trace at a time. Of each part a filter (`WHERE`) keeps \
         what passes; counts, sums and averages of integers, least and greatest values, by groups or of all rows, are made of each part and put \
         together; rows for `--format csv`, `json` or `parquet` are written as they come. So memory does not grow with the \
         file, but with what passes and with the number of groups. Everything else (`ORDER BY`, `DISTINCT`, joins, medians, \
         `count(DISTINCT …)`, window functions) is done in memory, on all rows that are left by then, of the columns named.\n\n",
        names(|make| matches!(make, Make::InParts(_) | Make::OfClasses { .. })),
    );
    text += "`--explain` reads no records. It prints which of these rewrites apply to the query, one per line with what each \
             changes, and then polars' plan:\n\n| rewrite | meaning |\n|---|---|\n";
    for (name, doc) in pushdown::documented() {
        text += &format!("| `{name}` | {doc} |\n");
    }
    text += "\n";
    text += &format!(
        "The tables {} come in one. They are made of all heaps and resources that were ever created, with their names, \
         which reports hold too: some 300 bytes a resource, besides the columns named. The tables {} come in one as well; they \
         are made of all that is known of background processing, which the report `pgo` holds too. The tables {} come in one: for the first of these all \
         reports are made.\n\n",
        names(|make| matches!(make, Make::OfWorld(_))),
        names(|make| matches!(make, Make::OfBackground(_))),
        names(|make| matches!(make, Make::OfTrace(_))),
    );
    text += CACHE_SECTION;
    text += &dialect();
    text += "## The tables\n";
    for table in TABLES {
        text +=
            &format!("\n### {}\n\n{}\n\n| column | type | meaning |\n|---|---|---|\n", table.name, table.description);
        for column in table.columns {
            text += &format!("| `{}` | {} | {} |\n", column.name, column.kind.name(), column.doc);
        }
        if let Some(layer) = table.fields_of {
            text += &format!(
                "| `hr` | i64 | The result code of the {}; null where a call has none, or never returned. |\n\nThe fields of a \
                 call are in the table of that call; the lake has those of all calls that were made beside these columns.\n",
                layer.title()
            );
        }
    }
    text += &event_tables();
    text + "\nThis page is made from the code (`tables/src/docs.rs`).\n"
}
