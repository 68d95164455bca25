//! Interactive input, with history and completion.

use super::completion::Completer;
use super::line::{Line, Typed};
use super::session::Session;
use super::statements::Statements;
use super::{Next, take};
use console::Term;
use taut_console::outcome::Failure;
use taut_console::output::History;
use taut_console::printing::print;
use taut_console::report_failure;

/// Maximum number of completion candidates that are listed.
const LISTED: usize = 60;

/// Runs the shell until Ctrl-D or `.quit`.
pub fn run(session: &mut Session<'_>) -> Result<Next, Failure> {
    (session.interactive, session.timing) = (true, true);
    let completion = Completer::new(session.query().tables());
    let history = History::named("shell-history");
    let mut line = Line::new(history.lines());
    print("Queries end with `;`. .help lists the commands, Tab completes, Ctrl-D ends.\n")?;
    let (term, mut statements) = (Term::stdout(), Statements::default());
    loop {
        let prompt = if statements.is_empty() { "taut> " } else { "   …> " };
        match typed(&term, &mut line, &completion, prompt)? {
            Typed::Whole(text) => {
                line.remember(&text);
                history.add_line(&text);
                match take(session, &mut statements, &text) {
                    Ok(Next::Line) => {}
                    Ok(end) => return Ok(end),
                    Err(failure) => report_failure(&failure),
                }
            }
            Typed::End => return Ok(Next::End),
            // Ctrl-C at the prompt discards the incomplete statement.
            _ => statements.clear(),
        }
    }
}

/// Reads a line, Ctrl-C or the end of input.
fn typed(term: &Term, line: &mut Line, completion: &Completer, prompt: &str) -> Result<Typed, Failure> {
    let failed = |error| Failure::io(error).context("the terminal");
    loop {
        draw(term, line, prompt).map_err(failed)?;
        // A closed terminal has no more lines.
        let Ok(key) = term.read_key_raw() else { return Ok(Typed::End) };
        let text = line.text();
        match line.key(&key) {
            Typed::Line => {}
            Typed::Complete => complete(term, line, completion).map_err(failed)?,
            Typed::Clear => term.clear_screen().map_err(failed)?,
            end => {
                // The complete line stays on the screen.
                term.clear_line().and_then(|()| term.write_line(&format!("{prompt}{text}"))).map_err(failed)?;
                return Ok(end);
            }
        }
    }
}

/// Draws the part of the line around the cursor that fits.
fn draw(term: &Term, line: &Line, prompt: &str) -> std::io::Result<()> {
    let room = usize::from(term.size().1).saturating_sub(prompt.chars().count() + 1).max(10);
    let from = line.at().saturating_sub(room - 1);
    let shown: String = line.text().chars().skip(from).take(room).collect();
    let after_cursor: String = shown.chars().skip(line.at() - from).collect();
    term.clear_line()?;
    term.write_str(&format!("{prompt}{shown}"))?;
    match console::measure_text_width(&after_cursor) {
        0 => Ok(()),
        columns => term.move_cursor_left(columns),
    }
}

/// Completes the word before the cursor as far as it is unambiguous; otherwise lists the candidates.
fn complete(term: &Term, line: &mut Line, completion: &Completer) -> std::io::Result<()> {
    let text = line.text();
    let (from, candidates) = completion.of(&text, line.at_byte());
    let Some(first) = candidates.first() else { return Ok(()) };
    let word = &text[from..line.at_byte()];
    let common = candidates.iter().skip(1).fold(first.as_str(), |common, other| {
        let matching =
            common.char_indices().zip(other.chars()).take_while(|((_, one), other)| one.eq_ignore_ascii_case(other));
        &common[..matching.last().map_or(0, |((at, letter), _)| at + letter.len_utf8())]
    });
    if candidates.len() == 1 || common.chars().count() > word.chars().count() {
        line.put(from, common);
        return Ok(());
    }
    let more = candidates.len().saturating_sub(LISTED);
    let mut listed = candidates[..candidates.len() - more].join("  ");
    if more > 0 {
        listed += &format!("  and {more} more");
    }
    term.write_line("")?;
    term.write_line(&listed)
}
