//! Background tasks, submissions and frames as slices, each from its start to its end.

use super::flows::Flows;
use super::spans::{Note, Span, Spans};
use super::tracks::{Rank, Tracks};
use crate::analysis::Analysis;
use crate::background::{Background, BackgroundEvent, Collected, Submitted, Task};
use std::collections::{BTreeMap, HashMap};
use taut_schemas::{CommandQueueId, DrawRun, PipelineStateId, VariantId};

/// Adds the slices on tracks.
pub fn lay(analysis: &Analysis, background: &Background, flows: &Flows, tracks: &mut Tracks) -> Spans {
    let mut spans = Spans::default();
    for (command_queue, frames) in frames(background) {
        spans.lay(tracks, Rank::Frames, &format!("frames of command queue {command_queue}"), frames);
    }
    for (command_queue, submissions) in submissions(background, flows) {
        spans.lay(tracks, Rank::Submissions, &format!("submissions to command queue {command_queue}"), submissions);
    }
    for (worker, tasks) in tasks(analysis, background, flows) {
        spans.lay(tracks, Rank::Tasks, &format!("background tasks of worker {worker}"), tasks);
    }
    spans.sort();
    spans
}

/// Slices of the tasks that began, by worker.
fn tasks(analysis: &Analysis, background: &Background, flows: &Flows) -> BTreeMap<u32, Vec<Span>> {
    let pipelines: HashMap<PipelineStateId, &str> =
        background.pipelines.iter().map(|pipeline| (pipeline.id, pipeline.name.as_str())).collect();
    let mut workers: BTreeMap<u32, Vec<Span>> = BTreeMap::new();
    for task in &background.tasks {
        let Some(started) = task.started else { continue };
        let id = task.pipeline_state;
        let name = pipelines.get(&id).map_or_else(|| format!("pipeline state {}", id.0), |name| (*name).to_owned());
        workers.entry(started.worker).or_default().push(Span {
            began_stamp: started.stamp,
            ended_stamp: task.stopped_stamp,
            name,
            category: "task",
            at_begin: known_at_begin(analysis, task),
            at_end: known_at_end(task),
            flow: flows.of(task.id),
            last_of_flows: Vec::new(),
        });
    }
    workers
}

fn known_at_begin(analysis: &Analysis, task: &Task) -> Vec<Note> {
    let mut notes = vec![Note::Number("task", task.id.0)];
    notes.extend(task.sequence.map(|sequence| Note::Number("sequence", sequence)));
    notes.push(Note::Number("pipeline_state", task.pipeline_state.0));
    let waited = task.queue_wait_ticks();
    notes.extend(waited.map(|ticks| match analysis.ticks_to_ns(ticks) {
        Some(ns) => Note::Number("queue_wait_ns", ns),
        None => Note::Number("queue_wait_ticks", ticks),
    }));
    notes.extend(task.started.map(|started| Note::Text("priority", format!("{:?}", started.priority))));
    notes.push(Note::Number("decided_by_submission", task.decided_by_submission));
    notes
}

fn known_at_end(task: &Task) -> Vec<Note> {
    let mut notes = vec![Note::Text("state", task.state().name().to_owned())];
    if let Some(outcome) = task.outcome {
        notes.push(Note::Number("length_before", outcome.length_before.into()));
        notes.push(Note::Number("length_after", outcome.length_after.into()));
        notes.push(Note::Number("specialised_slots", outcome.folded_slots.into()));
    }
    notes.push(match task.variant {
        VariantId::NULL => Note::Text("variant", "none".to_owned()),
        VariantId(variant) => Note::Number("variant", variant),
    });
    notes
}

/// Slices by command queue, from the submission to the driver's reading of its measurements.
fn submissions(background: &Background, flows: &Flows) -> BTreeMap<u64, Vec<Span>> {
    let mut queues: BTreeMap<u64, Vec<Span>> = BTreeMap::new();
    let mut under_way: HashMap<(CommandQueueId, u64), usize> = HashMap::new();
    for (at, event) in &background.events {
        match event {
            BackgroundEvent::Submitted(Submitted { submission, command_queue, selections, .. }) => {
                let spans = queues.entry(command_queue.0).or_default();
                under_way.insert((*command_queue, *submission), spans.len());
                spans.push(Span {
                    began_stamp: at.stamp,
                    name: format!("submission {submission}"),
                    category: "submission",
                    at_begin: vec![
                        Note::Number("submission", *submission),
                        Note::Number("command_queue", command_queue.0),
                        Note::Number("draws", selections.len() as u64),
                    ],
                    last_of_flows: flows.first_uses(*submission),
                    ..Span::default()
                });
            }
            BackgroundEvent::Collected(Collected { submission, command_queue, runs }) => {
                let known = under_way.remove(&(*command_queue, *submission));
                let span = known.and_then(|place| queues.get_mut(&command_queue.0)?.get_mut(place));
                if let Some(span) = span {
                    (span.ended_stamp, span.at_end) = (Some(at.stamp), measured(runs));
                }
            }
            _ => {}
        }
    }
    queues
}

fn measured(runs: &[DrawRun]) -> Vec<Note> {
    let sum = |of: fn(&DrawRun) -> u64| runs.iter().fold(0, |sum: u64, run| sum.saturating_add(of(run)));
    vec![
        Note::Number("variant_draws", sum(|run| u64::from(run.variant != VariantId::NULL))),
        Note::Number("executed", sum(|run| run.executed)),
        Note::Number("generic_executed", sum(|run| run.generic_executed)),
    ]
}

/// Slices of frames, by command queue.
fn frames(background: &Background) -> BTreeMap<u64, Vec<Span>> {
    let mut queues: BTreeMap<u64, Vec<Span>> = BTreeMap::new();
    for frame in &background.frames {
        queues.entry(frame.command_queue.0).or_default().push(Span {
            began_stamp: frame.began_stamp,
            ended_stamp: Some(frame.ended_stamp),
            name: format!("frame {}", frame.number),
            category: "frame",
            ..Span::default()
        });
    }
    queues
}
