//! An analysis: a trace, and what has been made of it so far.
//!
//! It stands above everything that is made of a trace; what makes it takes a [`Source`].

use crate::background::{Background, FitSettings};
use crate::columns::{Kinds, Survey, ThreadHealth};
use crate::error::AnalyzeError;
use crate::handles::{HandleBook, HandleRecord, HandleSettings};
use crate::head::Head;
use crate::input_head::InputHead;
use crate::presents::PresentSettings;
use crate::source::Source;
use crate::world::{HeapBudgets, Turn, World};
use std::fmt;
use std::sync::{Arc, OnceLock};
use taut_schemas::ResourceSizes;
use taut_traces::{Damage, Trace};

/// A trace under analysis. What is asked for is made, once.
pub struct Analysis {
    source: Source,
    sizes: Option<Arc<dyn ResourceSizes>>,
    kinds: Kinds,
    survey: OnceLock<(Survey, Head)>,
    background: OnceLock<Background>,
    handles: OnceLock<HandleBook>,
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
    /// An analysis of an open trace. Reads nothing yet.
    ///
    /// # Errors
    /// The trace's schema table lacks a field that creations need.
    pub fn new(trace: impl Into<Arc<Trace>>) -> Result<Analysis, AnalyzeError> {
        let source = Source::new(trace);
        let kinds = Kinds::new(&source.trace().header().schema)?;
        let handle_settings = HandleSettings::of_trace(source.trace());
        Ok(Analysis {
            source,
            sizes: None,
            kinds,
            survey: OnceLock::new(),
            background: OnceLock::new(),
            handles: OnceLock::new(),
            fit_settings: FitSettings::default(),
            handle_settings,
            present_settings: PresentSettings::default(),
            heap_budgets: HeapBudgets::new(),
        })
    }

    /// With somebody to ask what resources would take: advice is then computed, and told with what it saves.
    #[must_use]
    pub fn with_sizes(self, sizes: Arc<dyn ResourceSizes>) -> Analysis {
        Analysis { sizes: Some(sizes), ..self }
    }

    /// Who says what resources would take, if anybody does.
    pub fn sizes(&self) -> Option<&dyn ResourceSizes> {
        self.sizes.as_deref()
    }

    /// The same, by other settings of what is fit to measure.
    #[must_use]
    pub fn with_fit_settings(self, fit_settings: FitSettings) -> Analysis {
        Analysis { fit_settings, ..self }
    }

    /// By what a run is judged fit to measure.
    pub fn fit_settings(&self) -> FitSettings {
        self.fit_settings
    }

    /// The same, by other settings of how the memory of handles is judged.
    #[must_use]
    pub fn with_handle_settings(self, handle_settings: HandleSettings) -> Analysis {
        Analysis { handle_settings, ..self }
    }

    /// How the memory of handles is judged.
    pub fn handle_settings(&self) -> HandleSettings {
        self.handle_settings
    }

    /// The same, with what the report on presents cannot know from a trace.
    #[must_use]
    pub fn with_present_settings(self, present_settings: PresentSettings) -> Analysis {
        Analysis { present_settings, ..self }
    }

    /// What the report on presents cannot know from a trace.
    pub fn present_settings(&self) -> PresentSettings {
        self.present_settings
    }

    /// The same, with what heaps of a type may hold.
    #[must_use]
    pub fn with_heap_budgets(self, heap_budgets: HeapBudgets) -> Analysis {
        Analysis { heap_budgets, ..self }
    }

    /// What heaps of a type may hold, where that is known.
    pub fn heap_budgets(&self) -> &HeapBudgets {
        &self.heap_budgets
    }

    /// What it is made from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The trace.
    pub fn trace(&self) -> &Arc<Trace> {
        self.source.trace()
    }

    /// What was looked at, and what of it was lost. Goes through the whole trace once, as [`world`](Self::world) does.
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

    /// Background tasks, passes and draws. Reads only what speaks of them.
    ///
    /// # Errors
    /// The trace could not be read, or its schema table lacks a field that they need.
    pub fn background(&self) -> Result<&Background, AnalyzeError> {
        if let Some(background) = self.background.get() {
            return Ok(background);
        }
        let background = Background::read(&self.source)?;
        Ok(self.background.get_or_init(|| background))
    }

    /// Handles of Direct3D 11 and the memory behind them. Reads only what speaks of them.
    ///
    /// # Errors
    /// As [`background`](Self::background).
    pub(crate) fn handles(&self) -> Result<&HandleBook, AnalyzeError> {
        if let Some(handles) = self.handles.get() {
            return Ok(handles);
        }
        let handles = HandleBook::read(&self.source, self.handle_settings)?;
        Ok(self.handles.get_or_init(|| handles))
    }

    /// Every handle that the trace creates, in the order of creation.
    ///
    /// # Errors
    /// As [`background`](Self::background).
    pub fn handle_records(&self) -> Result<Vec<HandleRecord>, AnalyzeError> {
        HandleBook::records(&self.source)
    }

    /// How the recording and what it records went.
    pub(crate) fn health(&self) -> Result<&ThreadHealth, AnalyzeError> {
        Ok(&self.surveyed()?.0.health)
    }

    fn surveyed(&self) -> Result<&(Survey, Head), AnalyzeError> {
        if let Some(surveyed) = self.survey.get() {
            return Ok(surveyed);
        }
        let survey = Survey::of(&self.source, &self.kinds)?;
        let head = Head::of(self.source.trace(), &survey.damage);
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

    /// A span of the trace's clock as time that passed; `None` where that clock tells no time.
    pub fn time_ns(&self, ticks: u64) -> Option<u64> {
        if InputHead::of(self.trace()).tells_time() { self.ticks_to_ns(ticks) } else { None }
    }

    /// As [`Source::since_start_ns`].
    pub fn since_start_ns(&self, stamp: u64) -> Option<u64> {
        self.source.since_start_ns(stamp)
    }

    /// How long something lived; `None` if it was never released.
    pub fn lifetime_ns(&self, world: &World, created: Turn, released: Option<Turn>) -> Option<u64> {
        let (created, released) = (world.moment(created), world.moment(released?));
        self.ticks_to_ns(released.stamp.checked_sub(created.stamp)?)
    }
}
