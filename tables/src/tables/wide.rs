//! Joined calls with a column for every scalar and text field that the trace's schema table knows of them.

use super::Parts;
use super::column::{ColumnDoc, ColumnKind, TableColumn};
use super::frame::Frame;
use crate::error::TableError;
use polars::prelude::{Column, IntoColumn, NamedFrom, Series};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use taut_analyze::Analysis;
use taut_analyze::columns::{CallRow, CallRows, CallStream, Events, Selecting, text};
use taut_schemas::{EventCode, EventSchema, FieldKind, Layer, Opcode, Role, ScalarSchema};
use taut_traces::{Column as Values, ThreadExtract};

/// One field, under one name in all calls that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WideField {
    stop: bool,
    name: String,
    kind: ColumnKind,
    /// The column's name: arguments keep theirs, results come after `result_`, but for the result code. A name that is taken gets
    /// `arg_` before it.
    column: String,
    doc: String,
}

impl WideField {
    /// Every scalar and text field of a layer's calls: arguments by name, then results. `taken` are the table's other
    /// columns.
    pub fn all(analysis: &Analysis, layer: Layer, taken: &[ColumnDoc]) -> Vec<WideField> {
        let events = Events::new(&analysis.trace().header().schema);
        let mut fields = BTreeMap::new();
        for opcode in [Opcode::Start, Opcode::Stop] {
            for event in events.of(layer, opcode) {
                for field in &event.fields {
                    let kind = match &field.kind {
                        FieldKind::Scalar(scalar) => kind(scalar),
                        FieldKind::Text => ColumnKind::Text,
                        _ => continue,
                    };
                    let key = (opcode == Opcode::Stop, field.name.as_str(), kind == ColumnKind::Text);
                    let is_result_code = field.scalars().first().is_some_and(|scalar| scalar.role == Role::HResult);
                    let known = fields.entry(key).or_insert((kind, field.doc.as_str(), is_result_code));
                    // What is an identity to one call is one in the column.
                    if kind == ColumnKind::U64 {
                        known.0 = kind;
                    }
                }
            }
        }
        let mut columns: Vec<WideField> = Vec::with_capacity(fields.len());
        for ((stop, name, _), (kind, doc, is_result_code)) in fields {
            let mut column = name.replace('.', "_");
            if stop && !is_result_code {
                column.insert_str(0, "result_");
            }
            while taken.iter().any(|known| known.name == column) || columns.iter().any(|known| known.column == column) {
                column.insert_str(0, "arg_");
            }
            columns.push(WideField { stop, name: name.to_owned(), kind, column, doc: doc.to_owned() });
        }
        columns
    }
}

/// Handles, addresses, and values of all 64 bits (hashes, fence values) keep their bits; all else is a quantity.
fn kind(scalar: &ScalarSchema) -> ColumnKind {
    match scalar.role {
        Role::Id | Role::Address => ColumnKind::U64,
        Role::Value | Role::Enum | Role::Flags if scalar.width_bytes == 8 => ColumnKind::U64,
        _ => ColumnKind::I64,
    }
}

impl From<&WideField> for TableColumn {
    fn from(field: &WideField) -> TableColumn {
        TableColumn { name: field.column.clone(), kind: field.kind, doc: field.doc.clone().into() }
    }
}

/// Calls that make up a part of a table: with all columns of the widest table, some 100 MiB.
const PART_ROWS: usize = 1 << 16;

/// Calls in parts; at least one, maybe empty.
fn some_at_a_time<'a, 'b>(calls: &'a [&'b CallRow]) -> impl Iterator<Item = &'a [&'b CallRow]> {
    calls.chunks(PART_ROWS).chain(calls.is_empty().then_some(calls))
}

/// The calls of a layer, with those of their fields that are wanted.
pub(super) struct WideCalls<'a> {
    analysis: &'a Analysis,
    layer: Layer,
    fields: Vec<WideField>,
    /// Names of the layer's calls, and one for calls that the trace does not know.
    names: Vec<&'a str>,
    providers: Vec<&'a str>,
    /// By code: the place of its name.
    places: Vec<u32>,
}

impl<'a> WideCalls<'a> {
    /// The calls of a layer, with the wanted ones of their fields; with all, if no columns are named. `taken` are the
    /// table's other columns.
    pub fn new(analysis: &'a Analysis, layer: Layer, taken: &[ColumnDoc], wanted: Option<&[String]>) -> Self {
        let frame = Frame::new(wanted);
        let mut fields = WideField::all(analysis, layer, taken);
        fields.retain(|field| frame.wants(&field.column));
        let events = Events::new(&analysis.trace().header().schema);
        let starts: Vec<&EventSchema> = events.of(layer, Opcode::Start).collect();
        // Codes are 16 bits wide.
        let mut places = vec![starts.len() as u32; 1 << 16];
        (0..).zip(&starts).for_each(|(place, event)| places[usize::from(event.code.0)] = place);
        let words =
            |word: fn(&EventSchema) -> &str| starts.iter().map(|event| word(event)).chain(["unknown"]).collect();
        let (names, providers) = (words(|event| &event.name), words(|event| &event.provider));
        WideCalls { analysis, layer, fields, names, providers, places }
    }

