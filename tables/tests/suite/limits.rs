//! Limits of the program: memory, stack, query text, environment. Each test starts the built program.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use taut_testkit::testdata;

fn trace() -> PathBuf {
    testdata("pix-single-frame.taut")
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut-tables"));
    command.env("TAUT_CACHE", "");
    command
}

fn query(sql: &str, options: &[&str]) -> Output {
    program().arg("query").arg(trace()).arg(sql).args(["--format", "csv"]).args(options).output().unwrap()
}

/// Passes the query on standard input: arguments have a maximum length.
fn query_text(sql: &str, options: &[&str]) -> Output {
    let mut command = program();
    command.arg("query").arg(trace()).arg("-").args(["--format", "csv"]).args(options);
    fed(command, sql)
}

fn fed(mut command: Command, text: &str) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || {
        // Fails if the program has ended already.
        let _ = stdin.write_all(text.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn script(text: &str, more: &[&str]) -> Output {
    let mut command = Command::new("bash");
    command.arg("-c").arg(text).arg(env!("CARGO_BIN_EXE_taut-tables")).arg(trace()).args(more);
    command.env("TAUT_CACHE", "").output().unwrap()
}

fn stderr_text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// A product whose size is not known before it starts, because its condition may make it smaller.
const SELF_JOIN: &str = "SELECT count(DISTINCT a.stamp * 31 + b.stamp * 37 + c.stamp * 41 + d.stamp) AS n FROM events a \
                         CROSS JOIN events b CROSS JOIN events c CROSS JOIN events d WHERE a.stamp + d.stamp <> 0";

fn doubled(times: usize) -> String {
    let names: Vec<String> = (0..=times).map(|number| format!("t{number}")).collect();
    let mut sql = "WITH t0 AS (SELECT * FROM events)".to_owned();
    for pair in names.windows(2) {
        sql += &format!(", {} AS (SELECT * FROM {} UNION ALL SELECT * FROM {})", pair[1], pair[0], pair[0]);
    }
    sql + &format!(" SELECT count(*) AS n FROM {}", names[times])
}

#[test]
fn a_query_that_needs_more_memory_ends_with_a_message_and_exit_code_1() {
    let output = query(SELF_JOIN, &["--memory", "200MiB"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr_text(&output));
    assert_eq!(stderr_text(&output), "taut: this query needs more than 200 MiB; raise --memory or select less");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_large_join_is_refused_before_it_starts() {
    let (many, began) = (
        "(SELECT * FROM events UNION ALL SELECT * FROM events UNION ALL SELECT * FROM events UNION ALL SELECT * FROM events)",
        Instant::now(),
    );
    for join in [
        format!("{many} a CROSS JOIN {many} b CROSS JOIN events c"),
        format!("{many} a, {many} b WHERE a.stamp < b.stamp"),
        format!("{many} a JOIN {many} b ON a.stamp < b.stamp"),
        // Few keys, each with many rows on both sides.
        format!("{many} a JOIN {many} b ON a.opcode = b.opcode"),
    ] {
        let output = query(&format!("SELECT count(*) AS n FROM {join}"), &["--memory", "40MiB"]);
        let text = stderr_text(&output);
        assert_eq!(output.status.code(), Some(1), "{join}: {text}");
        for part in
            ["this query needs more than 40.0 MiB: of ", " pairs ", "--memory allows 5,242,880", "`taut duckdb "]
        {
            assert!(text.contains(part), "{join}: {part}: {text}");
        }
    }
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    // Sides of the same sizes, with few pairs.
    let output = query(&format!("SELECT count(*) AS n FROM {many} a JOIN {many} b USING (stamp, thread)"), &[]);
    assert!(output.status.success(), "{}", stderr_text(&output));
}

#[test]
fn the_limit_holds_under_a_limit_of_address_space() {
    // The default limit is half of the free address space; a query that the system refuses memory ends the same way.
    for memory in ["", "--memory 100GiB"] {
        let text = format!("ulimit -v 1500000; exec \"$0\" query \"$1\" \"$2\" {memory}");
        let output = script(&text, &[SELF_JOIN]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr_text(&output));
        assert!(stderr_text(&output).contains("this query needs more"), "{}", stderr_text(&output));
    }
}

#[test]
fn tables_of_with_that_double_are_over_the_limit_before_anything_is_read() {
    let began = Instant::now();
    let output = query(&doubled(39), &[]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr_text(&output));
    assert!(stderr_text(&output).contains("this query needs more than"), "{}", stderr_text(&output));
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn a_list_of_200_000_numbers_takes_seconds() {
    let list: Vec<String> = (0..200_000).map(|number| number.to_string()).collect();
    let began = Instant::now();
    let sql = format!("SELECT count(*) AS n FROM events WHERE code IN ({})", list.join(","));
    let output = query_text(&sql, &[]);
    assert!(output.status.success(), "{}", stderr_text(&output));
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let all = query("SELECT count(*) AS n FROM events WHERE code BETWEEN 0 AND 199999", &[]);
    assert_eq!(output.stdout, all.stdout);
}

#[test]
fn no_text_ends_the_program_by_its_stack() {
    let deep = |open: &str, middle: &str, close: &str, times: usize| {
        format!("SELECT {}{middle}{} AS x", open.repeat(times), close.repeat(times))
    };
    let texts = [
        vec!["SELECT 1 AS x"; 3_001].join(" UNION ALL "),
        vec!["SELECT 1 AS x"; 3_001].join(" EXCEPT "),
        deep("(", "1", ")", 100_000),
        deep("[", "1", "]", 100_000),
        deep("abs(", "1", ")", 3_000),
        deep("(SELECT ", "1", ")", 3_000),
        deep("CASE WHEN true THEN ", "1", " END", 3_000),
        deep("NOT ", "true", "", 3_000),
        deep("- ", "1", "", 100_000),
        deep("CAST(", "1", " AS BIGINT)", 3_000),
        format!("SELECT CAST(1 AS {}BIGINT{}) AS x", "STRUCT(a ".repeat(3_000), ")".repeat(3_000)),
        format!("SELECT CAST(1 AS BIGINT{}) AS x", "[]".repeat(3_000)),
        format!("SELECT * FROM {}events{}", "(".repeat(3_000), ")".repeat(3_000)),
        format!("SELECT count(*) FROM events {}", "CROSS JOIN events ".repeat(3_000)),
        "EXPLAIN ".repeat(3_000) + "SELECT 1",
        format!("WITH {} SELECT 1", vec!["t AS (SELECT 1 AS a)"; 3_000].join(", ")),
    ];
    for sql in texts {
        let output = query_text(&sql, &[]);
        assert_eq!(output.status.code(), Some(2), "{}: {}", &sql[..60], stderr_text(&output));
    }
}

#[test]
fn queries_within_the_depth_limits_succeed() {
    let mut chain = "WITH t0 AS (SELECT 1 AS a)".to_owned();
    for number in 1..150 {
        chain += &format!(", t{number} AS (SELECT a + 1 AS a FROM t{} WHERE a > 0)", number - 1);
    }
    for sql in [
        format!("SELECT count(*) AS n FROM ({})", vec!["SELECT 1 AS x"; 490].join(" UNION ALL ")),
        format!("SELECT 1{} AS n", " + 1".repeat(490)),
        format!("SELECT count(*) AS n FROM events WHERE {}", vec!["stamp <> 1"; 240].join(" AND ")),
        format!("{chain} SELECT * FROM t149"),
    ] {
        let output = query_text(&sql, &[]);
        assert!(output.status.success(), "{}: {} {:?}", &sql[..60], stderr_text(&output), output.status);
    }
}

#[test]
fn a_text_of_more_than_16_mib_is_refused() {
    let output = query_text(&format!("SELECT 1{}", " ".repeat(17 << 20)), &[]);
    assert_ne!(output.status.code(), Some(0));
    assert!(stderr_text(&output).contains("larger than 16 MiB"), "{}", stderr_text(&output));
}

#[test]
fn an_environment_that_libraries_cannot_work_with_changes_nothing() {
    let expected = query("SELECT count(*) AS n FROM events GROUP BY thread", &[]);
    for (name, value) in [
        ("POLARS_MAX_THREADS", "0"),
        ("POLARS_VERBOSE", "1"),
        ("RAYON_NUM_THREADS", "100000000"),
        ("POLARS_MAX_THREADS", "x"),
    ] {
        let mut command = program();
        command.env(name, value).arg("query").arg(trace()).args([
            "SELECT count(*) AS n FROM events GROUP BY thread",
            "--format",
            "csv",
        ]);
        let output = command.output().unwrap();
        assert_eq!(
            (output.status.code(), &output.stdout),
            (Some(0), &expected.stdout),
            "{name}={value}: {}",
            stderr_text(&output)
        );
        assert!(output.stderr.is_empty(), "{}", stderr_text(&output));
    }
}

#[test]
fn few_files_and_full_outputs_end_with_the_code_of_the_outcome() {
    for (setting, codes) in [
        ("ulimit -n 8; ", [0, 4]),
        ("ulimit -n 5; ", [0, 4]),
        ("ulimit -f 0; exec 2>/dev/full; ", [0, 0]),
        ("exec 2>/dev/full; ", [0, 0]),
        ("exec 2>&-; ", [0, 0]),
        ("exec >/dev/full; ", [4, 4]),
        ("exec >/dev/full 2>/dev/full; ", [4, 4]),
    ] {
        let text = format!("{setting} exec \"$0\" query \"$1\" \"SELECT count(*) AS n FROM events GROUP BY name\"");
        let output = script(&text, &[]);
        assert!(
            codes.map(Some).contains(&output.status.code()),
            "{setting}: {:?} {}",
            output.status,
            stderr_text(&output)
        );
    }
    let wrong = script("exec \"$0\" query \"$1\" \"SELECT nope\" 2>/dev/full", &[]);
    assert_eq!(wrong.status.code(), Some(2));
}

fn shell(text: &str, options: &[&str]) -> Output {
    let mut command = program();
    command.arg("shell").arg(trace()).args(options);
    fed(command, text)
}

#[test]
fn the_shell_goes_on_after_a_query_that_needs_more_memory() {
    let text = format!(".format csv\n{SELF_JOIN};\n{};\nSELECT 2 AS next;\n", doubled(39));
    let output = shell(&text, &["--memory", "200MiB"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "next\n2\n", "{}", stderr_text(&output));
    assert_eq!(output.status.code(), Some(1), "{}", stderr_text(&output));
    assert!(
        stderr_text(&output).contains("this query needs more than 200 MiB; raise --memory"),
        "{}",
        stderr_text(&output)
    );
}

#[test]
fn the_shell_goes_on_after_a_worker_that_a_signal_ends() {
    let mut command = program();
    command.arg("shell").arg(trace()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, ".format csv\n{SELF_JOIN};\nSELECT 2 AS next;").unwrap();
    drop(stdin);
    let children = format!("/proc/{0}/task/{0}/children", child.id());
    let mut killed = false;
    for _ in 0..200 {
        std::thread::sleep(Duration::from_millis(50));
        // The worker is a child of the shell's working thread.
        let tasks = std::fs::read_dir(format!("/proc/{}/task", child.id())).into_iter().flatten().flatten();
        let found: String =
            tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok()).collect();
        if let Some(worker) = found.split_whitespace().next() {
            killed = Command::new("kill").args(["-KILL", worker]).status().unwrap().success();
            break;
        }
    }
    assert!(killed, "{children}");
    let output = child.wait_with_output().unwrap();
    assert!(
        stderr_text(&output).contains("taut-tables was ended by SIGKILL: probably out of memory"),
        "{}",
        stderr_text(&output)
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout), "next\n2\n");
    assert_eq!(output.status.code(), Some(4));
}

#[test]
fn cells_that_spreadsheets_evaluate_are_guarded_on_request_and_numbers_stay() {
    let sql = "SELECT '=1+1' AS \"@a\", -5 AS b, '+x' AS c, 'plain' AS d";
    let output = query(sql, &["--csv-safe"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "'@a,b,c,d\n'=1+1,-5,'+x,plain\n");
    let output = query(sql, &[]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "@a,b,c,d\n=1+1,-5,+x,plain\n");
}

#[test]
fn a_pipe_in_the_place_of_a_lake_file_blocks_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let lake = folder.path().join("lake");
    let exported =
        program().arg("export").arg(trace()).args(["--to", "parquet", "-q", "-o"]).arg(&lake).status().unwrap();
    assert!(exported.success());
    let mark = std::fs::read_dir(lake.join("traces")).unwrap().next().unwrap().unwrap().path();
    let of_trace = mark.file_name().unwrap().to_owned();
    for table in ["heaps", "traces"] {
        let parts = lake.join(table).join(&of_trace);
        let file = std::fs::read_dir(&parts).unwrap().next().unwrap().unwrap().path();
        std::fs::rename(&file, folder.path().join(table)).unwrap();
        for replacement in [["mkfifo", ""], ["ln", "/dev/zero"]] {
            let mut command = Command::new(replacement[0]);
            if replacement[0] == "ln" {
                command.args(["-s", replacement[1]]);
            }
            assert!(command.arg(&file).status().unwrap().success());
            let mut command = Command::new("timeout");
            command.arg("60").arg(env!("CARGO_BIN_EXE_taut-tables")).env("TAUT_CACHE", "");
            let output = command.arg("query").arg(&lake).arg("SELECT count(*) AS n FROM heaps").output().unwrap();
            assert!(
                matches!(output.status.code(), Some(3 | 4)),
                "{table}: {:?} {}",
                output.status,
                stderr_text(&output)
            );
            std::fs::remove_file(&file).unwrap();
        }
        std::fs::rename(folder.path().join(table), &file).unwrap();
    }
}

#[test]
fn too_few_file_descriptors_are_a_message_and_no_internal_error() {
    for limit in 3..16 {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "ulimit -n \"$2\"; exec \"$0\" query \"$1\" 'SELECT name, count(*) AS n FROM events GROUP BY name'",
        ]);
        command.arg(env!("CARGO_BIN_EXE_taut-tables")).arg(trace()).arg(limit.to_string()).env("TAUT_CACHE", "");
        let output = command.output().unwrap();
        let stderr_text = stderr_text(&output);
        // Too few for the program's own libraries to be loaded.
        if output.status.code() == Some(127) {
            continue;
        }
        assert!(!stderr_text.contains("internal error") && !stderr_text.contains("panicked"), "{limit}: {stderr_text}");
        match output.status.code() {
            Some(0) => {}
            Some(4) => assert!(stderr_text.to_lowercase().contains("too many open files"), "{limit}: {stderr_text}"),
            code => panic!("{limit}: {code:?}: {stderr_text}"),
        }
    }
}

#[test]
fn a_query_text_of_more_than_16_mib_is_a_bad_input() {
    let output = query_text(&" ".repeat((16 << 20) + 1), &[]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr_text(&output));
    assert!(stderr_text(&output).contains("larger than 16 MiB"), "{}", stderr_text(&output));
}
