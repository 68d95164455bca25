//! `taut analyze`: reports on what traces hold.

use super::{completeness, open};
use crate::args::{Analyze, Common, ReportForm};
use crate::outcome::{Failure, Outcome, Status};
use crate::printing::{bold, print, table, unknown};
use serde_json::{Map, Value, json};
use taut_analyze::{Analysis, REPORTS};
