//! Windows traces: reading, decoding, decompression and import, each with a floor measured in the same run.

mod dissect;
mod import;
mod reading;

use crate::BenchError;
use crate::statistics::median;
use dissect::Dissect;
use import::ImportRound;
use reading::Compressed;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;
use taut_analyze::render::{grouped, span};
use taut_etl::{Decoder, Etl};

/// Options of the benchmark.
#[derive(Debug, Clone)]
pub struct EtlOptions {
    pub file: PathBuf,
    pub rounds: u32,
    /// Python interpreter that may have dissect.etl.
    pub python: PathBuf,
}

/// Results of the benchmark; times are medians.
pub struct EtlFigures {
    name: String,
    rounds: u32,
    bytes: u64,
    /// Events, those of DxgKrnl, and their fields.
    events: u64,
    kernel_events: u64,
    kernel_fields: u64,
    sum_ns: u64,
    walk_ns: u64,
    decode_ns: u64,
    /// `None` if the file has no compressed buffer.
    compressed: Option<CompressedFigures>,
    imported_events: u64,
    import_ns: u64,
    record_ns: u64,
    lost_events: u64,
    dissect: Dissect,
}

struct CompressedFigures {
    buffers: u64,
    content_bytes: u64,
    copy_ns: u64,
    decompress_ns: u64,
}

/// Measures each operation and its floor in turn. The first round is a warm-up and does not count.
///
/// # Errors
/// The file is no Windows trace, or a temporary trace cannot be written.
pub fn measure(options: &EtlOptions) -> Result<EtlFigures, BenchError> {
    let name = options.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    import::check(&options.file)?;
    let file = Etl::open(&options.file)?;
    let mut compressed = Compressed::new(&file);
    let mut figures = EtlFigures {
        name,
        rounds: options.rounds,
        bytes: file.size_bytes(),
        events: 0,
        kernel_events: 0,
        kernel_fields: 0,
        sum_ns: 0,
        walk_ns: 0,
        decode_ns: 0,
        compressed: None,
        imported_events: 0,
        import_ns: 0,
        record_ns: 0,
        lost_events: 0,
        dissect: Dissect::default(),
    };
    let mut samples = Samples::default();
    for round in 0..=options.rounds {
        let input = Input { options, file: &file, compressed: compressed.as_mut() };
        samples.round(round > 0, &mut figures, input)?;
    }
    let Samples { mut sum, mut walk, mut decode, mut copy, mut decompress, mut import, mut record } = samples;
    figures.compressed = compressed.map(|compressed| CompressedFigures {
        buffers: compressed.buffers(),
        content_bytes: compressed.content_bytes(),
        copy_ns: median(&mut copy),
        decompress_ns: median(&mut decompress),
    });
    (figures.sum_ns, figures.walk_ns, figures.decode_ns) = (median(&mut sum), median(&mut walk), median(&mut decode));
    (figures.import_ns, figures.record_ns) = (median(&mut import), median(&mut record));
    figures.dissect = Dissect::measure(&options.python, &options.file);
    Ok(figures)
}

/// Input of each round.
struct Input<'r, 'f> {
    options: &'r EtlOptions,
    file: &'f Etl,
    compressed: Option<&'r mut Compressed<'f>>,
}

/// Times of the counted rounds.
#[derive(Default)]
struct Samples {
    sum: Vec<u64>,
    walk: Vec<u64>,
    decode: Vec<u64>,
    copy: Vec<u64>,
    decompress: Vec<u64>,
    import: Vec<u64>,
    record: Vec<u64>,
}

/// Result and time in nanoseconds.
fn timed<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_nanos() as u64)
}

impl Samples {
    fn round(&mut self, is_counted: bool, figures: &mut EtlFigures, input: Input<'_, '_>) -> Result<(), BenchError> {
        let Input { options, file, compressed } = input;
        let add = |samples: &mut Vec<u64>, ns: u64| samples.extend(is_counted.then_some(ns));
        let (summed, sum_ns) = timed(|| sum(&options.file));
        summed?;
        add(&mut self.sum, sum_ns);
        let (walked, walk_ns) = timed(|| walk(&options.file));
        figures.events = walked?;
        add(&mut self.walk, walk_ns);
        let decoder = Decoder::new(file);
        let ((events, fields), decode_ns) = timed(|| reading::decode_kernel(file, &decoder));
        (figures.kernel_events, figures.kernel_fields) = (events, fields);
        add(&mut self.decode, decode_ns);
        if let Some(compressed) = compressed {
            add(&mut self.copy, timed(|| compressed.copy()).1);
            add(&mut self.decompress, timed(|| compressed.decompress()).1);
        }
        let ImportRound { events, import_ns, record_ns, lost_events } = import::measure(&options.file)?;
        figures.imported_events = events;
        figures.lost_events += lost_events;
        add(&mut self.import, import_ns);
        add(&mut self.record, record_ns);
        Ok(())
    }
}

/// Opens a file, as [`walk`] does, and adds all words. The mapping of its pages is a part of both.
fn sum(file: &Path) -> Result<(), taut_etl::Error> {
    let file = Etl::open(file)?;
    std::hint::black_box(reading::sum_of_words(file.bytes()));
    Ok(())
}

