//! Generated joins, windows and set operations under a memory limit: each ends with an answer or a message.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::io::Read;
use std::process::{Command, Stdio};
use taut_testkit::testdata;

/// Peak of resident memory that a query may have under `--memory 512MiB`, in KiB.
const MAX_PEAK_KIB: u64 = 700 << 10;

/// Generator of queries from a seed.
struct Generator(u64);

impl Generator {
    fn below(&mut self, count: u64) -> u64 {
        // Knuth's constants; the high bits are the better ones.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }

    /// Rows of `events`, up to 64 times.
    fn rows(&mut self) -> String {
        let copies = 1 << self.below(7);
        let one = "SELECT stamp, thread, code, name FROM events";
        format!("({})", vec![one; copies].join(" UNION ALL "))
    }

    fn query(&mut self) -> String {
        let (left, right) = (self.rows(), self.rows());
        let key = self.one_of(&["stamp", "thread", "code", "name"]);
        let op = self.one_of(&["=", "<", "<=", "<>", ">"]);
        let what = self.one_of(&["count(*)", "count(DISTINCT a.name)", "max(a.stamp)", "a.stamp, a.name"]);
        let set = self.one_of(&["UNION", "UNION ALL", "EXCEPT", "INTERSECT"]);
        let function = self.one_of(&["row_number()", "rank()", "sum(code)", "lag(stamp)", "max(stamp)"]);
        match self.below(6) {
            0 => format!("SELECT {what} FROM {left} a JOIN {right} b ON a.{key} {op} b.{key}"),
            1 => format!("SELECT {what} FROM {left} a LEFT JOIN {right} b ON a.{key} = b.{key}"),
            2 => format!("SELECT {what} FROM {left} a, {right} b WHERE a.{key} {op} b.{key} AND a.code > 0"),
            3 => format!("SELECT {what} FROM {left} a CROSS JOIN {right} b CROSS JOIN events c"),
            4 => format!(
                "SELECT *, {function} OVER (PARTITION BY {key} ORDER BY stamp, code) AS w FROM {left} a ORDER BY w"
            ),
            _ => format!("SELECT {key}, stamp FROM {left} a {set} SELECT {key}, code FROM {right} b ORDER BY ALL"),
        }
    }
}

/// Peak of resident memory of a process, in KiB.
fn peak_kib(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()
}

#[test]
fn generated_queries_end_with_an_answer_or_a_message_within_the_memory_limit() {
    let count = std::env::var("TAUT_GENERATED_QUERIES").ok().and_then(|count| count.parse().ok()).unwrap_or(20);
    let mut generator = Generator(41);
    let (mut answered, mut highest) = (0, 0);
    for _ in 0..count {
        let sql = generator.query();
        let mut command = Command::new(env!("CARGO_BIN_EXE_taut-tables"));
        command.env("TAUT_CACHE", "").arg("query").arg(testdata("pix-single-frame.taut")).arg(&sql);
        command.args(["--memory", "512MiB", "--format", "csv"]).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut peak = 0;
        let status = loop {
            peak = peak.max(peak_kib(child.id()).unwrap_or_default());
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None => std::thread::sleep(std::time::Duration::from_millis(5)),
            }
        };
        let mut message = String::new();
        child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
        match status.code() {
            Some(0) => answered += 1,
            Some(1 | 2) => assert!(message.starts_with("taut: "), "{sql}: {message}"),
            code => panic!("{sql}: {code:?} {message}"),
        }
        assert!(peak <= MAX_PEAK_KIB, "{sql}: {peak} KiB");
        highest = highest.max(peak);
    }
    eprintln!("{answered} of {count} answered, highest peak {} MiB", highest >> 10);
    assert!(answered > 0 && answered < count, "{answered} of {count}: both ends are tested");
}
