//! The shell, driven through a pipe.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use taut_testkit::testdata;

fn trace() -> PathBuf {
    testdata("pix-single-frame.taut")
}

fn shell(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut-tables"));
    command.env("TAUT_CACHE", "");
    command.arg("shell").arg(trace()).args(arguments).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn shell_output(folder: &Path, arguments: &[&str], text: &str) -> Output {
    let mut child = shell(folder, arguments).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn every_query_from_a_pipe_is_executed_at_its_semicolon() {
    let folder = tempfile::tempdir().unwrap();
    let text = ".format csv\nSELECT 1 AS a; SELECT 2\n  AS b -- not; yet\n;\n.rows 3\n.format json\nSELECT ';' AS c";
    let output = shell_output(folder.path(), &[], text);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "a\n1\nb\n2\n[\n{\"c\":\";\"}\n]\n");
    assert!(output.status.success() && output.stderr.is_empty());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no history of a pipe");
}

#[test]
fn a_question_of_more_than_16_mib_is_refused_while_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let long = |part: &str, count: usize| part.repeat((16 << 20) / part.len() + count);
    // One line without an end, and many lines.
    for text in [long("x", 100), long("-- a comment of a question\n", 100), "\0".repeat(64 << 20)] {
        let began = std::time::Instant::now();
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 1000000; exec \"$0\" shell \"$1\""]);
        command.arg(env!("CARGO_BIN_EXE_taut-tables")).arg(trace()).env("TAUT_CACHE", "").current_dir(folder.path());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // It does not read the rest.
        let _ = stdin.write_all(text.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains("longer than 16 MiB"), "{said}");
        assert!(began.elapsed() < std::time::Duration::from_secs(60), "linear time");
    }
    let output = shell_output(folder.path(), &[], &format!(".format csv\n{}SELECT 1 AS a;", long("\n", 9)));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "a\n1\n");
}

#[test]
fn tables_and_columns_are_listed_with_their_meaning() {
    let folder = tempfile::tempdir().unwrap();
    let output =
        shell_output(folder.path(), &[], ".tables heap\n.schema heaps\n.traces\n.help\n.quit\nSELECT nothing;");
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["heaps", "CreateHeap", "size_bytes", "Handle of the heap.", "pix-single-frame", ".save FILE"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(output.status.success(), "nothing is read after .quit");
}

#[test]
fn the_last_result_is_saved_in_the_format_of_the_extension() {
    let folder = tempfile::tempdir().unwrap();
    let text = "SELECT name, count(*) AS n FROM events GROUP BY name ORDER BY name;\n.save out.parquet\n.save out.csv\n.save out.json\n";
    let output = shell_output(folder.path(), &[], text);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("out.parquet").starts_with(b"PAR1"));
    let (csv, json) = (String::from_utf8(read("out.csv")).unwrap(), read("out.json"));
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&json).unwrap();
    assert!(csv.starts_with("name,n\n") && csv.lines().count() == rows.len() + 1 && rows.len() > 3);
    for (wrong, why) in [(".save out.parquet\n", "there is no result"), ("SELECT 1;\n.save out.txt", ".parquet, .csv")]
    {
        let output = shell_output(folder.path(), &[], wrong);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(why));
    }
}

