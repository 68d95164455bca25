//! Formats counts for people.

/// Formats a count with thousands separators: `118,226`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count with its noun: `1 heap`, `2 heaps`, `1,746 calls`.
pub fn counted(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart_and_one_is_one() {
        assert_eq!([0, 999, 1000, 118_226, 1_000_000].map(grouped), ["0", "999", "1,000", "118,226", "1,000,000"]);
        assert_eq!(
            [0, 1, 2000].map(|count| counted(count, "DDI call")),
            ["0 DDI calls", "1 DDI call", "2,000 DDI calls"]
        );
    }
}
