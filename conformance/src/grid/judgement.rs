//! Judgement of a case by its events.

use super::case::GridCase;
use super::result::{FRAMES, GridResult};
use taut_runtime::EventLog;
use taut_schemas::{FrameOutcome, HybridPresentMode, PrimaryDesc, mark};

/// Judges a case whose calls all succeeded: the display shows each frame, read after its last copy, and nobody copies more
/// than the path needs.
pub(super) fn judge(case: GridCase, log: &EventLog) -> GridResult {
    let decision = log.marks::<mark::HybridPresentDecision>().into_iter().next();
    let frames: Vec<mark::FrameEnded> = log.marks();
    let count = |outcome| frames.iter().filter(|frame| frame.outcome == outcome).count() as u64;
    let path = decision.as_ref().map(|decision| (decision.mode, decision.reason));
    let fault = violation(log)
        .or_else(|| missing(&frames))
        .or_else(|| frames.iter().find_map(|frame| frame_fault(case, path.map(|(mode, _)| mode), frame)));
    GridResult {
        case,
        path,
        flipped: count(FrameOutcome::FLIPPED),
        composed: count(FrameOutcome::COMPOSED),
        torn: count(FrameOutcome::TORN),
        fault,
    }
}

/// Returns the first rule that a driver broke.
fn violation(log: &EventLog) -> Option<String> {
    let violations = log.marks::<mark::DriverViolation>().into_iter();
    let mut broken = violations.filter(|violation| !violation.lint);
    broken.next().map(|violation| format!("{}: {}", violation.rule, violation.description))
}

fn missing(frames: &[mark::FrameEnded]) -> Option<String> {
    let shown = frames.iter().filter(|frame| frame.outcome != FrameOutcome::NEVER_SHOWN).count() as u64;
    (shown != FRAMES).then(|| format!("{shown} of {FRAMES} frames are shown"))
}

/// Returns the fault of a frame.
fn frame_fault(case: GridCase, mode: Option<HybridPresentMode>, frame: &mark::FrameEnded) -> Option<String> {
    let number = frame.present_count;
    if frame.probes == 0 || frame.wrong_probes > 0 {
        let (wrong, probes) = (frame.wrong_probes, frame.probes);
        return Some(format!("of frame {number}, {wrong} of {probes} compared pixels differ from the frame"));
    }
    let copies = match mode {
        Some(HybridPresentMode::ONE_COPY_PATH_CASO) => 1,
        Some(HybridPresentMode::TWO_COPY_PATH) => 2,
        _ => 0,
    };
    let expected = copies * PrimaryDesc::new(case.width, case.height, case.format).payload_bytes();
    if frame.bytes_copied != expected {
        return Some(format!("frame {number} is copied with {} bytes; expected {expected}", frame.bytes_copied));
    }
    let copied_at_ns = frame.copy_1_ended_at_ns.max(frame.copy_2_ended_at_ns);
    if frame.ended_at_ns < copied_at_ns {
        return Some(format!("frame {number} is read at {} ns and copied until {copied_at_ns} ns", frame.ended_at_ns));
    }
    (frame.outcome == FrameOutcome::TORN && !case.may_tear)
        .then(|| format!("frame {number} is torn, without DXGI_PRESENT_ALLOW_TEARING"))
}
