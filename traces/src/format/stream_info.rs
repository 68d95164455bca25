//! Streams blocks: process and thread of each stream. Encoder and parser are in this file so that they stay in step.

use crate::format::control_block::ControlBlock;
use crate::format::parse::{Parsed, miss};
use nom::Parser;
use nom::number::complete::{le_u16, le_u32, le_u64};
use serde::Serialize;

/// Size of an entry without its name, in bytes.
pub(crate) const ENTRY_BYTES: usize = 18;

/// Max size of a thread's name, in bytes; longer names are truncated.
const NAME_BYTES: usize = 256;

/// Process and thread of a stream, whose own number is assigned by the recorder.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct StreamInfo {
    pub stream: u32,
    /// Number of the process.
    pub process: u32,
    /// Thread number of the operating system; 0 if unknown.
    pub system_thread: u64,
    /// Name of the thread; empty if it has none.
    pub name: String,
}

impl StreamInfo {
    /// Describes the calling thread as this stream.
    pub fn current_thread(stream: u32) -> StreamInfo {
        let name = std::thread::current().name().unwrap_or_default().to_owned();
        StreamInfo { stream, process: std::process::id(), system_thread: system_thread(), name }
    }
}

/// Operating system's number of the calling thread.
fn system_thread() -> u64 {
    let link = std::fs::read_link("/proc/thread-self").ok();
    let number = link.and_then(|link| link.file_name()?.to_str()?.parse().ok());
    number.unwrap_or_default()
}

/// Numbers and payload of a streams block.
pub(crate) fn contents(streams: &[StreamInfo]) -> (ControlBlock, Vec<u8>) {
    let mut payload = Vec::new();
    for StreamInfo { stream, process, system_thread, name } in streams {
        let name = &name.as_bytes()[..name.floor_char_boundary(NAME_BYTES)];
        payload.extend_from_slice(&stream.to_le_bytes());
        payload.extend_from_slice(&process.to_le_bytes());
        payload.extend_from_slice(&system_thread.to_le_bytes());
        payload.extend_from_slice(&(name.len() as u16).to_le_bytes());
        payload.extend_from_slice(name);
    }
    (ControlBlock { count: streams.len() as u32, words: [0; 4] }, payload)
}

/// Parses the entries of a streams block, which fill `input`.
pub(crate) fn parse(mut input: &[u8], control_block: ControlBlock) -> Parsed<'_, Vec<StreamInfo>> {
    let mut streams = Vec::with_capacity((control_block.count as usize).min(input.len() / ENTRY_BYTES));
    for _ in 0..control_block.count {
        let (rest, (stream, process, system_thread, length)) = (le_u32, le_u32, le_u64, le_u16).parse(input)?;
        let name =
            rest.split_at_checked(length.into()).and_then(|(name, rest)| Some((str::from_utf8(name).ok()?, rest)));
        let Some((name, rest)) = name else { return miss(rest, "a name in UTF-8", format!("{} bytes", rest.len())) };
        streams.push(StreamInfo { stream, process, system_thread, name: name.to_owned() });
        input = rest;
    }
    if control_block.words != [0; 4] {
        return miss(input, "0 after the number of streams", format!("{:?}", control_block.words));
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
    use crate::format::parse::run;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn streams_come_back(streams in prop::collection::vec((any::<u32>(), any::<u32>(), any::<u64>(), ".{0,40}"), 0..6)) {
            let of = |(stream, process, system_thread, name)| StreamInfo { stream, process, system_thread, name };
            let streams: Vec<_> = streams.into_iter().map(of).collect();
            let (control_block, payload) = contents(&streams);
            prop_assert_eq!(run(0, "streams", &payload, |input| parse(input, control_block)), Ok(streams));
            if let Some(short) = payload.len().checked_sub(1) {
                prop_assert!(run(0, "streams", &payload[..short], |input| parse(input, control_block)).is_err());
            }
            let more = [&payload[..], &[0]].concat();
            prop_assert!(run(0, "streams", &more, |input| parse(input, control_block)).is_err());
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn threads_of_a_process_have_numbers_and_names_of_their_own() {
        let named = |name: &str| {
            let thread = std::thread::Builder::new().name(name.to_owned());
            thread.spawn(|| StreamInfo::current_thread(7)).unwrap().join().unwrap()
        };
        let (one, other) = (named("one"), named("other"));
        assert_ne!(one.system_thread, other.system_thread);
        assert_eq!((one.name.as_str(), other.name.as_str(), one.process), ("one", "other", std::process::id()));
    }
}
