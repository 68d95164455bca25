//! Which column says what, in either generation of the columns.

use super::error::PresentLogFault;
use super::row::{LoggedChain, LoggedPresent};

/// How a time is counted.
#[derive(Debug, Clone, Copy)]
enum Unit {
    /// 100 ns.
    Ticks,
    Seconds,
    Milliseconds,
}

/// Where the moment of Present stands, and from which moment the other times of a row count.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// The call itself.
    Present(usize, Unit),
    /// The frame's beginning on the processor, and how long after it Present is called.
    FrameStart { start: usize, unit: Unit, until_present: usize },
}

/// Places of what is read, from 0.
#[derive(Debug)]
pub(super) struct Columns {
    count: usize,
    application: usize,
    process_id: usize,
    swap_chain: usize,
    moment: Moment,
    /// What adds up to the end of the work on the graphics processor.
    gpu: Vec<usize>,
    shown: usize,
    dropped: Option<usize>,
    sync_interval: Option<usize>,
    allows_tearing: Option<usize>,
    mode: Option<usize>,
}

/// A cell that cannot be read: its place, expected and found.
type CellFault = (usize, String, String);

const NS_PER_MS: f64 = 1e6;

impl Columns {
    /// The columns of a heading.
    pub fn of(heading: &str, origin: &str) -> Result<Columns, PresentLogFault> {
        let names: Vec<&str> = heading.split(',').map(str::trim).collect();
        let find = |known: &[&str]| {
            let places =
                known.iter().filter_map(|name| names.iter().position(|found| found.eq_ignore_ascii_case(name)));
            places.into_iter().next()
        };
        let required = |known: &[&str]| {
            find(known).ok_or_else(|| PresentLogFault {
                origin: origin.to_owned(),
                line: 1,
                column: names.len() as u64,
                expected: format!("a column {}", known.join(" or ")),
                found: "none of that name".to_owned(),
            })
        };
        let call = [("TimeInQPC", Unit::Ticks), ("TimeInSeconds", Unit::Seconds), ("TimeInMs", Unit::Milliseconds)];
        let call = call.into_iter().find_map(|(name, unit)| Some(Moment::Present(find(&[name])?, unit)));
        let (moment, gpu, shown) = match call {
            Some(moment) => {
                let gpu = vec![required(&["MsRenderPresentLatency", "MsUntilRenderComplete"])?];
                (moment, gpu, required(&["MsUntilDisplayed"])?)
            }
            None => {
                let start = [("CPUStartQPC", Unit::Ticks), ("CPUStartTime", Unit::Milliseconds)];
                let found = start.into_iter().find_map(|(name, unit)| Some((find(&[name])?, unit)));
                let all = ["TimeInQPC", "TimeInSeconds", "CPUStartQPC", "CPUStartTime"];
                let (start, unit) = found.map_or_else(|| required(&all).map(|place| (place, Unit::Ticks)), Ok)?;
                let until_present = required(&["MsCPUBusy", "CPUBusy"])?;
                let gpu = vec![required(&["MsGPULatency", "GPULatency"])?, required(&["MsGPUTime", "GPUTime"])?];
                (
                    Moment::FrameStart { start, unit, until_present },
                    gpu,
                    required(&["DisplayLatency", "MsDisplayLatency"])?,
                )
            }
        };
        Ok(Columns {
            count: names.len(),
            application: required(&["Application"])?,
            process_id: required(&["ProcessID"])?,
            swap_chain: required(&["SwapChainAddress"])?,
            moment,
            gpu,
            shown,
            dropped: find(&["Dropped"]),
            sync_interval: find(&["SyncInterval"]),
            allows_tearing: find(&["AllowsTearing"]),
            mode: find(&["PresentMode"]),
        })
    }

    /// The present of a line.
    pub fn read(&self, text: &str, line: u64) -> Result<LoggedPresent, CellFault> {
        let cells: Vec<&str> = text.split(',').map(str::trim).collect();
        if cells.len() != self.count {
            let columns = |count: usize| format!("{count} columns");
            return Err((cells.len().saturating_sub(1), columns(self.count), columns(cells.len())));
        }
        let words = |place: usize| cells[place].to_owned();
        let known = |place: usize| Some(cells[place]).filter(|cell| !cell.is_empty() && *cell != "NA");
        let ns = |place: usize| known(place).map(|cell| milliseconds(cell, place)).transpose();
        let required =
            |place: usize| ns(place)?.ok_or_else(|| (place, "a number of milliseconds".to_owned(), words(place)));
        let (at_ns, since_ns) = match self.moment {
            Moment::Present(place, unit) => (time(cells[place], unit, place)?, 0.0),
            Moment::FrameStart { start, unit, until_present } => {
                let until_ns = required(until_present)?;
                (time(cells[start], unit, start)?.saturating_add(until_ns as u64), until_ns)
            }
        };
        let mut gpu_ns = 0.0;
        for place in &self.gpu {
            gpu_ns += ns(*place)?.unwrap_or(0.0);
        }
        let was_dropped = self.dropped.is_some_and(|place| cells[place] == "1");
        let shown = ns(self.shown)?.filter(|_| !was_dropped);
        let process = cells[self.process_id];
        let process_id = process.parse().map_err(|_| (self.process_id, "a number".to_owned(), process.to_owned()))?;
        let number = |place: Option<usize>| place.and_then(|place| cells[place].parse::<u32>().ok());
        Ok(LoggedPresent {
            line,
            chain: LoggedChain { application: words(self.application), process_id, swap_chain: words(self.swap_chain) },
            at_ns,
            gpu_ns: (gpu_ns - since_ns).max(0.0) as u64,
            shown_after_ns: shown.map(|shown| (shown - since_ns).max(0.0) as u64),
            sync_interval: number(self.sync_interval).filter(|interval| *interval <= 4).unwrap_or(0),
            allows_tearing: number(self.allows_tearing) == Some(1),
            mode: self.mode.map_or_else(String::new, words),
        })
    }
}

fn milliseconds(cell: &str, place: usize) -> Result<f64, CellFault> {
    let number = cell.parse::<f64>().ok().filter(|number| number.is_finite() && number.abs() < 1e12);
    number
        .map(|number| (number * NS_PER_MS).round())
        .ok_or_else(|| (place, "a number or NA".to_owned(), cell.to_owned()))
}

fn time(cell: &str, unit: Unit, place: usize) -> Result<u64, CellFault> {
    let of = |expected: &str| (place, expected.to_owned(), cell.to_owned());
    let number = |ns: f64| {
        let number = cell.parse::<f64>().ok().filter(|number| (0.0..1e9).contains(number));
        number.map(|number| (number * ns).round() as u64).ok_or_else(|| of("a time"))
    };
    match unit {
        Unit::Ticks => cell.parse::<u64>().ok().and_then(|ticks| ticks.checked_mul(100)).ok_or_else(|| of("ticks")),
        Unit::Seconds => number(1e9),
        Unit::Milliseconds => number(NS_PER_MS),
    }
}
