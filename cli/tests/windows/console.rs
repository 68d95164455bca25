//! Width and colours of the Windows console. `tools/windows.sh` runs these tests in one.

/// Arguments of a command that prints paragraphs and, in red, broken limits.
#[cfg(windows)]
const ANALYZE: [&str; 7] = ["analyze", "x.taut", "--report", "alignment", "--budget", "limits.toml", "-q"];

#[cfg(windows)]
fn recorded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    crate::program::succeed(folder.path(), &["record", "small-level", "--clock", "logical", "-o", "x.taut", "-q"]);
    std::fs::write(folder.path().join("limits.toml"), "limits = [\"alignment.peak.waste_ratio <= 0.1 %\"]\n").unwrap();
    folder
}

/// Words of a text, in order: what remains of it whatever the width is.
#[cfg(windows)]
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
#[cfg_attr(not(windows), ignore = "on Windows: the suite has a Unix terminal elsewhere")]
fn paragraphs_are_as_wide_as_the_console() {
    #[cfg(windows)]
    {
        let Some(screen) = screen::Screen::new() else { return };
        let folder = recorded();
        let arguments = [&ANALYZE[..], &["--color", "never"]].concat();
        let file = crate::program::run(folder.path(), &arguments);
        assert_eq!(file.code, Some(1), "{file:?}");
        let mut command = crate::program::command(folder.path());
        let status =
            command.args(&arguments).stdin(std::process::Stdio::null()).stdout(screen.output()).status().unwrap();
        assert_eq!(status.code(), Some(1));
        let (rows, columns) = (screen.rows(), screen.columns());
        assert_eq!(words(&rows.join("\n")), words(&file.stdout), "a word is broken at {columns} columns: {rows:#?}");
        assert!(rows.iter().all(|row| row.chars().count() <= columns));
        let is_narrower = file.stdout.lines().any(|line| line.chars().count() > columns);
        assert!(is_narrower || columns >= 120, "the output has no long line");
    }
}

#[test]
#[cfg_attr(not(windows), ignore = "on Windows: the suite has a Unix terminal elsewhere")]
fn a_broken_limit_is_red_on_the_console_and_no_sequence_is_printed_as_text() {
    #[cfg(windows)]
    {
        let Some(screen) = screen::Screen::new() else { return };
        if !screen.has_sequences() {
            eprintln!("skipped: this console prints control sequences as text, although it accepts the mode");
            return;
        }
        let folder = recorded();
        let mut command = crate::program::command(folder.path());
        command.args(ANALYZE).env_remove("NO_COLOR").env_remove("TERM").stdin(std::process::Stdio::null());
        assert_eq!(command.stdout(screen.output()).status().unwrap().code(), Some(1));
        let rows = screen.rows();
        assert!(!rows.concat().contains('\u{1b}'), "{rows:#?}");
        let red = rows.iter().position(|row| row.contains("broken")).unwrap_or_else(|| panic!("{rows:#?}"));
        assert!(screen.is_red(red), "{}", rows[red]);
    }
}

#[cfg(windows)]
mod screen {
    #![allow(unsafe_code)]

    use std::ffi::c_void;
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    use std::process::Stdio;
    use std::ptr::null;
    use windows_sys::Win32::Foundation::{GENERIC_READ, GENERIC_WRITE, INVALID_HANDLE_VALUE};
    use windows_sys::Win32::Storage::FileSystem::{FILE_SHARE_READ, FILE_SHARE_WRITE};
    use windows_sys::Win32::System::Console::{
        AllocConsole, CONSOLE_SCREEN_BUFFER_INFO, CONSOLE_TEXTMODE_BUFFER, COORD, ENABLE_VIRTUAL_TERMINAL_PROCESSING,
        FOREGROUND_BLUE, FOREGROUND_GREEN, FOREGROUND_RED, GetConsoleScreenBufferInfo, ReadConsoleOutputAttribute,
        ReadConsoleOutputCharacterW, SetConsoleCursorPosition, SetConsoleMode, WriteConsoleW,
    };

