//! Headline verdict of the windows report.

use super::figures::{PresentGroupFigures, WindowsFigures};
use crate::head::Head;
use crate::render::{counted, percent};
use crate::reports::verdict::sentence;
use crate::reports::{Figure, Verdict};

/// Builds the verdict.
pub(super) fn verdict(figures: &WindowsFigures, head: &Head) -> Verdict {
    let count = |value: fn(&PresentGroupFigures) -> u64| {
        figures.presents.as_ref().map(|groups| groups.iter().map(value).fold(0, u64::saturating_add))
    };
    let presents = count(|group| group.presents);
    let text = match (presents, figures.unknown_path_ratio) {
        (None, _) => "the trace has no events of presents".to_owned(),
        (Some(0), _) | (_, None) => "the trace has no present that begins in it".to_owned(),
        (Some(presents), Some(unknown)) => {
            let crossing = figures.cross_adapter_ratio.map_or_else(String::new, |ratio| {
                format!("; {} of those whose end has flags go to another adapter", percent(ratio))
            });
            format!(
                "Windows reported {}, {} with an unknown path{crossing}",
                counted(presents, "present"),
                percent(unknown)
            )
        }
    };
    let has_losses = figures.lost_events.unwrap_or_default() > 0 || figures.lost_buffers.unwrap_or_default() > 0;
    Verdict {
        sentence: sentence(head.is_whole() && !has_losses, &text),
        figures: [
            Figure::count_if_known("presents", presents),
            Figure::ratio("unknown path", figures.unknown_path_ratio),
            Figure::ratio("cross-adapter", figures.cross_adapter_ratio),
        ],
        advice: figures
            .missing
            .first()
            .map(|_| "The table of missing figures names the keywords to capture.".to_owned()),
    }
}
