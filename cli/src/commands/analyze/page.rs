//! The page for a browser, and what it says of itself: which program made it, when, by which command, and what came of the
//! budget.

use super::Reported;
use super::baseline::Baseline;
use super::budget::Budgeted;
use super::side_by_side::compared;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use taut_analyze::html::{PageContext, page};
use taut_analyze::{Analysis, Findings};
use taut_console::outcome::Failure;
use taut_console::traces::names;

/// The page over all traces.
pub fn html(traces: &[Reported], baseline: Option<&Baseline>, budgeted: Option<&Budgeted>) -> Result<String, Failure> {
    let context = PageContext {
        budget: budgeted.map(|budgeted| budgeted.checked().to_vec()),
        compared: compared(traces, baseline),
        ..origin(traces.iter().map(|trace| &trace.analysis))?
    };
    let files: Vec<PathBuf> = traces.iter().map(|trace| trace.file.clone()).collect();
    let traces: Vec<(String, &Analysis, &Findings)> =
        names(&files).into_iter().zip(traces).map(|(name, trace)| (name, &trace.analysis, &trace.findings)).collect();
    page(&traces, &context).map_err(Failure::input)
}

/// Which program makes a page over these traces, when, and by which command.
pub fn origin<'t>(traces: impl Iterator<Item = &'t Analysis>) -> Result<PageContext, Failure> {
    Ok(PageContext {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: command(std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned())),
        made_at: made_at(traces)?,
        ..Default::default()
    })
}

/// The command line, so that a shell takes it as it was given.
fn command(arguments: impl Iterator<Item = String>) -> String {
    let plain = |character: char| character.is_alphanumeric() || "-_./=:,@%+".contains(character);
    let quoted = arguments.map(|argument| match !argument.is_empty() && argument.chars().all(plain) {
        true => argument,
        false => format!("'{}'", argument.replace('\'', r"'\''")),
    });
    std::iter::once("taut".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
}

/// When the page is made: `SOURCE_DATE_EPOCH` where it is set, else now. Traces whose clock tells no time come the same way
/// each time, and so does their page: it has no date.
fn made_at<'t>(mut traces: impl Iterator<Item = &'t Analysis>) -> Result<Option<String>, Failure> {
    let told = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(seconds) => {
            let wrong = || Failure::usage(format!("SOURCE_DATE_EPOCH is `{seconds}`; expected seconds since 1970"));
            UNIX_EPOCH.checked_add(Duration::from_secs(seconds.parse().map_err(|_| wrong())?)).ok_or_else(wrong)?
        }
        Err(_) if traces.all(|trace| trace.ticks_to_ns(1).is_none()) => return Ok(None),
        Err(_) => SystemTime::now(),
    };
    // Beyond the year 9999 a date has no such text.
    let last = UNIX_EPOCH + Duration::from_secs(253_402_300_799);
    Ok(Some(humantime::format_rfc3339_seconds(told.min(last)).to_string().replace('T', " ").replace('Z', " UTC")))
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn a_command_line_is_told_so_that_a_shell_takes_it_as_it_was_given() {
        let arguments = ["analyze", "my trace.taut", "it's.taut", ""].map(str::to_owned).into_iter();
        assert_eq!(command(arguments), r"taut analyze 'my trace.taut' 'it'\''s.taut' ''");
    }
}
