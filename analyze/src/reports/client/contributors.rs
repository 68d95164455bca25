//! Contributors to failed budget checks of the client report.

use super::{ClientFigures, ObjectFigures, UnsupportedFigures};
use crate::reports::contributors::{count, first, text, times};
use serde_json::Value;

pub(super) fn unsupported(figures: &Value) -> Vec<String> {
    let key = UnsupportedFigures::KEY;
    first(&figures[ClientFigures::KEY.unsupported], |one| {
        format!("{}::{} {}", text(&one[key.interface]), text(&one[key.method]), times(&one[key.count]))
    })
}

pub(super) fn objects(figures: &Value) -> Vec<String> {
    let key = ObjectFigures::KEY;
    first(&figures[ClientFigures::KEY.objects], |one| {
        format!("{}: {} of {} alive", text(&one[key.kind]), count(&one[key.alive]), count(&one[key.created]))
    })
}