/// Opens a file, merges all headers and returns the number of events.
fn walk(file: &Path) -> Result<u64, taut_etl::Error> {
    let file = Etl::open(file)?;
    let (mut events, mut count, mut ticks) = (file.events(), 0, 0_i64);
    while let Some(record) = events.next_record() {
        count += 1;
        ticks = ticks.wrapping_add(record.tick);
    }
    std::hint::black_box(ticks);
    Ok(count)
}

fn ratio(value: u64, floor: u64) -> f64 {
    value as f64 / floor.max(1) as f64
}

/// Megabytes per second.
fn mb_per_s(bytes: u64, ns: u64) -> f64 {
    bytes as f64 * 1e3 / ns.max(1) as f64
}

impl EtlFigures {
    /// True if no event was lost.
    pub fn is_complete(&self) -> bool {
        self.lost_events == 0
    }

    fn import_mevents_per_s(&self) -> f64 {
        self.imported_events as f64 * 1e3 / self.import_ns.max(1) as f64
    }

    /// Figures as JSON.
    pub fn json(&self) -> Value {
        let compressed = self.compressed.as_ref();
        let dissect_ns = self.dissect.ns();
        json!({
            "file": self.name,
            "bytes": self.bytes,
            "events": self.events,
            "rounds": self.rounds,
            "sum_ns": self.sum_ns,
            "walk_ns": self.walk_ns,
            "walk_speed_over_sum": ratio(self.sum_ns, self.walk_ns),
            "kernel_events": self.kernel_events,
            "kernel_fields": self.kernel_fields,
            "decode_ns": self.decode_ns,
            "decode_over_walk": ratio(self.decode_ns, self.walk_ns),
            "imported_events": self.imported_events,
            "import_ns": self.import_ns,
            "record_ns": self.record_ns,
            "import_over_record": ratio(self.import_ns, self.record_ns),
            "import_mevents_per_s": self.import_mevents_per_s(),
            "lost_events": self.lost_events,
            "compressed_buffers": compressed.map_or(0, |one| one.buffers),
            "decompress_ns": compressed.map(|one| one.decompress_ns),
            "copy_ns": compressed.map(|one| one.copy_ns),
            "decompress_speed_over_copy": compressed.map(|one| ratio(one.copy_ns, one.decompress_ns)),
            "dissect_ns": dissect_ns,
            "dissect_over_walk": dissect_ns.map(|ns| ratio(ns, self.walk_ns)),
            "dissect_skipped": self.dissect.skipped(),
        })
    }

    /// Figures as text.
    pub fn text(&self) -> String {
        let row = |name: &str, ns: u64, meaning: String| format!("\x20 {name:<12} {:>10}   {meaning}\n", span(ns));
        let (bytes, walk) = (self.bytes, self.walk_ns);
        let mut text = format!(
            "{}: {} bytes, {} events, medians of {}\n",
            self.name,
            grouped(bytes),
            grouped(self.events),
            self.rounds
        );
        text += &row("sum", self.sum_ns, format!("of all 8-byte words: {:.0} MB/s", mb_per_s(bytes, self.sum_ns)));
        let speed = ratio(self.sum_ns, walk);
        text += &row(
            "walk",
            walk,
            format!("all headers merged: {:.0} MB/s, {speed:.2} times the sum's speed", mb_per_s(bytes, walk)),
        );
        let (events, fields) = (grouped(self.kernel_events), grouped(self.kernel_fields));
        let times = ratio(self.decode_ns, walk);
        text += &row(
            "decode",
            self.decode_ns,
            format!("{times:.2} times the walk: {fields} fields of {events} DxgKrnl events"),
        );
        let (times, speed) = (ratio(self.import_ns, self.record_ns), self.import_mevents_per_s());
        text +=
            &row("record", self.record_ns, format!("{} events of the import's sizes", grouped(self.imported_events)));
        text += &row("import", self.import_ns, format!("{times:.2} times the recording; {speed:.2} million events/s"));
        match &self.compressed {
            None => text += "\x20 decompress   skipped: the file has no compressed buffer\n",
            Some(one) => {
                let (speed, rate) =
                    (ratio(one.copy_ns, one.decompress_ns), mb_per_s(one.content_bytes, one.decompress_ns));
                text += &row("copy", one.copy_ns, format!("of {} bytes of content", grouped(one.content_bytes)));
                text += &row(
                    "decompress",
                    one.decompress_ns,
                    format!(
                        "{} buffers on 2 threads: {rate:.0} MB/s, {speed:.2} times the copy's speed",
                        grouped(one.buffers)
                    ),
                );
            }
        }
        match (self.dissect.ns(), self.dissect.skipped()) {
            (Some(ns), _) => text + &row("dissect.etl", ns, format!("{:.0} times the walk", ratio(ns, walk))),
            (None, why) => text + &format!("\x20 dissect.etl  skipped: {}\n", why.unwrap_or_default()),
        }
    }
}