#[test]
fn the_shell_continues_after_an_error_in_a_pipe_unless_bail_is_set() {
    let folder = tempfile::tempdir().unwrap();
    // A statement, and the exit code of its failure.
    for (wrong, code) in [
        ("SELECT nope FROM heaps;\n", 2),
        (".nope\n", 2),
        (".schema nope\n", 2),
        (".rows many\n", 2),
        (".timing perhaps\n", 2),
        // More memory than the limit: the message comes from the worker, or before the join starts.
        ("SELECT count(*) FROM events a CROSS JOIN events b CROSS JOIN events c CROSS JOIN events d;\n", 1),
        ("SELECT 1 AS a;\n.save no/such/folder.csv\n", 4),
    ] {
        let text = format!(".format csv\n{wrong}SELECT 2 AS next; SELECT nope FROM heaps; SELECT 3 AS last");
        for (arguments, rest, messages) in [(&["--bail"][..], "", 1), (&[], "next\n2\nlast\n3\n", 3)] {
            let output = shell_output(folder.path(), &[&["--memory", "256MiB"], arguments].concat(), &text);
            let stderr_text = String::from_utf8_lossy(&output.stderr).into_owned();
            let expected_code = if arguments.is_empty() { code.max(2) } else { code };
            assert_eq!(output.status.code(), Some(expected_code), "{wrong} {arguments:?}: {stderr_text}");
            let stdout_text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(stdout_text.strip_prefix("a\n1\n").unwrap_or(&stdout_text), rest, "{wrong} {arguments:?}");
            let printed = stderr_text.lines().filter(|line| line.starts_with("taut:")).count();
            let is_counted = stderr_text.ends_with("taut: 2 statements failed\n");
            assert!(printed >= messages && is_counted == arguments.is_empty(), "{wrong} {arguments:?}: {stderr_text}");
        }
    }
    let fine = shell_output(folder.path(), &["--bail"], "SELECT 1; SELECT 2;");
    assert!(fine.status.success());
    let twice = shell_output(folder.path(), &[trace().to_str().unwrap()], "SELECT trace FROM heaps LIMIT 1;");
    assert!(twice.status.success(), "several traces: {}", String::from_utf8_lossy(&twice.stderr));
}

#[test]
fn commands_of_other_shells_are_understood_or_name_the_equivalent() {
    let folder = tempfile::tempdir().unwrap();
    let text = ".mode csv\n.timer off\nSELECT 1 AS a;\n\\d heaps\n\\d\n.schema phases\n.tables heap\n";
    let output = shell_output(folder.path(), &[], text);
    let stdout_text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for part in ["a\n1\n", "Handle of the heap.", "ddi_calls", "CreateHeap"] {
        assert!(stdout_text.contains(part), "{part}: {stdout_text}");
    }
    for (command, equivalent) in [
        (".output x.csv", ".save FILE"),
        (".mode duckbox", ".format table"),
        (".schema", ".tables lists them"),
        (".read x.sql", "taut shell FILE < SCRIPT"),
    ] {
        let output = shell_output(folder.path(), &[], command);
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(equivalent), "{command}");
    }
}

#[cfg(unix)]
#[test]
fn duckdb_takes_the_files_and_the_rest_of_the_input_of_the_shell() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    // The program `taut` is in the same folder as this one, or in PATH: here a script.
    let own = folder.path().join("taut-tables");
    std::fs::copy(env!("CARGO_BIN_EXE_taut-tables"), &own).unwrap();
    let taut = folder.path().join("taut");
    std::fs::write(&taut, "#!/bin/sh\necho \"$@\"; cat; exit 5\n").unwrap();
    std::fs::set_permissions(&taut, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(own);
    command.env("TAUT_CACHE", "").arg("shell").arg(trace()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b".format csv\nSELECT 1 AS a;\n.duckdb\nPIVOT x;\n.quit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let expected = format!("a\n1\nduckdb {}\nPIVOT x;\n.quit\n", trace().display());
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(5));
}

