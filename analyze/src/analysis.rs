//! An analysis: a trace, and what has been made of it so far.

use crate::background::Background;
use crate::columns::{Kinds, Survey, ThreadHealth};
use crate::error::AnalyzeError;
use crate::head::Head;
use crate::reports::{REPORTS, Report};
use crate::world::{Turn, World};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use taut_traces::{Damage, Trace};

/// A trace under analysis. What is asked for is made, once.
#[derive(Debug)]
pub struct Analysis {
    trace: Arc<Trace>,
    kinds: Kinds,
    survey: OnceLock<(Survey, Head)>,
    background: OnceLock<Background>,
    /// Damage met so far, by its place in the file.
    damage: Mutex<BTreeMap<u64, Damage>>,
}

impl Analysis {
    /// An analysis of an open trace. Reads nothing yet.
    ///
    /// # Errors
    /// The trace's schema table lacks a field that creations need.
    pub fn new(trace: impl Into<Arc<Trace>>) -> Result<Analysis, AnalyzeError> {
        let trace = trace.into();
        let kinds = Kinds::new(&trace.header().schema)?;
        let damage = trace.damage().iter().map(|damage| (damage.offset, damage.clone())).collect();
        Ok(Analysis { trace, kinds, survey: OnceLock::new(), background: OnceLock::new(), damage: Mutex::new(damage) })
    }

    /// The trace.
    pub fn trace(&self) -> &Arc<Trace> {
        &self.trace
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
        let background = Background::read(self)?;
        Ok(self.background.get_or_init(|| background))
    }

    /// How the recording and what it records went.
    pub(crate) fn health(&self) -> Result<&ThreadHealth, AnalyzeError> {
        Ok(&self.surveyed()?.0.health)
    }

    fn surveyed(&self) -> Result<&(Survey, Head), AnalyzeError> {
        if let Some(surveyed) = self.survey.get() {
            return Ok(surveyed);
        }
        let survey = Survey::of(&self.trace, &self.kinds)?;
        self.met(&survey.damage);
        let head = Head::of(&self.trace, &survey.damage);
        Ok(self.survey.get_or_init(|| (survey, head)))
    }

    /// Damage was met in the trace's blocks.
    pub fn met(&self, damage: &[Damage]) {
        let mut known = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(damage.iter().map(|damage| (damage.offset, damage.clone())));
    }

    /// The damage of the file that what was asked for so far has met, one sentence each.
    pub fn damage_met(&self) -> Vec<String> {
        let known = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        known.values().map(ToString::to_string).collect()
    }

    /// The reports that the trace holds something for.
    ///
    /// # Errors
    /// As [`head`](Self::head).
    pub fn reports(&self) -> Result<Vec<&'static dyn Report>, AnalyzeError> {
        let mut reports = Vec::new();
        for report in REPORTS {
            if report.nothing(self)?.is_none() {
                reports.push(*report);
            }
        }
        Ok(reports)
    }

    /// A span of the trace's clock in nanoseconds; `None` if the clock's frequency is not known.
    pub fn ticks_to_ns(&self, ticks: u64) -> Option<u64> {
        let ticks_per_second = u128::from(self.trace.header().world.clock.ticks_per_second);
        let ns = (u128::from(ticks) * 1_000_000_000).checked_div(ticks_per_second)?;
        Some(u64::try_from(ns).unwrap_or(u64::MAX))
    }

    /// Time of a stamp since the trace's first; `None` if the clock's frequency is not known.
    pub fn since_start_ns(&self, stamp: u64) -> Option<u64> {
        self.ticks_to_ns(stamp.saturating_sub(self.trace.summary().first_stamp?))
    }

    /// How long something lived; `None` if it was never released.
    pub fn lifetime_ns(&self, world: &World, created: Turn, released: Option<Turn>) -> Option<u64> {
        let (created, released) = (world.moment(created), world.moment(released?));
        self.ticks_to_ns(released.stamp.checked_sub(created.stamp)?)
    }
}
