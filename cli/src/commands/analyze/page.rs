//! Provenance of a page: version, date and command line.

use std::time::{Duration, SystemTime, UNIX_EPOCH};
use taut_analyze::page::PageContext;
use taut_console::outcome::Failure;

/// Provenance of a page: version, date and command line. `is_repeatable` is true if no trace has a clock with time.
pub fn origin(is_repeatable: bool) -> Result<PageContext, Failure> {
    Ok(PageContext {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: command(std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned())),
        created_at: created_at(is_repeatable)?,
        ..Default::default()
    })
}

/// Formats the command line with the quotes that a shell needs to read it.
fn command(arguments: impl Iterator<Item = String>) -> String {
    let plain = |character: char| character.is_alphanumeric() || "-_./=:,@%+".contains(character);
    let quoted = arguments.map(|argument| match !argument.is_empty() && argument.chars().all(plain) {
        true => argument,
        false => format!("'{}'", argument.replace('\'', r"'\''")),
    });
    std::iter::once("taut".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
}

/// Creation time of the page: `SOURCE_DATE_EPOCH` if set, else the current time. `None` if no trace has a clock with
/// time: such recordings can be repeated byte for byte, and so can their page.
fn created_at(is_repeatable: bool) -> Result<Option<String>, Failure> {
    let created = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(seconds) => {
            let wrong = || Failure::usage(format!("SOURCE_DATE_EPOCH is `{seconds}`; expected seconds since 1970"));
            UNIX_EPOCH.checked_add(Duration::from_secs(seconds.parse().map_err(|_| wrong())?)).ok_or_else(wrong)?
        }
        Err(_) if is_repeatable => return Ok(None),
        Err(_) => SystemTime::now(),
    };
    // RFC 3339 has no text for a date after the year 9999.
    let last = UNIX_EPOCH + Duration::from_secs(253_402_300_799);
    Ok(Some(humantime::format_rfc3339_seconds(created.min(last)).to_string().replace('T', " ").replace('Z', " UTC")))
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn a_command_line_is_quoted_for_a_shell() {
        let arguments = ["analyze", "my trace.taut", "it's.taut", ""].map(str::to_owned).into_iter();
        assert_eq!(command(arguments), r"taut analyze 'my trace.taut' 'it'\''s.taut' ''");
    }
}
