//! Columns of captures, by the names that PresentMon 1.x and 2.x, its application, OCAT, CapFrameX and FrameView write.

use super::cell::TimeUnit;

/// Column with the time of the Present call.
const PRESENT_TIMES: [(&str, TimeUnit); 6] = [
    ("TimeInQPC", QPC),
    ("TimeInSeconds", TimeUnit::Seconds),
    ("TimeInMs", TimeUnit::Milliseconds),
    ("TimeInDateTime", TimeUnit::DateTime),
    ("QPCTime", QPC),
    ("QPCTimeInMs", TimeUnit::Milliseconds),
];
/// Column with the start of the frame on the CPU; its Present comes after the CPU's busy time.
const FRAME_STARTS: [(&str, TimeUnit); 6] = [
    ("CPUStartQPC", QPC),
    ("CPUStartQPCTime", TimeUnit::Milliseconds),
    ("CPUStartQPCTimeInMs", TimeUnit::Milliseconds),
    ("CPUStartTime", TimeUnit::Milliseconds),
    ("CPUStartTimeInMs", TimeUnit::Milliseconds),
    ("CPUStartDateTime", TimeUnit::DateTime),
];
const CPU_BUSY: [&str; 2] = ["MsCPUBusy", "CPUBusy"];
/// Time from Present to the end of the GPU work.
const GPU_END: [&str; 2] = ["MsRenderPresentLatency", "MsUntilRenderComplete"];
/// Times from the start of the frame on the CPU to the start of its GPU work, and to the end of that.
const GPU_LATENCY: [&str; 2] = ["MsGPULatency", "GPULatency"];
const GPU_TIME: [&str; 2] = ["MsGPUTime", "GPUTime"];
/// Time from Present until the frame is shown.
const SHOWN: [&str; 1] = ["MsUntilDisplayed"];
/// Time from the start of the frame on the CPU until it is shown.
const DISPLAY_LATENCY: [&str; 2] = ["MsDisplayLatency", "DisplayLatency"];
/// Time between the presents, or starts, of one frame and the next.
const BETWEEN: [&str; 4] = ["MsBetweenPresents", "MsBetweenAppStart", "FrameTime", "MsFrameTime"];
const QPC_FREQUENCY: [&str; 2] = ["QPCFrequency", "QPCFreq"];
/// Ticks of QueryPerformanceCounter on Windows 10 and later.
const QPC: TimeUnit = TimeUnit::Ticks(100.0);

/// Error of a heading: the number of columns, what was expected, what was found.
pub(super) type HeadingFault = (usize, String, String);

/// Columns from which the time of Present follows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PresentTime {
    pub place: usize,
    pub unit: TimeUnit,
    /// Time since the start of the frame on the CPU, to be added, if the column has that start.
    pub until_present: Option<usize>,
}

/// Sum of columns that is measured from Present, or from the start of the frame on the CPU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    pub places: Vec<usize>,
    /// Column with the time from the start of the frame to Present, if the sum is measured from that start.
    pub until_present: Option<usize>,
}

/// Indices of the columns that are read, from 0.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Columns {
    pub count: usize,
    pub application: Option<usize>,
    pub process_id: Option<usize>,
    pub swap_chain: Option<usize>,
    pub present: PresentTime,
    pub gpu_end: Span,
    pub shown: Span,
    pub dropped: Option<usize>,
    pub sync_interval: Option<usize>,
    pub present_flags: Option<usize>,
    pub allows_tearing: Option<usize>,
    pub mode: Option<usize>,
    pub runtime: Option<usize>,
    pub hybrid: Option<usize>,
    pub frame_type: Option<usize>,
    pub between: Option<usize>,
    pub qpc_frequency: Option<usize>,
}

/// Finds columns by their names.
struct Heading<'n> {
    names: &'n [&'n str],
}