/// Ctrl-C during a long query; the next query is executed.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_query_and_not_the_shell() {
    let folder = tempfile::tempdir().unwrap();
    // A test run in the background has Ctrl-C ignored, and child processes inherit that.
    const RESET: &str = "--default-signal=INT";
    if !Command::new("env").args([RESET, "true"]).status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: an_interrupt_ends_the_question_and_not_the_shell: no `env` that resets signals");
        return;
    }
    let plain = shell(folder.path(), &[]);
    let mut command = Command::new("env");
    command.arg(RESET).arg(plain.get_program()).args(plain.get_args()).current_dir(folder.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    stdin.write_all(b".format csv\nSELECT 1 AS begun;\n").unwrap();
    assert_eq!([lines.next().unwrap().unwrap(), lines.next().unwrap().unwrap()], ["begun", "1"]);
    // A query over 16 million rows.
    let some = "(SELECT stamp FROM events LIMIT 250)";
    let pairs = format!("(SELECT a.stamp * 7919 + b.stamp AS pair FROM {some} a CROSS JOIN {some} b)");
    let long = format!("SELECT count(DISTINCT p.pair * 7919 + c.stamp) AS long FROM {pairs} p CROSS JOIN {some} c;\n");
    stdin.write_all(long.as_bytes()).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(150));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    stdin.write_all(b"SELECT 2 AS next;\n").unwrap();
    drop(stdin);
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    let mut shell_output = String::new();
    child.stderr.take().unwrap().read_to_string(&mut shell_output).unwrap();
    assert!(child.wait().unwrap().success(), "{shell_output}");
    assert_eq!(rest, ["next", "2"]);
    assert!(shell_output.contains("the query was cancelled"), "{shell_output}");
}

#[test]
fn a_worker_answers_every_line_and_a_malformed_one_with_an_error() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut-tables"));
    command.env("TAUT_CACHE", "").arg("worker").arg("--").arg(trace());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut requests = child.stdin.take().unwrap();
    requests
        .write_all(b"no JSON\n\xff\n{\"nothing\": 1}\n{\"query\": \"SELECT 1 AS a\", \"form\": \"csv\"}\n")
        .unwrap();
    let mut answers = child.stdout.take().unwrap();
    // A tag, four bytes of length, and the payload.
    let mut message = || {
        let mut head = [0; 5];
        answers.read_exact(&mut head).unwrap();
        let [tag, length @ ..] = head;
        let mut payload = vec![0; u32::from_le_bytes(length) as usize];
        answers.read_exact(&mut payload).unwrap();
        (char::from(tag), String::from_utf8(payload).unwrap())
    };
    for _ in 0..2 {
        let (tag, why) = message();
        assert!(tag == 'E' && why.contains("a request is one line of JSON"), "{tag} {why}");
    }
    let (tag, why) = message();
    assert!(tag == 'E' && why.contains("a request has `query`, `save` or `damage`"), "{tag} {why}");
    assert_eq!([message(), message()], [('B', "a\n1\n".to_owned()), ('D', "1".to_owned())]);
    drop(requests);
    assert!(child.wait().unwrap().success());
}

/// The refused ones of the queries that users type.
#[test]
fn every_refused_query_ends_with_the_command_that_gives_it_to_duckdb() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut-tables"));
    command.env("TAUT_CACHE", "").arg("worker").arg("--").arg(trace());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut requests = child.stdin.take().unwrap();
    let mut answers = child.stdout.take().unwrap();
    let lines = include_str!("typed.sql").lines().filter(|line| line.ends_with(';'));
    let mut refused = 0;
    for sql in lines.map(|line| line.trim_end_matches(';')) {
        writeln!(requests, "{}", serde_json::json!({"query": sql, "form": "csv"})).unwrap();
        loop {
            let mut head = [0; 5];
            answers.read_exact(&mut head).unwrap();
            let [tag, length @ ..] = head;
            let mut payload = vec![0; u32::from_le_bytes(length) as usize];
            answers.read_exact(&mut payload).unwrap();
            if tag == b'E' {
                let (_, why): (u8, String) = serde_json::from_slice(&payload).unwrap();
                let quoted = format!("'{}'", sql.replace('\'', r"'\''"));
                let hint = format!("\n  run it with `taut duckdb {} -- -c {quoted}`", trace().display());
                assert!(why.ends_with(&hint), "{why}");
                refused += 1;
            }
            if matches!(tag, b'E' | b'D') {
                break;
            }
        }
    }
    drop(requests);
    assert!(child.wait().unwrap().success());
    assert!(refused > 60, "{refused}");
}
