//! Names of users and machines in texts.

/// Text that stands for a name.
const REDACTED: &str = "REDACTED";
/// Folders whose next part is a user's name.
const USER_FOLDERS: [&str; 3] = ["\\users\\", "\\documents and settings\\", "/users/"];

/// Replaces the user's name in paths of a user's folder, and the machine's name in UNC paths. Returns the number of
/// replaced names.
pub fn redact(text: &mut String) -> u64 {
    let mut count = 0;
    for folder in USER_FOLDERS {
        count += replace_after(text, folder);
    }
    let is_unc = text.starts_with("\\\\") && !text.starts_with("\\\\?\\") && !text.starts_with("\\\\.\\");
    if is_unc {
        count += u64::from(replace_part(text, 2).is_some());
    }
    count
}

/// Replaces the part of a path after each occurrence of `folder`.
fn replace_after(text: &mut String, folder: &str) -> u64 {
    let (mut at, mut count) = (0, 0);
    // ASCII lower case keeps the length, so that positions are those of the text.
    while let Some(found) = text.to_ascii_lowercase()[at..].find(folder) {
        at += found + folder.len();
        match replace_part(text, at) {
            Some(end) => {
                at = end;
                count += 1;
            }
            None => continue,
        }
    }
    count
}

/// Replaces the part of a path that starts at `at`, and returns its new end. `None` for an empty part.
fn replace_part(text: &mut String, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let length = rest.find(['\\', '/', '"', '\0']).unwrap_or(rest.len());
    if length == 0 {
        return None;
    }
    text.replace_range(at..at + length, REDACTED);
    Some(at + REDACTED.len())
}

#[cfg(test)]
mod tests {
    use super::redact;
    use proptest::prelude::*;

    fn redacted(text: &str) -> (String, u64) {
        let mut text = text.to_owned();
        let count = redact(&mut text);
        (text, count)
    }

    #[test]
    fn names_of_users_and_machines_are_replaced() {
        assert_eq!(redacted("C:\\Users\\ann\\a.exe"), ("C:\\Users\\REDACTED\\a.exe".to_owned(), 1));
        assert_eq!(redacted("\\Device\\X\\USERS\\ann"), ("\\Device\\X\\USERS\\REDACTED".to_owned(), 1));
        assert_eq!(
            redacted("\\\\host\\share\\Users\\ann b\\x"),
            ("\\\\REDACTED\\share\\Users\\REDACTED\\x".to_owned(), 2)
        );
        assert_eq!(redacted("C:\\Windows\\System32"), ("C:\\Windows\\System32".to_owned(), 0));
        assert_eq!(redacted("\\\\?\\C:\\x"), ("\\\\?\\C:\\x".to_owned(), 0));
    }

    proptest! {
        #[test]
        fn no_name_after_a_users_folder_remains(prefix in "\\PC{0,8}", name in "[a-zé]{1,12}", rest in "\\PC{0,8}") {
            let (text, count) = redacted(&format!("{prefix}\\Users\\{name}\\{rest}"));
            prop_assert!(count >= 1);
            let user = format!("\\Users\\{name}\\");
            prop_assert!(!text.contains(&user), "{}", text);
        }
    }
}