impl Heading<'_> {
    fn find(&self, known: &[&str]) -> Option<usize> {
        known.iter().find_map(|name| self.names.iter().position(|found| found.eq_ignore_ascii_case(name)))
    }

    fn require(&self, known: &[&str]) -> Result<usize, HeadingFault> {
        let fault = || (self.names.len(), format!("a column {}", known.join(" or ")), "none of that name".to_owned());
        self.find(known).ok_or_else(fault)
    }

    fn time(&self, known: &[(&str, TimeUnit)]) -> Option<(usize, TimeUnit)> {
        known.iter().find_map(|(name, unit)| Some((self.find(&[*name])?, *unit)))
    }

    fn present(&self) -> Result<PresentTime, HeadingFault> {
        if let Some((place, unit)) = self.time(&PRESENT_TIMES) {
            return Ok(PresentTime { place, unit, until_present: None });
        }
        let Some((place, unit)) = self.time(&FRAME_STARTS) else {
            let (expected, found) = (no_present_time(), self.kind().to_owned());
            return Err((self.names.len(), expected, found));
        };
        Ok(PresentTime { place, unit, until_present: Some(self.require(&CPU_BUSY)?) })
    }

    /// Description of a heading without a time of Present.
    fn kind(&self) -> &'static str {
        let has = |known: &[&str]| known.iter().any(|name| self.find(&[*name]).is_some());
        if has(&["cpuscheduler"]) || has(&["fps"]) && has(&["frametime"]) {
            return "a MangoHud log, which has frame times alone";
        }
        if has(&["Avg FPS", "Average FPS", "AverageFPS", "Average", "FPS Avg", "P99", "1% Low", "99th% FPS", "Min FPS"])
        {
            return "a summary, which has no frames";
        }
        "none of that name"
    }

    fn gpu_end(&self) -> Result<Span, HeadingFault> {
        if let Some(place) = self.find(&GPU_END) {
            return Ok(Span { places: vec![place], until_present: None });
        }
        let parts = self.find(&GPU_LATENCY).zip(self.find(&GPU_TIME)).zip(self.find(&CPU_BUSY));
        match parts {
            Some(((latency, time), busy)) => Ok(Span { places: vec![latency, time], until_present: Some(busy) }),
            None => self
                .require(&[&GPU_END[..], &["GPULatency with GPUTime and CPUBusy"]].concat())
                .map(|_| Span { places: Vec::new(), until_present: None }),
        }
    }

    fn shown(&self) -> Result<Span, HeadingFault> {
        if let Some(place) = self.find(&SHOWN) {
            return Ok(Span { places: vec![place], until_present: None });
        }
        match self.find(&DISPLAY_LATENCY).zip(self.find(&CPU_BUSY)) {
            Some((latency, busy)) => Ok(Span { places: vec![latency], until_present: Some(busy) }),
            None => self
                .require(&[&SHOWN[..], &["DisplayLatency with CPUBusy"]].concat())
                .map(|_| Span { places: Vec::new(), until_present: None }),
        }
    }
}

/// Accepted columns with a time of Present, as an error names them.
fn no_present_time() -> String {
    let names: Vec<&str> = PRESENT_TIMES.iter().chain(&FRAME_STARTS).map(|(name, _)| *name).collect();
    format!("a column with the time of Present: {}", names.join(", "))
}

/// Columns that are not times.
const OTHERS: [&str; 14] = [
    "Application",
    "ProcessName",
    "ProcessID",
    "SwapChainAddress",
    "SwapChain",
    "Dropped",
    "SyncInterval",
    "PresentFlags",
    "AllowsTearing",
    "PresentMode",
    "Runtime",
    "PresentRuntime",
    "HybridPresent",
    "FrameType",
];

impl Columns {
    /// True if a column of this name is read.
    pub fn is_read(name: &str) -> bool {
        let times = PRESENT_TIMES.iter().chain(&FRAME_STARTS).map(|(name, _)| *name);
        let spans =
            [&CPU_BUSY[..], &GPU_END, &GPU_LATENCY, &GPU_TIME, &SHOWN, &DISPLAY_LATENCY, &BETWEEN, &QPC_FREQUENCY];
        times.chain(spans.concat()).chain(OTHERS).any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Finds the columns in a heading.
    pub fn new(names: &[&str]) -> Result<Columns, HeadingFault> {
        let heading = Heading { names };
        let find = |known: &[&str]| heading.find(known);
        Ok(Columns {
            count: names.len(),
            present: heading.present()?,
            gpu_end: heading.gpu_end()?,
            shown: heading.shown()?,
            application: find(&["Application", "ProcessName"]),
            process_id: find(&["ProcessID"]),
            swap_chain: find(&["SwapChainAddress", "SwapChain"]),
            dropped: find(&["Dropped"]),
            sync_interval: find(&["SyncInterval"]),
            present_flags: find(&["PresentFlags"]),
            allows_tearing: find(&["AllowsTearing"]),
            mode: find(&["PresentMode"]),
            runtime: find(&["Runtime", "PresentRuntime"]),
            hybrid: find(&["HybridPresent"]),
            frame_type: find(&["FrameType"]),
            between: find(&BETWEEN),
            qpc_frequency: find(&QPC_FREQUENCY),
        })
    }

    /// True if the line may be a heading of a capture: it names a time or a property of presents.
    pub fn are_in(names: &[&str]) -> bool {
        let heading = Heading { names };
        let has_time = heading.time(&PRESENT_TIMES).is_some() || heading.time(&FRAME_STARTS).is_some();
        let is_capture = ["SwapChainAddress", "PresentMode", "MsBetweenPresents", "MsUntilDisplayed"];
        has_time && is_capture.iter().any(|name| heading.find(&[*name]).is_some())
    }
}
