//! Whose a stream is. Writer and reader side by side.

use crate::parse::{Parsed, miss};
use crate::told::Told;
use nom::Parser;
use nom::number::complete::{le_u16, le_u32, le_u64};
use serde::Serialize;

/// Size of an entry without its name, in bytes.
pub(crate) const ENTRY_BYTES: usize = 18;

/// Longest name that is kept, in bytes.
const NAME_BYTES: usize = 256;

/// Whose a stream is: its number is the recorder's, not the system's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct StreamInfo {
    /// Number of the stream.
    pub stream: u32,
    /// The process.
    pub process: u32,
    /// The operating system's number of the thread; 0 where it is not known.
    pub system_thread: u64,
    /// The thread's name; empty if it has none.
    pub name: String,
}

impl StreamInfo {
    /// The thread that asks, as this stream.
    pub fn of_this_thread(stream: u32) -> StreamInfo {
        let name = std::thread::current().name().unwrap_or_default().to_owned();
        StreamInfo { stream, process: std::process::id(), system_thread: system_thread(), name }
    }
}

/// The system's number of the thread that asks.
fn system_thread() -> u64 {
    let link = std::fs::read_link("/proc/thread-self").ok();
    let number = link.and_then(|link| link.file_name()?.to_str()?.parse().ok());
    number.unwrap_or_default()
}

/// The numbers and the payload of a block that tells of streams.
pub(crate) fn contents(streams: &[StreamInfo]) -> (Told, Vec<u8>) {
    let mut payload = Vec::new();
    for StreamInfo { stream, process, system_thread, name } in streams {
        let name = &name.as_bytes()[..name.floor_char_boundary(NAME_BYTES)];
        payload.extend_from_slice(&stream.to_le_bytes());
        payload.extend_from_slice(&process.to_le_bytes());
        payload.extend_from_slice(&system_thread.to_le_bytes());
        payload.extend_from_slice(&(name.len() as u16).to_le_bytes());
        payload.extend_from_slice(name);
    }
    (Told { count: streams.len() as u32, words: [0; 4] }, payload)
}

/// Reads so many from exactly their bytes.
pub(crate) fn parse(mut input: &[u8], told: Told) -> Parsed<'_, Vec<StreamInfo>> {
    let mut streams = Vec::with_capacity((told.count as usize).min(input.len() / ENTRY_BYTES));
    for _ in 0..told.count {
        let (rest, (stream, process, system_thread, length)) = (le_u32, le_u32, le_u64, le_u16).parse(input)?;
        let name =
            rest.split_at_checked(length.into()).and_then(|(name, rest)| Some((str::from_utf8(name).ok()?, rest)));
        let Some((name, rest)) = name else { return miss(rest, "a name in UTF-8", format!("{} bytes", rest.len())) };
        streams.push(StreamInfo { stream, process, system_thread, name: name.to_owned() });
        input = rest;
    }
    if told.words != [0; 4] {
        return miss(input, "0 behind the number of streams", format!("{:?}", told.words));
    }
    if input.is_empty() {
        Ok((input, streams))
    } else {
        miss(input, "the end of the streams", format!("{} more bytes", input.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::run;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn streams_come_back(streams in prop::collection::vec((any::<u32>(), any::<u32>(), any::<u64>(), ".{0,40}"), 0..6)) {
            let of = |(stream, process, system_thread, name)| StreamInfo { stream, process, system_thread, name };
            let streams: Vec<_> = streams.into_iter().map(of).collect();
            let (told, payload) = contents(&streams);
            prop_assert_eq!(run(0, "streams", &payload, |input| parse(input, told)), Ok(streams));
            if let Some(short) = payload.len().checked_sub(1) {
                prop_assert!(run(0, "streams", &payload[..short], |input| parse(input, told)).is_err());
            }
            let more = [&payload[..], &[0]].concat();
            prop_assert!(run(0, "streams", &more, |input| parse(input, told)).is_err());
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn threads_of_a_process_have_numbers_and_names_of_their_own() {
        let named = |name: &str| {
            let thread = std::thread::Builder::new().name(name.to_owned());
            thread.spawn(|| StreamInfo::of_this_thread(7)).unwrap().join().unwrap()
        };
        let (one, other) = (named("one"), named("other"));
        assert_ne!(one.system_thread, other.system_thread);
        assert_eq!((one.name.as_str(), other.name.as_str(), one.process), ("one", "other", std::process::id()));
    }
}
