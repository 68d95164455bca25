//! Truncated and damaged logs: reading returns the valid part and the position at which it ended.

use super::sample::{gzip, read, sample};
use crate::call_log::LogError;
use std::io::Cursor;

#[test]
fn the_sample_reads_whole_plain_and_compressed() {
    let plain = read(sample().into_bytes()).unwrap();
    assert!(plain.error.is_none(), "{:?}", plain.error);
    assert_eq!(plain.log.lines.len() + 1, sample().lines().count());
    assert_eq!(read(gzip(sample().as_bytes())).unwrap().log, plain.log);
}

#[test]
fn fields_may_be_in_another_order() {
    let text = sample();
    let reordered = text.lines().enumerate().map(|(number, line)| {
        let mut fields: Vec<(String, serde_json::Value)> =
            serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line).unwrap().into_iter().collect();
        fields.rotate_left(number % 5);
        let fields: Vec<_> = fields.iter().map(|(name, value)| format!(" {name:?} : {value}")).collect();
        format!("{{{}}}\r\n", fields.join(","))
    });
    let reordered = read(reordered.collect::<String>().into_bytes()).unwrap();
    assert!(reordered.error.is_none(), "{:?}", reordered.error);
    assert_eq!(reordered.log, read(sample().into_bytes()).unwrap().log);
}

#[test]
fn a_log_cut_at_any_byte_keeps_every_line_before_the_cut() {
    let whole = read(sample().into_bytes()).unwrap().log;
    let text = sample();
    for cut in 0..text.len() {
        match read(text.as_bytes()[..cut].to_vec()) {
            Err(error) => {
                assert!(error.is_corruption(), "{error}");
                assert!(!text[..cut].contains('\n') && cut + 1 < text.find('\n').unwrap() + 1, "cut {cut}: {error}");
            }
            Ok(reading) => {
                let error = reading.error.unwrap_or_else(|| panic!("cut {cut} went unnoticed"));
                let complete = text[..cut].matches('\n').count().saturating_sub(1);
                // A line without its newline, but otherwise complete, is returned, too.
                let lines = reading.log.lines.len();
                assert!(lines == complete || lines == complete + 1, "cut {cut}: {lines} lines, {error}");
                assert_eq!(reading.log.lines[..], whole.lines[..lines], "cut {cut}");
                assert!(error.position().unwrap().line as usize <= lines + 2, "cut {cut}: {error}");
            }
        }
    }
}

#[test]
fn a_compressed_log_cut_at_any_byte_returns_its_readable_lines() {
    let whole = read(sample().into_bytes()).unwrap().log;
    let bytes = gzip(sample().as_bytes());
    for cut in 0..bytes.len() {
        match read(bytes[..cut].to_vec()) {
            Err(error) => assert!(error.is_corruption(), "{error}"),
            Ok(reading) => {
                let error = reading.error.unwrap_or_else(|| panic!("cut {cut} went unnoticed"));
                assert!(matches!(error, LogError::Gzip { damage: "cut short", .. }), "cut {cut}: {error}");
                assert_eq!(reading.log.lines[..], whole.lines[..reading.log.lines.len()]);
            }
        }
    }
}

#[test]
fn a_flipped_bit_in_a_compressed_log_is_noticed_or_changes_nothing() {
    let whole = read(sample().into_bytes()).unwrap().log;
    let bytes = gzip(sample().as_bytes());
    let mut unnoticed = 0;
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        if let Ok(reading) = read(flipped)
            && reading.error.is_none()
        {
            assert_eq!(reading.log, whole, "bit {bit}");
            unnoticed += 1;
        }
    }
    // Flips of these header bits have no effect: the text hint, the time, the compression level, the system, and the
    // padding of the stream's last byte.
    assert!(unnoticed <= 1 + 8 * 6 + 7, "{unnoticed}");
}

#[test]
fn a_flipped_bit_in_a_plain_log_never_panics() {
    let text = sample();
    // A stride of 13 covers all bit positions in a byte and all fields of a line.
    for bit in (0..8 * text.len()).step_by(13) {
        let mut flipped = text.clone().into_bytes();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let _ = read(flipped);
    }
}

#[test]
fn a_failing_source_is_reported_with_its_line() {
    struct Failing;
    impl std::io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the cable is out"))
        }
    }
    let head: String = sample().lines().take(4).map(|line| format!("{line}\n")).collect();
    let source = std::io::Read::chain(Cursor::new(head.into_bytes()), Failing);
    let reading = crate::call_log::CallLog::from_reader(source, "sample".to_owned()).unwrap();
    assert_eq!(reading.log.lines.len(), 3);
    let error = reading.error.unwrap();
    assert!(!error.is_corruption());
    assert_eq!(error.to_string(), "sample:5:1: cannot read on: the cable is out");
}