    // `windows-sys` has it with another feature alone, which no dependency of the program needs.
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn CreateConsoleScreenBuffer(
            access: u32,
            share: u32,
            attributes: *const c_void,
            flags: u32,
            data: *const c_void,
        ) -> *mut c_void;
    }

    /// Screen buffer of the console, which no other program writes to.
    pub struct Screen(OwnedHandle);

    impl Screen {
        /// `None` without a console.
        pub fn new() -> Option<Screen> {
            let share = FILE_SHARE_READ | FILE_SHARE_WRITE;
            // SAFETY: calls without pointers to own memory. The first one fails if this process has a console already.
            let handle = unsafe {
                AllocConsole();
                CreateConsoleScreenBuffer(GENERIC_READ | GENERIC_WRITE, share, null(), CONSOLE_TEXTMODE_BUFFER, null())
            };
            if handle == INVALID_HANDLE_VALUE {
                eprintln!("skipped: no console: {}", std::io::Error::last_os_error());
                return None;
            }
            // SAFETY: the handle is new, and owned by no other value.
            Some(Screen(unsafe { OwnedHandle::from_raw_handle(handle) }))
        }

        /// The buffer as the standard output of a program.
        pub fn output(&self) -> Stdio {
            self.0.try_clone().unwrap().into()
        }

        fn info(&self) -> CONSOLE_SCREEN_BUFFER_INFO {
            let mut info = CONSOLE_SCREEN_BUFFER_INFO::default();
            // SAFETY: an own handle and a local structure.
            assert_ne!(unsafe { GetConsoleScreenBufferInfo(self.0.as_raw_handle(), &raw mut info) }, 0);
            info
        }

        pub fn columns(&self) -> usize {
            usize::try_from(self.info().dwSize.X).unwrap()
        }

        fn row(&self, row: i16) -> String {
            let (mut text, mut count) = (vec![0_u16; self.columns()], 0);
            let (length, start) = (u32::try_from(text.len()).unwrap(), COORD { X: 0, Y: row });
            let handle = self.0.as_raw_handle();
            // SAFETY: the buffer has `length` elements.
            let is_read =
                unsafe { ReadConsoleOutputCharacterW(handle, text.as_mut_ptr(), length, start, &raw mut count) };
            assert_ne!(is_read, 0);
            String::from_utf16_lossy(&text).trim_end().to_owned()
        }

        /// Rows above the cursor, which is below the output.
        pub fn rows(&self) -> Vec<String> {
            let info = self.info();
            assert!(info.dwCursorPosition.Y + 1 < info.dwSize.Y, "the output is longer than the screen");
            (0..info.dwCursorPosition.Y).map(|row| self.row(row)).collect()
        }

        /// True if a character of the row is red.
        pub fn is_red(&self, row: usize) -> bool {
            let (mut attributes, mut count) = (vec![0_u16; self.columns()], 0);
            let length = u32::try_from(attributes.len()).unwrap();
            let start = COORD { X: 0, Y: i16::try_from(row).unwrap() };
            let handle = self.0.as_raw_handle();
            // SAFETY: the buffer has `length` elements.
            let is_read =
                unsafe { ReadConsoleOutputAttribute(handle, attributes.as_mut_ptr(), length, start, &raw mut count) };
            assert_ne!(is_read, 0);
            let colours = FOREGROUND_RED | FOREGROUND_GREEN | FOREGROUND_BLUE;
            attributes.iter().any(|attribute| attribute & colours == FOREGROUND_RED)
        }

        /// True if the console interprets control sequences once they are enabled.
        pub fn has_sequences(&self) -> bool {
            let text: Vec<u16> = "\u{1b}[0mx".encode_utf16().collect();
            let (length, handle, mut count) = (u32::try_from(text.len()).unwrap(), self.0.as_raw_handle(), 0);
            let (mode, start) = (3 | ENABLE_VIRTUAL_TERMINAL_PROCESSING, COORD { X: 0, Y: 0 });
            // SAFETY: an own handle, and a text of `length` characters.
            unsafe {
                SetConsoleMode(handle, mode);
                WriteConsoleW(handle, text.as_ptr(), length, &raw mut count, null());
            }
            let has_sequences = self.row(0) == "x";
            // SAFETY: a call without pointers. The program enables the sequences itself.
            unsafe {
                SetConsoleMode(handle, 3);
                SetConsoleCursorPosition(handle, start);
            }
            has_sequences
        }
    }
}
