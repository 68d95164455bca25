//! Presents of rows, and the unit of their times.

use super::cell::{CellFault, NS_PER_MS, TimeUnit, is_absent, is_set, milliseconds, number, time};
use super::columns::{Columns, Span};
use super::row::{LoggedChain, LoggedPresent, Runtime};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Bit of PresentFlags: DXGI_PRESENT_ALLOW_TEARING.
const ALLOW_TEARING: u64 = 0x200;

/// Number of swap chains of the last rows among which the next row's is searched first.
const RECENT_CHAINS: usize = 4;

/// Properties of presents that a file states once, in place of columns.
#[derive(Debug, Clone)]
pub(super) struct FileDefaults {
    pub application: String,
    pub swap_chain: String,
}

impl Default for FileDefaults {
    fn default() -> FileDefaults {
        FileDefaults { application: "unknown".to_owned(), swap_chain: "0x0".to_owned() }
    }
}

/// Reader of rows with a heading.
pub(super) struct RowReader {
    columns: Columns,
    defaults: FileDefaults,
    /// Swap chains, and names of modes and frame types, which many presents share.
    chains: BTreeSet<Arc<LoggedChain>>,
    recent_chains: Vec<Arc<LoggedChain>>,
    texts: BTreeSet<Arc<str>>,
    /// Text that was returned last.
    last_text: Arc<str>,
}

/// Cells of a row, without surrounding spaces.
pub(super) trait Cells {
    fn count(&self) -> usize;
    fn cell(&self, place: usize) -> Option<&str>;
}

impl Cells for [&str] {
    fn count(&self) -> usize {
        self.len()
    }

    fn cell(&self, place: usize) -> Option<&str> {
        self.get(place).copied()
    }
}

/// Row with the heading's number of columns.
struct Row<'r, C: ?Sized> {
    cells: &'r C,
    count: usize,
}

impl<C: ?Sized> Clone for Row<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: ?Sized> Copy for Row<'_, C> {}

impl<'r, C: Cells + ?Sized> Row<'r, C> {
    /// Returns a cell. Rows may be shorter than the heading, if only columns are missing that are not read.
    fn get(&self, place: usize) -> Result<&'r str, CellFault> {
        let columns = |count: usize| format!("{count} columns");
        self.cells.cell(place).ok_or_else(|| CellFault {
            place: self.cells.count().saturating_sub(1),
            expected: columns(self.count),
            found: columns(self.cells.count()),
        })
    }

    fn optional(&self, place: Option<usize>) -> Option<&'r str> {
        self.cells.cell(place?).filter(|cell| !is_absent(cell))
    }

    /// Returns the sum of a span, from Present; `None` if any of its cells is absent.
    fn span_ns(&self, span: &Span) -> Result<Option<f64>, CellFault> {
        let mut sum = 0.0;
        for place in &span.places {
            let cell = self.get(*place)?;
            if is_absent(cell) {
                return Ok(None);
            }
            sum += milliseconds(cell, *place)?;
        }
        if let Some(place) = span.until_present {
            sum -= milliseconds(self.get(place)?, place)?;
        }
        Ok(Some(sum))
    }
}

impl RowReader {
    pub fn new(columns: Columns, defaults: FileDefaults) -> RowReader {
        RowReader {
            columns,
            defaults,
            chains: BTreeSet::new(),
            recent_chains: Vec::new(),
            texts: BTreeSet::new(),
            last_text: "".into(),
        }
    }

    /// Finds the unit of the times, where the column's name leaves it open: the first rows have both the times and, in
    /// milliseconds, the time between them.
    pub fn find_unit(&mut self, rows: &[&[String]]) {
        let Columns { present, between, qpc_frequency, swap_chain, .. } = &mut self.columns;
        if !matches!(present.unit, TimeUnit::Ticks(_) | TimeUnit::Milliseconds) {
            return;
        }
        let cell = |row: &&[String], place: usize| row.get(place).and_then(|cell| number(cell));
        let frequency = qpc_frequency.and_then(|place| rows.iter().find_map(|row| cell(row, place)));
        let is_ticks = matches!(present.unit, TimeUnit::Ticks(_));
        if let Some(frequency) = frequency.filter(|frequency| is_ticks && *frequency > 0.0) {
            present.unit = TimeUnit::Ticks(1e9 / frequency);
            return;
        }
        // Seconds have a fraction and ticks have none. Most rows must have a fraction, because a row may be damaged.
        let is_fraction = |row: &&&[String]| row.get(present.place).is_some_and(|cell| cell.contains(['.', ',']));
        let has_fraction = rows.iter().filter(is_fraction).count() * 2 > rows.len();
        let median = |mut values: Vec<f64>| {
            values.retain(|value| *value > 0.0);
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied()
        };
        let times: Vec<f64> = rows.iter().filter_map(|row| cell(row, present.place)).collect();
        let steps = median(times.windows(2).map(|pair| pair[1] - pair[0]).collect());
        let between = between.and_then(|place| median(rows.iter().filter_map(|row| cell(row, place)).collect()));
        let Some(ns_per_unit) = steps.zip(between).map(|(step, between)| between * NS_PER_MS / step) else {
            if is_ticks && has_fraction {
                present.unit = TimeUnit::Seconds;
            }
            return;
        };
        let chain = |row: &[String]| swap_chain.and_then(|place| row.get(place).cloned());
        let is_one_chain = rows.windows(2).all(|pair| chain(pair[0]) == chain(pair[1]));
        // Rows of several programs alternate, so the two medians may differ by a factor; units differ by a thousand.
        let is = |ns: f64| (ns / 20.0..ns * 20.0).contains(&ns_per_unit);
        present.unit = match present.unit {
            _ if is(1e9) => TimeUnit::Seconds,
            _ if is(NS_PER_MS) => TimeUnit::Milliseconds,
            // Older machines have other frequencies than 10 MHz. A single program is needed to measure the frequency.
            TimeUnit::Ticks(ns) if is(ns) => match (ns_per_unit / ns - 1.0).abs() {
                0.02.. if is_one_chain => TimeUnit::Ticks(ns_per_unit),
                _ => TimeUnit::Ticks(ns),
            },
            unit => unit,
        };
    }

