//! File names that Windows reserves, or changes when it creates the file.

/// A name that denotes no file of its own on Windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WindowsName {
    /// The device that discards what is written to it.
    Null,
    /// Another device; until Windows 10 also with any extension.
    Device,
    /// A trailing dot or space, which Windows removes.
    Trailing,
    /// A stream of a file (`file:stream`).
    Stream,
}

/// Devices besides those that have a number.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Devices with a number from 1 to 9, also as a superscript.
const NUMBERED: [&str; 2] = ["com", "lpt"];

impl WindowsName {
    /// Kind of a file's name; `None` for one that denotes a file.
    pub fn of(name: &str) -> Option<WindowsName> {
        if name.eq_ignore_ascii_case("nul") {
            return Some(WindowsName::Null);
        }
        let stem = name.split(['.', ':']).next().unwrap_or_default().trim_end_matches(' ').to_lowercase();
        if DEVICES.contains(&stem.as_str()) || NUMBERED.iter().any(|device| is_numbered(&stem, device)) {
            return Some(WindowsName::Device);
        }
        if name.contains(':') {
            return Some(WindowsName::Stream);
        }
        let is_parent = name.bytes().all(|letter| letter == b'.');
        (!is_parent && name.ends_with(['.', ' '])).then_some(WindowsName::Trailing)
    }

    /// Description in an error.
    pub fn found(self) -> &'static str {
        match self {
            WindowsName::Null | WindowsName::Device => "a name that Windows reserves for a device",
            WindowsName::Trailing => "a name that ends in a dot or a space, which Windows removes",
            WindowsName::Stream => "the name of a stream of a file",
        }
    }
}

fn is_numbered(stem: &str, device: &str) -> bool {
    stem.strip_prefix(device).is_some_and(|number| {
        let mut letters = number.chars();
        matches!((letters.next(), letters.next()), (Some('1'..='9' | '¹' | '²' | '³'), None))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_devices_and_streams_and_trailing_dots_are_no_files_on_windows() {
        for name in
            ["con", "CON.taut", "aux", "prn.x.y", "com1", "LPT9.taut", "com².taut", "nul.taut", "con .taut", "conin$"]
        {
            assert_eq!(WindowsName::of(name), Some(WindowsName::Device), "{name}");
        }
        assert_eq!(WindowsName::of("NUL"), Some(WindowsName::Null));
        assert_eq!(WindowsName::of("x.taut:y"), Some(WindowsName::Stream));
        for name in ["x.taut.", "x.taut ", "x. ."] {
            assert_eq!(WindowsName::of(name), Some(WindowsName::Trailing), "{name}");
        }
        for name in ["x.taut", "console.taut", "com.taut", "com0", "com10", "lpt", "nullable", ".taut", "..", "a b"] {
            assert_eq!(WindowsName::of(name), None, "{name}");
        }
    }
}
