//! The terms that a newcomer meets in reports and pages, each explained in two sentences at most.

/// A term and its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The term, as reports spell it.
    pub word: &'static str,
    pub meaning: &'static str,
}

const fn entry(word: &'static str, meaning: &'static str) -> Entry {
    Entry { word, meaning }
}

/// The terms in alphabetical order.
pub const GLOSSARY: &[Entry] = &[
    entry(
        "alignment",
        "The number that a resource's offset in its heap must be a multiple of. Classic placed resources have 64 KiB; with \
         tight alignment the driver may ask for much less.",
    ),
    entry("allocated", "What resources take as the driver answers: the size asked for, rounded up to the alignment."),
    entry(
        "audit",
        "A rule that the documents promise of background processing, checked over a whole trace. A finding is a case that \
         breaks it.",
    ),
    entry(
        "background task",
        "Work that a driver queues in a call and that runs later on a thread of the machine, at idle priority unless a commit \
         raises it. Compiling a variant is one.",
    ),
    entry("call log", "A text file of Direct3D 12 calls, one a line, that `taut record` plays as a workload."),
    entry("commit", "A request that some tasks be finished, which an application can wait for through an event."),
    entry("committed", "Of a resource: created with a heap of its own, the implicit heap."),
    entry(
        "conformance kit",
        "The documents' rules as executable checks that any driver model can be put to: `taut hlk`.",
    ),
    entry(
        "DDI",
        "Device driver interface: the calls that the runtime makes to the driver, below the API that applications call.",
    ),
    entry(
        "deferred context",
        "A context of Direct3D 11 that records calls into a command list, on a thread of its own, while others draw. The device's \
         own context, which executes, is the immediate one.",
    ),
    entry("divergence", "A call, argument or result that is other in a replay than it was when recorded."),
    entry(
        "driver model",
        "A simulated driver, described by a profile in TOML: what it can do, how it rounds sizes, what it optimises. `taut \
         drivers` lists those that come with Tautline.",
    ),
    entry("event", "One record of a trace: the start or the stop of a call, or a mark. It has a stamp and a thread."),
    entry("fragment", "A free range of a heap: a padding, a hole or a tail."),
    entry(
        "granularity",
        "The unit in which memory is handed out. The implicit heap of a committed resource comes in whole pages, and what it \
         has beyond the resource is counted under this name.",
    ),
    entry(
        "guard",
        "The test before a variant runs: whether the constants still have the values that it was made for. If not, the generic \
         shader runs.",
    ),
    entry(
        "handle",
        "Where a driver keeps what it needs of an object, in memory that the runtime allocates. Of Direct3D 11 an object has one in \
         the immediate context and one in each deferred context that uses it.",
    ),
    entry("heap", "A piece of memory that an application creates, and places resources in."),
    entry("hole", "Free memory between two resources of a heap that a release has left."),
    entry("implicit heap", "The heap that the runtime makes for one committed resource."),
    entry("mark", "A record that is no call: a phase's beginning, a message of the debug layer, a task's end."),
    entry("message", "What the debug layer says of a call, with an id and a severity, as Direct3D's own does."),
    entry(
        "padding",
        "The gap before a resource that is there only because the resource's start had to be a multiple of its alignment.",
    ),
    entry(
        "pass",
        "One round of an application that lets the driver measure: from one call of SetBackgroundProcessingMode to the next.",
    ),
    entry("peak", "The moment at which a sum over everything alive is greatest."),
    entry("phase", "A named part of a workload, such as `load`. Reports tell what each created."),
    entry("placed", "Of a resource: created at an offset in a heap, which may hold many."),
    entry(
        "profile-guided optimisation",
        "The driver counts what is drawn and compiles shaders for what it finds. The report `pgo` tells whether that came to \
         rest and what it gained.",
    ),
    entry(
        "replay",
        "Making the calls of a trace again on the live runtime and driver model, and comparing everything.",
    ),
    entry("reserved", "Of a resource: created without memory, which is mapped to parts of it later."),
    entry(
        "rounding",
        "What a resource takes beyond what was asked for, because its size is rounded up to its alignment.",
    ),
    entry("rule set", "The version of the runtime whose rules are in force, such as 1.618."),
    entry(
        "stamp",
        "The time of an event in ticks of the trace's clock, and its place in the order of all threads at once.",
    ),
    entry("tail", "Free memory from the last resource of a heap to the heap's end."),
    entry(
        "tight",
        "Of a resource: created with the flag that lets the driver choose a smaller alignment, where both support it.",
    ),
    entry(
        "tiled",
        "Of a surface: stored in small blocks of texels that lie near each other, instead of row after row.",
    ),
    entry("trace", "The file with everything that was said while recording. It replays on any machine."),
    entry(
        "variant",
        "A shader that the driver made for certain values of constants. Its guard asks whether they still hold.",
    ),
    entry("waste", "Rounding, padding and granularity together."),
    entry(
        "what-if",
        "A replay in another world, under another driver model, other rules or with tight alignment on or off.",
    ),
    entry("workload", "What makes the calls of a recording: a generated one by name, a glTF scene or a call log."),
    entry(
        "write-combined",
        "Of memory: stores are gathered in a few buffers and written together, and reading is slow. The order of stores decides \
         the cost.",
    ),
];

/// The page of the glossary.
pub fn glossary_page() -> String {
    let mut text = "# Glossary\n\nThe words of Tautline's reports, commands and pages.\n\n".to_owned();
    for Entry { word, meaning } in GLOSSARY {
        text += &format!("- **{word}**: {meaning}\n");
    }
    text + "\nThis page is made from the code (`analyze/src/glossary.rs`).\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_glossary_page_matches_the_code() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/glossary.md");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, glossary_page()).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(found == glossary_page(), "BLESS=1 cargo test -p taut-analyze --lib glossary writes docs/glossary.md");
    }

    #[test]
    fn terms_are_unique_sorted_and_have_max_two_sentences() {
        let words: Vec<String> = GLOSSARY.iter().map(|entry| entry.word.to_lowercase()).collect();
        assert!(words.is_sorted() && words.windows(2).all(|pair| pair[0] != pair[1]), "{words:?}");
        for Entry { word, meaning } in GLOSSARY {
            let sentences = meaning.matches(". ").count() + 1;
            assert!(meaning.ends_with('.') && sentences <= 2, "{word}: {meaning}");
        }
    }
}
