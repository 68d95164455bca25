//! Runner of the binary on a pseudo-terminal, with the resulting screen.
#![allow(dead_code)]

use std::io::{ErrorKind, Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use vt100::{Color, Parser};

/// Prompt of `taut shell`.
const PROMPT: &[u8] = b"taut> ";

/// Screen of a terminal after a command has ended.
pub struct Screen {
    pub code: i32,
    /// All output, including text that is no longer on the screen.
    pub written: String,
    /// Rows up to the last one with text, without trailing spaces.
    pub rows: Vec<String>,
    /// The rows with bold text between `*`.
    pub marked: Vec<String>,
    /// True for a row that continues in the next one because its text was too long.
    pub overflowing: Vec<bool>,
    /// True if later output would look as on a fresh terminal.
    pub is_reset: bool,
}

impl Screen {
    /// All rows with bold text between `*`.
    pub fn golden(&self) -> String {
        self.marked.join("\n") + "\n"
    }

    /// All rows.
    pub fn text(&self) -> String {
        self.rows.join("\n") + "\n"
    }
}

/// Runs `taut` in `folder` on a colour terminal of this size, with all three standard streams connected to it.
pub fn screen(folder: &Path, columns: u16, rows: u16, arguments: &[&str]) -> Screen {
    screen_of(folder, columns, rows, env!("CARGO_BIN_EXE_taut"), arguments)
}

/// Runs a line in a shell, which finds `taut` in its `PATH`.
pub fn shell(folder: &Path, columns: u16, rows: u16, line: &str) -> Screen {
    screen_of(folder, columns, rows, "sh", &["-c", line])
}

fn screen_of(folder: &Path, columns: u16, rows: u16, program: &str, arguments: &[&str]) -> Screen {
    let own = Path::new(env!("CARGO_BIN_EXE_taut")).parent().expect("its folder").to_owned();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&others))).expect("a PATH");
    let (mut terminal, its_program) = pty_process::blocking::open().expect("a pseudo-terminal");
    terminal.resize(pty_process::Size::new(rows, columns)).expect("its size is set");
    let mut program = pty_process::blocking::Command::new(program)
        .args(arguments)
        .env("PATH", path)
        .current_dir(folder)
        .env("TERM", "xterm-256color")
        .env("TAUT_CACHE", "")
        .env_remove("NO_COLOR")
        .spawn(its_program)
        .expect("the binary runs");
    let size = |count: u16| NonZeroU16::new(count).expect("a size");
    let mut parser = Parser::new(size(rows), size(columns), 0);
    let (mut bytes, mut written, mut is_prompted) = ([0; 4096], Vec::new(), false);
    loop {
        match terminal.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => {
                parser.process(&bytes[..count]);
                written.extend_from_slice(&bytes[..count]);
                // A shell that prompts is ended with `.quit`.
                if !is_prompted && written.ends_with(PROMPT) {
                    is_prompted = true;
                    terminal.write_all(b".quit\r").expect("the terminal takes what is typed");
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Reading fails once the program has ended.
            Err(_) => break,
        }
    }
    let code = program.wait().expect("the binary ends").code().expect("an exit code");
    Screen { written: String::from_utf8_lossy(&written).into_owned(), ..seen(code, parser.screen()) }
}

fn seen(code: i32, screen: &vt100::Screen) -> Screen {
    let (rows, columns) = screen.size();
    let mut seen = Screen {
        code,
        written: String::new(),
        rows: Vec::new(),
        marked: Vec::new(),
        overflowing: Vec::new(),
        is_reset: !screen.bold() && screen.fgcolor() == Color::Default,
    };
    for row in 0..rows.get() {
        let (text, marked) = row_text(screen, row, columns.get());
        seen.rows.push(text);
        seen.marked.push(marked);
        seen.overflowing.push(screen.row_wrapped(row));
    }
    let used = seen.rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
    assert!(used < usize::from(rows.get()), "the terminal has too few rows for the text");
    seen.rows.truncate(used);
    seen.marked.truncate(used);
    seen.overflowing.truncate(used);
    seen
}

fn row_text(screen: &vt100::Screen, row: u16, columns: u16) -> (String, String) {
    let (mut text, mut marked, mut is_bold) = (String::new(), String::new(), false);
    for column in 0..columns {
        let Some(cell) = screen.cell(row, column).filter(|cell| !cell.is_wide_continuation()) else { continue };
        if cell.bold() != is_bold {
            is_bold = cell.bold();
            marked.push('*');
        }
        let contents = if cell.has_contents() { cell.contents() } else { " " };
        text += contents;
        marked += contents;
    }
    if is_bold {
        marked.push('*');
    }
    (text.trim_end().to_owned(), marked.trim_end().to_owned())
}
