//! An analysis: a trace, and the results computed from it so far.
//!
//! The top of the crate's layers: code that computes results takes a [`Source`], not an [`Analysis`].

use crate::background::{Background, FitSettings};
use crate::error::AnalyzeError;
use crate::events::{FilePositions, InputHead, Kinds, Source, Survey, ThreadHealth};
use crate::handles::{HandleRecord, HandleSettings, HandleTracker};
use crate::head::Head;
use crate::memory::{HeapBudgets, Turn, World};
use crate::presents::PresentSettings;
use crate::render::{grouped, span};
use std::fmt;
use std::sync::{Arc, OnceLock};
use taut_schemas::ResourceSizes;
use taut_traces::{Damage, Trace};

/// A trace under analysis. Results are computed on first use and cached.
pub struct Analysis {
    source: Arc<Source>,
    sizes: Option<Arc<dyn ResourceSizes>>,
    survey: OnceLock<(Survey, Head)>,
    background: OnceLock<Background>,
    handles: OnceLock<HandleTracker>,
    fit_settings: FitSettings,
    handle_settings: HandleSettings,
    present_settings: PresentSettings,
    heap_budgets: HeapBudgets,
}

impl fmt::Debug for Analysis {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Analysis").field("source", &self.source).finish_non_exhaustive()
    }
}

impl Analysis {
    /// Creates an analysis of an open trace. The trace is read by the first query.
    ///
    /// # Errors
    /// The trace's schema table lacks a field that creations need.
    pub fn new(trace: impl Into<Arc<Trace>>) -> Result<Analysis, AnalyzeError> {
        let source = Arc::new(Source::new(trace));
        // What it is made of is not kept: hundreds of traces may be open.
        Kinds::new(&source.trace().header().schema)?;
        let handle_settings = HandleSettings::from_trace(source.trace());
        Ok(Analysis {
            source,
            sizes: None,
            survey: OnceLock::new(),
            background: OnceLock::new(),
            handles: OnceLock::new(),
            fit_settings: FitSettings::default(),
            handle_settings,
            present_settings: PresentSettings::default(),
            heap_budgets: HeapBudgets::new(),
        })
    }

    /// Returns an analysis of the same open trace with the same settings and without results. Both analyses share the
    /// damage that either of them detects. A program that builds tables of hundreds of traces uses such an analysis and
    /// drops it, so that the results of a trace do not stay in memory.
    #[must_use]
    pub fn unanalyzed(&self) -> Analysis {
        Analysis {
            source: self.source.clone(),
            sizes: self.sizes.clone(),
            survey: OnceLock::new(),
            background: OnceLock::new(),
            handles: OnceLock::new(),
            heap_budgets: self.heap_budgets.clone(),
            ..*self
        }
    }

    /// Sets the source of sizes and alignments: advice is then computed, with its savings.
    #[must_use]
    pub fn with_sizes(self, sizes: Arc<dyn ResourceSizes>) -> Analysis {
        Analysis { sizes: Some(sizes), ..self }
    }

    /// Positions of calls in the file that the trace was recorded from.
    pub fn file_positions(&self) -> FilePositions {
        FilePositions::new(self.trace())
    }

    /// The source of sizes and alignments, if there is one.
    pub fn sizes(&self) -> Option<&dyn ResourceSizes> {
        self.sizes.as_deref()
    }

    /// Sets the settings of the check for stable measurements.
    #[must_use]
    pub fn with_fit_settings(self, fit_settings: FitSettings) -> Analysis {
        Analysis { fit_settings, ..self }
    }

    /// The settings of the check for stable measurements.
    pub fn fit_settings(&self) -> FitSettings {
        self.fit_settings
    }

    /// Sets the settings of the checks of handle memory.
    #[must_use]
    pub fn with_handle_settings(self, handle_settings: HandleSettings) -> Analysis {
        Analysis { handle_settings, ..self }
    }

    /// The settings of the checks of handle memory.
    pub fn handle_settings(&self) -> HandleSettings {
        self.handle_settings
    }

    /// Sets the inputs of the report on presents that a trace does not have.
    #[must_use]
    pub fn with_present_settings(self, present_settings: PresentSettings) -> Analysis {
        Analysis { present_settings, ..self }
    }

    /// The inputs of the report on presents that a trace does not have.
    pub fn present_settings(&self) -> PresentSettings {
        self.present_settings
    }

    /// Sets the budgets of heaps by type.
    #[must_use]
    pub fn with_heap_budgets(self, heap_budgets: HeapBudgets) -> Analysis {
        Analysis { heap_budgets, ..self }
    }