    /// Gives the calls a part at a time: the columns that `fill` adds, and behind them the wanted fields.
    pub fn each(
        &self,
        parts: &mut Parts<'_>,
        fill: fn(&WideRows<'_>, &mut Frame<'_>) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        self.stream().each(|rows| {
            // With other layers' calls come the API calls that they are made in.
            let is_of = |row: &&CallRow| self.layer == Layer::Api || self.is_of(row);
            let calls: Vec<&CallRow> = rows.rows.iter().filter(is_of).collect();
            for calls in some_at_a_time(&calls) {
                let mut frame = parts.frame();
                fill(&WideRows { wide: self, rows: &rows, calls }, &mut frame)?;
                frame.extend(self.fields(&rows, calls));
                if parts.give(frame)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        })
    }

    /// The calls, with the API calls that they are made in.
    fn stream(&self) -> CallStream<'a> {
        let events = Events::new(&self.analysis.trace().header().schema);
        let mut selecting = Selecting::new(&self.analysis.trace().header().schema);
        for field in &self.fields {
            let opcode = if field.stop { Opcode::Stop } else { Opcode::Start };
            events.of(self.layer, opcode).for_each(|event| selecting.named(event, &[&field.name]));
        }
        CallStream::new(self.analysis.source(), selecting, events.of(self.layer, Opcode::Start).map(|event| event.code))
    }

    /// Whether a call is of the layer.
    fn is_of(&self, row: &CallRow) -> bool {
        self.place(row) + 1 < self.names.len()
    }

    fn place(&self, row: &CallRow) -> usize {
        self.places[usize::from(row.joined.code.0)] as usize
    }

    /// The wanted fields of these calls.
    fn fields(&self, rows: &CallRows<'_>, calls: &[&CallRow]) -> Vec<Column> {
        let mut by_code: HashMap<EventCode, Vec<usize>> = HashMap::new();
        if !self.fields.is_empty() {
            for (number, call) in calls.iter().enumerate() {
                by_code.entry(call.joined.code).or_default().push(number);
            }
        }
        self.fields.par_iter().map(|field| field.column(rows, calls, &by_code)).collect()
    }
}

/// Calls of one part, as rows of a table.
pub(super) struct WideRows<'a> {
    wide: &'a WideCalls<'a>,
    rows: &'a CallRows<'a>,
    calls: &'a [&'a CallRow],
}

impl<'a> WideRows<'a> {
    pub fn all(&self) -> impl Iterator<Item = &'a CallRow> {
        self.calls.iter().copied()
    }

    /// The names of the layer's calls; `providers` are in the same order.
    pub fn names(&self) -> &[&'a str] {
        &self.wide.names
    }

    pub fn providers(&self) -> &[&'a str] {
        &self.wide.providers
    }

    /// The place of a call's name among them.
    pub fn place(&self, call: &CallRow) -> u32 {
        self.wide.place(call) as u32
    }

    pub fn thread(&self, call: &CallRow) -> u32 {
        self.rows.threads[call.thread_index]
    }

    pub fn stop_stamp(call: &CallRow) -> Option<u64> {
        call.joined.stop.map(|(stamp, _)| stamp)
    }

    pub fn duration_ns(&self, call: &CallRow) -> Option<u64> {
        self.wide.analysis.ticks_to_ns(WideRows::stop_stamp(call)?.checked_sub(call.joined.stamp)?)
    }
}

impl WideField {
    /// The field's column. `by_code` has the places of the calls of each code.
    fn column(&self, rows: &CallRows<'_>, calls: &[&CallRow], by_code: &HashMap<EventCode, Vec<usize>>) -> Column {
        let kind = TableColumn::from(self).kind.data_type();
        let places = |number: usize| {
            let joined = &calls[number].joined;
            if self.stop { joined.stop.map(|(_, place)| place) } else { Some(joined.place) }
        };
        let (mut numbers, mut texts) = (Vec::new(), Vec::new());
        for (code, with_code) in by_code {
            let code = if self.stop { EventCode::new(code.id(), Opcode::Stop) } else { *code };
            let places = with_code.iter().filter_map(|number| Some((*number, places(*number)?)));
            // All blocks have their columns in one order.
            let mut at = None;
            for (number, place) in places {
                let extract = rows.extract(place);
                let Some((event, field)) = at.or_else(|| self.find(extract, code)) else { break };
                at = Some((event, field));
                match &extract.columns[event].fields[field].1 {
                    Values::Numbers(values) => {
                        numbers.resize(calls.len(), None);
                        numbers[number] = values.get(place.row as usize).copied();
                    }
                    Values::Texts { ends, bytes } => {
                        texts.resize(calls.len(), None);
                        texts[number] = Some(text(ends, bytes, place.row));
                    }
                    Values::Lists { .. } => {}
                }
            }
        }
        let name = self.column.as_str().into();
        let series = match (numbers.is_empty(), texts.is_empty()) {
            (false, _) => Series::new(name, numbers),
            (_, false) => Series::new(name, texts.iter().map(Option::as_deref).collect::<Vec<Option<&str>>>()),
            _ => Series::full_null(name, calls.len(), &kind),
        };
        series.into_column()
    }

    /// Where a block's columns have the field of the records of a code.
    fn find(&self, extract: &ThreadExtract, code: EventCode) -> Option<(usize, usize)> {
        let event = extract.columns.iter().position(|columns| columns.code == code)?;
        let field = extract.columns[event].fields.iter().position(|(name, _)| *name == self.name)?;
        Some((event, field))
    }
}
