//! Terms of reports and pages, each explained in two sentences at most.

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
        "A resource's offset in its heap is a multiple of this number: 64 KiB for classic placed resources, often less \
         with tight alignment.",
    ),
    entry(
        "allocated",
        "Of an application: heaps, and implicit heaps of committed resources. Of a resource: SizeInBytes, the requested \
         size rounded up to the alignment.",
    ),
    entry(
        "audit",
        "A rule that the documents state for background processing, checked over a whole trace. A finding is a \
         violation.",
    ),
    entry(
        "background task",
        "Work that a driver queues in a call, such as compiling a variant. It runs later on another thread, at idle \
         priority unless a commit boosts it.",
    ),
    entry("call log", "A text file of Direct3D 12 calls, one per line, that `taut record` plays."),
    entry("commit", "A request to finish tasks. An application can wait for its end through an event."),
    entry("committed", "Of a resource: created with its own implicit heap."),
    entry("conformance kit", "Executable checks of driver models against the documents' rules: `taut hlk`."),
    entry("DDI", "Device driver interface: the calls that the runtime makes to the driver."),
    entry(
        "deferred context",
        "A context of Direct3D 11 that records calls into a command list on its own thread. The immediate context \
         executes the list.",
    ),
    entry("divergence", "A call, argument or result that differs between a replay and its recording."),
    entry(
        "driver model",
        "A simulated driver, described by a TOML profile: capabilities, rounding of sizes, optimisations. `taut \
         drivers` lists the bundled ones.",
    ),
    entry("event", "One record of a trace, with stamp and thread: the start or the stop of a call, or a mark."),
    entry("fragment", "A free range of a heap: a padding, a hole or a tail."),
    entry("granularity", "The part of an implicit heap beyond its resource, because heaps consist of whole pages."),
    entry(
        "guard",
        "The check before a variant runs: do the constants still have the values that it was compiled for? If not, the \
         generic shader runs.",
    ),
    entry(
        "handle",
        "A driver's memory for one object, allocated by the runtime. A Direct3D 11 object has one in the immediate \
         context and one in each deferred context that uses it.",
    ),
    entry("heap", "Memory that an application creates and in which it places resources."),
    entry("hole", "A free gap between two resources of a heap, left by a release."),
    entry("implicit heap", "The heap that the runtime creates for one committed resource."),
    entry("mark", "A record that is no call: the begin of a phase, a debug-layer message, the end of a task."),
    entry("message", "A message of the debug layer about a call, with Direct3D's id and severity."),
    entry("padding", "The gap before a resource that exists only because of the resource's alignment."),
    entry("pass", "One round of measurements by the driver: from one call of SetBackgroundProcessingMode to the next."),
    entry("peak", "The time at which a sum over all live objects is largest."),
    entry("phase", "A named part of a workload, such as `load`."),
    entry("placed", "Of a resource: created at an offset of a heap, which may hold many."),
    entry(
        "profile-guided optimisation",
        "The driver counts what is drawn and compiles shaders for it. The report `pgo` states whether it converged and \
         what it gained.",
    ),
    entry(
        "replay",
        "The calls of a trace, executed again on the runtime and driver model and compared with the recording.",
    ),
    entry("reserved", "Of a resource: created without memory; memory is mapped to parts of it later."),
    entry("rounding", "The difference between a resource's allocated and requested size."),
    entry("rule set", "The version of the runtime whose rules apply, such as 1.618."),
    entry("stamp", "The time of an event in ticks of the trace's clock. Stamps order the events of all threads."),
    entry("tail", "The unused memory between the last resource of a heap and the end of the heap."),
    entry("tight", "Of a resource: created with the flag that lets the driver choose a smaller alignment."),
    entry("tiled", "Of a surface: stored in small blocks of neighbouring texels instead of row by row."),
    entry("trace", "The file of a recording. It replays on any machine."),
    entry("variant", "A shader that the driver compiled for certain values of constants."),
    entry("waste", "The sum of rounding, padding and granularity."),
    entry("what-if", "A replay under other conditions: another driver model, other rules, tight alignment on or off."),
    entry("workload", "The source of a recording's calls: a bundled generator, a glTF scene or another input file."),
    entry(
        "write-combined",
        "Of memory: stores are gathered in a few buffers and written together, and reading is slow. The order of \
         stores decides the cost.",
    ),
];

/// The page of the glossary.
pub fn glossary_page() -> String {
    let mut text = "# Glossary\n\nThe words of Tautline's reports, commands and pages.\n\n".to_owned();
    for Entry { word, meaning } in GLOSSARY {
        text += &format!("- **{word}**: {meaning}\n");
    }
    text + "\nThis page is generated from the code (`analyze/src/glossary.rs`).\n"
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