    /// The known budgets of heaps by type.
    pub fn heap_budgets(&self) -> &HeapBudgets {
        &self.heap_budgets
    }

    /// The trace with its damage and clock.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The trace.
    pub fn trace(&self) -> &Arc<Trace> {
        self.source.trace()
    }

    /// The covered part of the trace and its damage. Reads the whole trace once, shared with [`world`](Self::world).
    ///
    /// # Errors
    /// The trace could not be read. Damage is no error: see [`Head::damage`].
    pub fn head(&self) -> Result<&Head, AnalyzeError> {
        Ok(&self.surveyed()?.1)
    }

    /// Heaps, resources and their lifetimes.
    ///
    /// # Errors
    /// As [`head`](Self::head).
    pub fn world(&self) -> Result<&World, AnalyzeError> {
        Ok(&self.surveyed()?.0.world)
    }

    /// Background tasks, passes and draws. Reads only their events.
    ///
    /// # Errors
    /// The trace could not be read, or its schema table lacks a field that they need.
    pub fn background(&self) -> Result<&Background, AnalyzeError> {
        if let Some(background) = self.background.get() {
            return Ok(background);
        }
        // Not inside `get_or_init`, which cannot return an error: of concurrent results the first one stays.
        let background = Background::read(&self.source)?;
        Ok(self.background.get_or_init(|| background))
    }

    /// Direct3D 11 handles and accesses to their memory. Reads only their events.
    ///
    /// # Errors
    /// As [`background`](Self::background).
    pub(crate) fn handles(&self) -> Result<&HandleTracker, AnalyzeError> {
        if let Some(handles) = self.handles.get() {
            return Ok(handles);
        }
        let handles = HandleTracker::read(&self.source, self.handle_settings)?;
        Ok(self.handles.get_or_init(|| handles))
    }

    /// Every handle that the trace creates, in order of creation.
    ///
    /// # Errors
    /// As [`background`](Self::background).
    pub fn handle_records(&self) -> Result<Vec<HandleRecord>, AnalyzeError> {
        HandleTracker::records(&self.source)
    }

    /// Health of the recording: losses, unreturned calls, errors, clocks.
    pub(crate) fn health(&self) -> Result<&ThreadHealth, AnalyzeError> {
        Ok(&self.surveyed()?.0.health)
    }

    fn surveyed(&self) -> Result<&(Survey, Head), AnalyzeError> {
        if let Some(surveyed) = self.survey.get() {
            return Ok(surveyed);
        }
        let kinds = Kinds::new(&self.source.trace().header().schema)?;
        let mut survey = Survey::new(&self.source, &kinds)?;
        if let Some(world) = crate::imported::world(&self.source)? {
            survey.world = world;
        }
        let head = Head::new(self.source.trace(), &survey.damage);
        Ok(self.survey.get_or_init(|| (survey, head)))
    }

    /// As [`Source::met`].
    pub fn met(&self, damage: &[Damage]) {
        self.source.met(damage);
    }

    /// As [`Source::damage_met`].
    pub fn damage_met(&self) -> Vec<String> {
        self.source.damage_met()
    }

    /// As [`Source::ticks_to_ns`].
    pub fn ticks_to_ns(&self, ticks: u64) -> Option<u64> {
        self.source.ticks_to_ns(ticks)
    }

    /// Converts a span of the trace's clock to nanoseconds; `None` for a logical clock.
    pub fn time_ns(&self, ticks: u64) -> Option<u64> {
        if InputHead::new(self.trace()).has_time() { self.ticks_to_ns(ticks) } else { None }
    }

    /// As [`Source::since_start_ns`].
    pub fn since_start_ns(&self, stamp: u64) -> Option<u64> {
        self.source.since_start_ns(stamp)
    }

    /// Time of a stamp since the trace's first, in nanoseconds; `None` for a logical clock.
    pub fn elapsed_ns(&self, stamp: u64) -> Option<u64> {
        if InputHead::new(self.trace()).has_time() { self.since_start_ns(stamp) } else { None }
    }

    /// Formats a moment as the time since the trace's first record: `54.41 ms`; of a logical clock, which
    /// counts events, `stamp 1,234`.
    pub fn moment(&self, stamp: u64) -> String {
        self.elapsed_ns(stamp).map_or_else(|| format!("stamp {}", grouped(stamp)), span)
    }

    /// Lifetime of an object in nanoseconds; `None` if it was never released.
    pub fn lifetime_ns(&self, world: &World, created: Turn, released: Option<Turn>) -> Option<u64> {
        let (created, released) = (world.moment(created), world.moment(released?));
        self.ticks_to_ns(released.stamp.checked_sub(created.stamp)?)
    }
}
