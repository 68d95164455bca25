//! The headline verdict of a comparison of two traces.

use super::{SwapChainDiff, TraceDiff};
use crate::render::{counted, grouped};
use crate::reports::verdict::listed;
use crate::reports::{Figure, Verdict};

/// Max swap chains in the sentence.
const SWAP_CHAINS: usize = 2;

impl TraceDiff {
    /// The verdict on two traces with these names. `whole`: both traces hold all that was recorded.
    pub fn verdict(&self, a: &str, b: &str, whole: bool) -> Verdict {
        let calls = &self.calls;
        let (differ, figures) = (calls.differ(), self.figures.len() as u64);
        let known = if whole { "" } else { ", as far as they tell" };
        let sentence = if self.is_identical() {
            let calls = counted(calls.calls_a, "call");
            format!("{a} and {b} are the same{known}: {calls}, their results and messages, and every report figure.")
        } else {
            format!("{a} and {b} differ{known}: {}.", listed(&self.differences(a, b)))
        };
        Verdict {
            sentence,
            figures: [
                Figure::count("calls that differ", differ).with_text(format!(
                    "{} of {}",
                    grouped(differ),
                    grouped(calls.matched)
                )),
                Figure::count("results that differ", calls.results_differ),
                Figure::count("report figures that differ", figures),
            ],
            advice: None,
        }
    }

    /// The differences, one text per part.
    fn differences(&self, a: &str, b: &str) -> Vec<String> {
        let (calls, figures) = (&self.calls, self.figures.len() as u64);
        let mut parts: Vec<String> = self.presents.iter().take(SWAP_CHAINS).map(SwapChainDiff::sentence).collect();
        if self.presents.len() > SWAP_CHAINS {
            let more = (self.presents.len() - SWAP_CHAINS) as u64;
            parts.push(format!(
                "{} {}",
                counted(more, "more swap chain"),
                if more == 1 { "differs" } else { "differ" }
            ));
        }
        let verb = |count: u64, one: &str, several: &str| if count == 1 { one.to_owned() } else { several.to_owned() };
        if calls.differ() > 0 {
            let (differ, matched) = (grouped(calls.differ()), counted(calls.matched, "call"));
            let verb = verb(calls.differ(), "differs", "differ");
            let results = match calls.results_differ {
                0 => "none in its result".to_owned(),
                count => format!("{} in the result", grouped(count)),
            };
            parts.push(format!("{differ} of {matched} {verb} ({results})"));
        }
        let edits =
            [(calls.removed(), "removed"), (calls.inserted(), "inserted"), (calls.skipped_in_one(), "skipped in one")];
        for (count, edit) in edits.into_iter().filter(|(count, _)| *count > 0) {
            parts.push(format!("{} {} {edit}", counted(count, "call"), verb(count, "is", "are")));
        }
        if !calls.messages.is_empty() {
            let messages = calls.messages.len() as u64;
            parts.push(format!(
                "{} of the debug layer {} said more often in one ({} in {a}, {} in {b})",
                if messages == 1 { "one message id".to_owned() } else { format!("{} message ids", grouped(messages)) },
                verb(messages, "is", "are"),
                counted(calls.messages.iter().map(|message| message.count_a).sum(), "time"),
                counted(calls.messages.iter().map(|message| message.count_b).sum(), "time"),
            ));
        }
        parts.push(match figures {
            0 => "every report figure is the same".to_owned(),
            count => format!("{} {}", counted(count, "report figure"), verb(count, "differs", "differ")),
        });
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CallDiff, MessageDiff};
    use super::*;

    fn diff(calls: CallDiff) -> TraceDiff {
        TraceDiff { calls, presents: Vec::new(), figures: Vec::new() }
    }

    #[test]
    fn equal_traces_are_called_so_and_counted() {
        let same = diff(CallDiff { calls_a: 3, calls_b: 3, matched: 3, same: 3, ..Default::default() });
        let verdict = same.verdict("a", "b", true);
        assert_eq!(
            verdict.sentence,
            "a and b are the same: 3 calls, their results and messages, and every report figure."
        );
        assert_eq!(verdict.figures.map(|figure| figure.text), ["0 of 3", "0", "0"]);
        assert!(same.verdict("a", "b", false).sentence.starts_with("a and b are the same, as far as they tell:"));
    }

    #[test]
    fn calls_that_one_trace_lacks_are_a_difference() {
        let only_in_b = [("CreateHeap".to_owned(), 2)].into();
        let calls = CallDiff { calls_a: 1, calls_b: 3, matched: 1, same: 1, only_in_b, ..Default::default() };
        let sentence = diff(calls).verdict("a", "b", true).sentence;
        assert_eq!(sentence, "a and b differ: 2 calls are inserted and every report figure is the same.");
    }

    #[test]
    fn messages_of_which_one_trace_has_more_are_counted_in_both() {
        let message = |count_a, count_b| MessageDiff {
            severity: "ERROR".to_owned(),
            message_id: "CREATEHEAP_INVALIDALIGNMENT".to_owned(),
            count_a,
            count_b,
        };
        let sentence = |messages: Vec<MessageDiff>| {
            let calls = CallDiff { calls_a: 3, calls_b: 3, matched: 3, same: 3, messages, ..Default::default() };
            diff(calls).verdict("old", "new", true).sentence
        };
        let one = sentence(vec![message(1, 12)]);
        assert!(
            one.contains(
                "one message id of the debug layer is said more often in one (1 time in old, 12 times in new)"
            )
        );
        let several = sentence(vec![message(1, 12), message(4, 0)]);
        assert!(
            several.contains(
                "2 message ids of the debug layer are said more often in one (5 times in old, 12 times in new)"
            )
        );
    }

    #[test]
    fn calls_and_results_that_differ_are_counted() {
        let calls = CallDiff { matched: 4, same: 1, results_differ: 2, calls_a: 4, calls_b: 4, ..Default::default() };
        let verdict = diff(calls).verdict("a", "b", true);
        assert!(
            verdict.sentence.starts_with("a and b differ: 3 of 4 calls differ (2 in the result) and"),
            "{verdict:?}"
        );
        assert_eq!(verdict.figures[1].value, 2);
    }
}
