//! Headers that state very much, or texts that are unsafe to print.

use crate::by_hand::{Block, TEXT, file, head};
use std::fmt::Write;

/// The table with additional events.
fn with_events(events: &str) -> String {
    TEXT.replacen("\n]},\"world\"", &format!("{events}\n]}},\"world\""), 1)
}

/// A mark without fields.
fn mark(number: usize, name: &str) -> String {
    format!(r#",{{"code":{},"name":"{name}","layer":"mark","opcode":"info","doc":"","fields":[]}}"#, number << 2)
}

/// Mark with `fields` numbers, on separate slots as far as there are any.
fn fields(count: usize) -> String {
    let mut event = r#",{"code":20,"name":"Wide","layer":"mark","opcode":"info","doc":"","fields":["#.to_owned();
    for number in 0..count {
        let (comma, slot) = (if number > 0 { "," } else { "" }, 100 + 2 * (number % 1900));
        write!(
            event,
            r#"{comma}{{"name":"f{number}","doc":"","kind":{{"scalar":{{"name":"","width_bytes":1,"role":"size","doc":"","slot":{slot}}}}}}}"#
        )
        .unwrap();
    }
    event + "]}"
}

/// Mark with a list of so many columns.
fn columns(count: usize) -> String {
    let column = |at: usize| {
        format!(r#"{{"name":"c{at}","width_bytes":1,"role":"value","slot":{},"doc":""}}"#, 101 + 2 * (at % 1900))
    };
    let columns: Vec<String> = (0..count).map(column).collect();
    format!(
        r#",{{"code":24,"name":"WideList","layer":"mark","opcode":"info","doc":"","fields":[{{"name":"wide","doc":"","kind":{{"list":[{}]}}}}]}}"#,
        columns.join(",")
    )
}

/// Escape sequences that clear the screen, rename the window and overwrite the previous line; and text that a
/// spreadsheet takes for a formula.
fn escapes() -> String {
    let escape = r"\u001b[2J\u001b]0;owned\u0007\u001b[1A\u009b31m\r";
    let text = TEXT.replace("\"name\":\"Make\"", &format!("\"name\":\"Make{escape}\""));
    let text = text.replace("\"name\":\"size\"", &format!("\"name\":\"size{escape}\""));
    text.replace(
        "\"driver\":\"by hand\"",
        &format!(
            "\"driver\":\"=1+1{escape}\",\"rules\":\"+1{escape}\",\"workload\":{{\"name\":\"@SUM(1){escape}\",\"parameters\":{{\"-1{escape}\":\"{escape}\"}}}}"
        ),
    )
}

fn empty_blocks(count: u32) -> Vec<Block> {
    let empty = |thread| {
        let (stamps, kinds, columns) = ((0, 0), vec![], vec![]);
        Block { thread, records: 0, lost: 1, stamps, row_bytes: 0, kinds, columns, ..Block::sound() }
    };
    (0..count).map(empty).collect()
}

fn beginnings(count: u32) -> Vec<u8> {
    let mut bytes = head(TEXT);
    for _ in 0..count {
        bytes.extend(b"\xb1TB1");
        bytes.extend((1u32 << 20).to_le_bytes());
    }
    bytes
}

/// Traces by file name.
pub fn traces() -> Vec<(&'static str, Vec<u8>)> {
    let sound = [Block::sound()];
    let many: String = (0..10_000).map(|at| mark(10 + at, &format!("m{at}"))).collect();
    vec![
        ("escape_names.taut", file(&escapes(), &sound)),
        ("wide_schema.taut", file(&with_events(&(fields(14_000) + &columns(20_000))), &sound)),
        ("many_events.taut", file(&with_events(&many), &sound)),
        ("empty_blocks.taut", file(&with_events(&fields(1000)), &empty_blocks(5000))),
        ("beginnings.taut", beginnings(100_000)),
    ]
}