    /// Parses the present in a row.
    pub fn read<C: Cells + ?Sized>(&mut self, cells: &C, line: u64) -> Result<LoggedPresent, CellFault> {
        let Columns { count, present, .. } = self.columns;
        let row = Row { cells, count };
        let start_ns = time(row.get(present.place)?, present.unit, present.place)?;
        let until_present_ns = match present.until_present {
            Some(place) => milliseconds(row.get(place)?, place)?.max(0.0) as u64,
            None => 0,
        };
        let was_dropped = row.optional(self.columns.dropped).is_some_and(is_set);
        let gpu_end_ns = row.span_ns(&self.columns.gpu_end)?;
        // Version 1 writes 0 for a frame that was never shown.
        let shown_ns = row.span_ns(&self.columns.shown)?.filter(|shown| !was_dropped && *shown != 0.0);
        let integer = |place: Option<usize>| row.optional(place).and_then(|cell| cell.parse::<u64>().ok());
        let tearing = row.optional(self.columns.allows_tearing).map(is_set);
        let flags_tearing = integer(self.columns.present_flags).is_some_and(|flags| flags & ALLOW_TEARING != 0);
        let (runtime, hybrid) = (row.optional(self.columns.runtime), row.optional(self.columns.hybrid));
        let interval = integer(self.columns.sync_interval).and_then(|interval| u32::try_from(interval).ok());
        let chain = self.chain(row)?;
        Ok(LoggedPresent {
            line,
            chain,
            at_ns: start_ns.saturating_add(until_present_ns),
            gpu_end_after_ns: gpu_end_ns.unwrap_or(0.0).max(0.0) as u64,
            shown_after_ns: shown_ns.map(|shown| shown.max(0.0) as u64),
            // DXGI allows intervals from 0 to 4; any other value counts as unknown.
            sync_interval: interval.filter(|interval| *interval <= 4).unwrap_or(0),
            allows_tearing: tearing.unwrap_or(flags_tearing),
            runtime: match runtime {
                Some("DXGI") => Runtime::Dxgi,
                Some("D3D9") => Runtime::Direct3D9,
                Some(_) | None => Runtime::Other,
            },
            is_hybrid: hybrid.map(is_set),
            mode: self.mode(row),
            generated_by: self.generated_by(row),
        })
    }

    fn chain<C: Cells + ?Sized>(&mut self, row: Row<'_, C>) -> Result<Arc<LoggedChain>, CellFault> {
        let process_id = match self.columns.process_id {
            Some(place) => {
                let cell = row.get(place)?;
                cell.parse().map_err(|_| CellFault::new(place, "a number", cell))?
            }
            None => 0,
        };
        let application = row.optional(self.columns.application).unwrap_or(&self.defaults.application);
        let swap_chain = row.optional(self.columns.swap_chain).unwrap_or(&self.defaults.swap_chain);
        let is_same = |known: &&Arc<LoggedChain>| {
            known.process_id == process_id && known.swap_chain == swap_chain && known.application == application
        };
        // The rows of a few programs alternate; a search in the set needs a chain with texts of its own.
        if let Some(known) = self.recent_chains.iter().find(is_same) {
            return Ok(Arc::clone(known));
        }
        let (application, swap_chain) = (application.to_owned(), swap_chain.to_owned());
        let chain = Arc::new(LoggedChain { application, process_id, swap_chain });
        let chain = self.chains.get(&chain).map_or(chain, Arc::clone);
        self.chains.insert(Arc::clone(&chain));
        self.recent_chains.truncate(RECENT_CHAINS - 1);
        self.recent_chains.insert(0, Arc::clone(&chain));
        Ok(chain)
    }

    /// Returns PresentMode. CapFrameX writes the numbers of PresentMon's enumeration.
    fn mode<C: Cells + ?Sized>(&mut self, row: Row<'_, C>) -> Arc<str> {
        let cell = row.optional(self.columns.mode).unwrap_or_default();
        let mode = match cell {
            "1" => "Hardware: Legacy Flip",
            "2" => "Hardware: Legacy Copy to front buffer",
            "3" => "Hardware: Independent Flip",
            "4" => "Composed: Flip",
            "5" => "Composed: Copy with GPU GDI",
            "6" => "Composed: Copy with CPU GDI",
            "8" => "Hardware Composed: Independent Flip",
            mode => mode,
        };
        self.shared(mode)
    }

    /// Returns FrameType of a frame that the program did not present.
    fn generated_by<C: Cells + ?Sized>(&mut self, row: Row<'_, C>) -> Option<Arc<str>> {
        let of_program = ["Application", "NotSet", "Unspecified"];
        let kind = row.optional(self.columns.frame_type)?;
        (!of_program.iter().any(|name| kind.eq_ignore_ascii_case(name))).then(|| self.shared(kind))
    }

    fn shared(&mut self, text: &str) -> Arc<str> {
        if *self.last_text != *text {
            let known = self.texts.get(text).map_or_else(|| text.into(), Arc::clone);
            self.texts.insert(Arc::clone(&known));
            self.last_text = known;
        }
        Arc::clone(&self.last_text)
    }
}
