//! Joined calls with a column for every scalar and text field that the trace's schema table has for them.

use super::Parts;
use super::column::{ColumnDoc, ColumnKind, TableColumn};
use super::frame::Frame;
use crate::error::TableError;
use polars::prelude::{Column, DataType, IntoColumn, IntoSeries, NamedFrom, Series, StructChunked};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::{ControlFlow, Range};
use taut_analyze::Analysis;
use taut_analyze::events::{CallRow, CallRows, CallStream, Events, Selecting, text};
use taut_schemas::{EventCode, EventSchema, FieldKind, Layer, Opcode, Role, ScalarSchema, SchemaTable};
use taut_traces::{Column as Values, ThreadExtract};

/// A field, under one column name in all calls that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WideField {
    stop: bool,
    name: String,
    kind: ColumnKind,
    is_result_code: bool,
    /// Elements of a list field.
    elements: Vec<(String, ColumnKind)>,
    /// For an optional field, index of the number among those of its element.
    of_optional: Option<usize>,
    /// Width of a floating-point number, whose bits the trace has. Lists of them stay numbers.
    float_bytes: Option<u8>,
    /// Column name: arguments are named as their field, results get the prefix `result_`, except for the result code. A
    /// name that is taken gets the prefix `arg_`.
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
                    // A field that is an identifier in one call makes the whole column an identifier.
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
            let (name, doc) = (name.to_owned(), doc.to_owned());
            columns.push(WideField {
                stop,
                name,
                kind,
                is_result_code,
                elements: Vec::new(),
                of_optional: None,
                float_bytes: None,
                column,
                doc,
            });
        }
        columns
    }

    /// Fields of calls that have records in the trace, and the result code.
    pub fn recorded(analysis: &Analysis, layer: Layer, taken: &[ColumnDoc]) -> Vec<WideField> {
        let events = Events::new(&analysis.trace().header().schema);
        let is_recorded =
            |event: &&EventSchema| analysis.trace().summary().codes.iter().any(|(code, _)| *code == event.code);
        let mut names = HashSet::new();
        for opcode in [Opcode::Start, Opcode::Stop] {
            let recorded = events.of(layer, opcode).filter(is_recorded);
            names.extend(recorded.flat_map(|event| &event.fields).map(|field| (opcode == Opcode::Stop, &field.name)));
        }
        let mut fields = WideField::all(analysis, layer, taken);
        fields.retain(|field| names.contains(&(field.stop, &field.name)) || field.stop && field.is_result_code);
        fields
    }

    /// Result code of a layer's calls, which share one column.
    pub fn result_code(analysis: &Analysis, layer: Layer, taken: &[ColumnDoc]) -> Option<WideField> {
        WideField::all(analysis, layer, taken).into_iter().find(|field| field.stop && field.is_result_code)
    }

    /// Fields of one call or mark in their order, without byte strings: arguments, then results.
    pub fn of_event(schema: &SchemaTable, event: &EventSchema, taken: &[ColumnDoc]) -> Vec<WideField> {
        let stop = Events::new(schema).stop_of(event).filter(|_| event.opcode == Opcode::Start);
        let mut columns: Vec<WideField> = Vec::new();
        for (stop, field) in event
            .fields
            .iter()
            .map(|field| (false, field))
            .chain(stop.iter().flat_map(|stop| &stop.fields).map(|field| (true, field)))
        {
            let mut add = |name: String, kind, elements, of_optional: Option<usize>| {
                let mut column = name.replace('.', "_");
                let is_result_code = field.scalars().first().is_some_and(|scalar| scalar.role == Role::HResult);
                if stop && !is_result_code {
                    column.insert_str(0, "result_");
                }
                while taken.iter().any(|known| known.name.eq_ignore_ascii_case(&column))
                    || columns.iter().any(|known| known.column.eq_ignore_ascii_case(&column))
                {
                    column.insert_str(0, "arg_");
                }
                let (name, doc) = (field.name.clone(), field.doc.clone());
                let scalar = field.scalars().get(of_optional.unwrap_or_default());
                let float_bytes = scalar.filter(|_| kind == ColumnKind::F64).map(|scalar| scalar.width_bytes);
                columns.push(WideField {
                    stop,
                    name,
                    kind,
                    is_result_code,
                    elements,
                    of_optional,
                    float_bytes,
                    column,
                    doc,
                });
            };
            match &field.kind {
                FieldKind::Scalar(scalar) => add(field.name.clone(), value_kind(scalar), Vec::new(), None),
                FieldKind::Text => add(field.name.clone(), ColumnKind::Text, Vec::new(), None),
                FieldKind::Bytes => {}
                FieldKind::List(scalars) => {
                    let elements = scalars.iter().map(|scalar| (scalar.name.replace('.', "_"), kind(scalar))).collect();
                    add(field.name.clone(), ColumnKind::List, elements, None);
                }
                FieldKind::Optional(scalars) => {
                    for (place, scalar) in scalars.iter().enumerate() {
                        let alone = scalars.len() == 1;
                        let name = if alone { field.name.clone() } else { format!("{}.{}", field.name, scalar.name) };
                        add(name, value_kind(scalar), Vec::new(), Some(place));
                    }
                }
            }
        }
        columns
    }
}

/// As [`kind`], with floating-point numbers.
fn value_kind(scalar: &ScalarSchema) -> ColumnKind {
    if scalar.role == Role::Float { ColumnKind::F64 } else { kind(scalar) }
}

/// Floating-point number of the bits in a trace.
fn float(bits: u64, width_bytes: u8) -> f64 {
    if width_bytes == 4 { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) }
}

/// Handles, addresses and 64-bit values (hashes, fence values) are unsigned identifiers; all else is a quantity.
fn kind(scalar: &ScalarSchema) -> ColumnKind {
    match scalar.role {
        Role::Id | Role::Address => ColumnKind::U64,
        Role::Value | Role::Enum | Role::Flags if scalar.width_bytes == 8 => ColumnKind::U64,
        _ => ColumnKind::I64,
    }
}

impl From<&WideField> for TableColumn {
    fn from(field: &WideField) -> TableColumn {
        TableColumn {
            name: field.column.clone(),
            kind: field.kind,
            elements: field.elements.clone(),
            doc: field.doc.clone().into(),
        }
    }
}

/// Calls per chunk: with all columns of the widest table, some 100 MiB.
const PART_ROWS: usize = 1 << 16;

/// Splits calls into chunks; at least one, possibly empty.
fn some_at_a_time<'a, 'b>(calls: &'a [&'b CallRow]) -> impl Iterator<Item = &'a [&'b CallRow]> {
    calls.chunks(PART_ROWS).chain(calls.is_empty().then_some(calls))
}

/// Calls of a layer, or of one name, with the wanted fields.
pub(super) struct WideCalls<'a> {
    analysis: &'a Analysis,
    /// True if API calls that the schema does not know are included.
    with_unknown: bool,
    fields: Vec<WideField>,
    /// Schemas of the calls' starts, or of the mark.
    starts: Vec<&'a EventSchema>,
    /// Names of the calls, and a last one for calls that the schema does not know.
    names: Vec<&'a str>,
    providers: Vec<&'a str>,
    /// By code: index of the call's name.
    places: Vec<u32>,
}

impl<'a> WideCalls<'a> {
    /// Selects the calls of a layer with the wanted fields, or with all. `taken` are the table's other columns.
    pub fn new(analysis: &'a Analysis, layer: Layer, taken: &[ColumnDoc], wanted: Option<&[String]>) -> Self {
        let frame = Frame::new(wanted);
        let mut fields = WideField::all(analysis, layer, taken);
        fields.retain(|field| frame.wants(&field.column));
        let events = Events::new(&analysis.trace().header().schema);
        WideCalls::with_starts(analysis, events.of(layer, Opcode::Start).collect(), fields, layer == Layer::Api)
    }

    /// Selects the calls or marks of one name with the wanted fields.
    pub fn of_event(
        analysis: &'a Analysis,
        event: &'a EventSchema,
        taken: &[ColumnDoc],
        wanted: Option<&[String]>,
    ) -> Self {
        let frame = Frame::new(wanted);
        let mut fields = WideField::of_event(&analysis.trace().header().schema, event, taken);
        fields.retain(|field| frame.wants(&field.column));
        WideCalls::with_starts(analysis, vec![event], fields, false)
    }

    fn with_starts(
        analysis: &'a Analysis,
        starts: Vec<&'a EventSchema>,
        fields: Vec<WideField>,
        with_unknown: bool,
    ) -> Self {
        // Codes are 16 bits wide.
        let mut places = vec![starts.len() as u32; 1 << 16];
        (0..).zip(&starts).for_each(|(place, event)| places[usize::from(event.code.0)] = place);
        let words =
            |word: fn(&EventSchema) -> &str| starts.iter().map(|event| word(event)).chain(["unknown"]).collect();
        let (names, providers) = (words(|event| &event.name), words(|event| &event.provider));
        WideCalls { analysis, with_unknown, fields, starts, names, providers, places }
    }

    /// Emits the calls in chunks: the columns that `fill` adds, followed by the wanted fields.
    pub fn each(
        &self,
        parts: &mut Parts<'_>,
        fill: fn(&WideRows<'_>, &mut Frame<'_>) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        self.stream().each(|rows| {
            // For other layers the stream also yields the API calls that enclose them.
            let is_of = |row: &&CallRow| self.with_unknown || self.is_of(row);
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

    /// Opens a stream of the calls, with the API calls that enclose them.
    fn stream(&self) -> CallStream<'a> {
        let events = Events::new(&self.analysis.trace().header().schema);
        let mut selecting = Selecting::new(&self.analysis.trace().header().schema);
        for field in &self.fields {
            for start in &self.starts {
                let event = if field.stop { events.stop_of(start) } else { Some(*start) };
                if let Some(event) = event {
                    selecting.named(event, &[&field.name]);
                }
            }
        }
        CallStream::new(self.analysis.source(), selecting, self.starts.iter().map(|event| event.code))
    }

    /// True if a call is of the layer.
    fn is_of(&self, row: &CallRow) -> bool {
        self.place(row) + 1 < self.names.len()
    }

    fn place(&self, row: &CallRow) -> usize {
        self.places[usize::from(row.joined.code.0)] as usize
    }

    /// Columns of the wanted fields for some calls.
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

/// Calls of one chunk, as rows of a table.
pub(super) struct WideRows<'a> {
    wide: &'a WideCalls<'a>,
    rows: &'a CallRows<'a>,
    calls: &'a [&'a CallRow],
}

impl<'a> WideRows<'a> {
    pub fn all(&self) -> impl Iterator<Item = &'a CallRow> {
        self.calls.iter().copied()
    }

    /// Names of the layer's calls; `providers` has the same order.
    pub fn names(&self) -> &[&'a str] {
        &self.wide.names
    }

    pub fn providers(&self) -> &[&'a str] {
        &self.wide.providers
    }

    /// Index of a call's name in `names`.
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
    /// Computes the field's column. `by_code` holds the indices of the calls of each code.
    fn column(&self, rows: &CallRows<'_>, calls: &[&CallRow], by_code: &HashMap<EventCode, Vec<usize>>) -> Column {
        let kind = TableColumn::from(self).data_type();
        let places = |number: usize| {
            let joined = &calls[number].joined;
            if self.stop { joined.stop.map(|(_, place)| place) } else { Some(joined.place) }
        };
        let (mut numbers, mut texts, mut lists) = (Vec::new(), Vec::new(), Vec::new());
        for (code, with_code) in by_code {
            let code = if self.stop { EventCode::new(code.id(), Opcode::Stop) } else { *code };
            let places = with_code.iter().filter_map(|number| Some((*number, places(*number)?)));
            // All blocks have their columns in the same order, so the position is looked up once.
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
                    // Another call has a list field of the same name.
                    Values::Lists { .. } if self.of_optional.is_none() && self.kind != ColumnKind::List => {}
                    Values::Lists { ends, columns } => {
                        let row = place.row as usize;
                        let range = row.checked_sub(1).and_then(|before| ends.get(before).copied()).unwrap_or(0)
                            ..ends.get(row).copied().unwrap_or_default();
                        if let Some(of_optional) = self.of_optional {
                            numbers.resize(calls.len(), None);
                            let values = columns.get(of_optional).and_then(|(_, values)| values.get(range));
                            numbers[number] = values.and_then(|values| values.first()).copied();
                        } else {
                            lists.resize(calls.len(), None);
                            lists[number] = self.list(columns, range);
                        }
                    }
                }
            }
        }
        let name = self.column.as_str().into();
        let series = match (numbers.is_empty(), texts.is_empty()) {
            _ if !lists.is_empty() => Series::new(name, lists),
            (false, _) => match self.float_bytes {
                Some(width_bytes) => {
                    let floats = numbers.iter().map(|number| number.map(|bits| float(bits, width_bytes)));
                    Series::new(name, floats.collect::<Vec<Option<f64>>>())
                }
                None => Series::new(name, numbers),
            },
            (_, false) => Series::new(name, texts.iter().map(Option::as_deref).collect::<Vec<Option<&str>>>()),
            _ => Series::full_null(name, calls.len(), &kind),
        };
        series.into_column()
    }

    /// Elements of one list, as a series of numbers or structs.
    fn list(&self, columns: &[(String, Vec<u64>)], range: Range<usize>) -> Option<Series> {
        let element = |(name, kind): &(String, ColumnKind), (_, values): &(String, Vec<u64>)| {
            let values = values.get(range.clone()).unwrap_or_default();
            let series = Series::new(name.as_str().into(), values);
            // A number that does not fit into 63 bits becomes null.
            if *kind == ColumnKind::U64 { Ok(series) } else { series.cast(&DataType::Int64) }
        };
        let series = self.elements.iter().zip(columns).map(|(known, values)| element(known, values));
        let mut series: Vec<Series> = series.collect::<Result<_, _>>().ok()?;
        match series.as_mut_slice() {
            [one] => Some(std::mem::take(one)),
            several => {
                let structs = StructChunked::from_series("".into(), range.len(), several.iter());
                Some(structs.ok()?.into_series())
            }
        }
    }

    /// Position of the field in a block's columns for a code.
    fn find(&self, extract: &ThreadExtract, code: EventCode) -> Option<(usize, usize)> {
        let event = extract.columns.iter().position(|columns| columns.code == code)?;
        let field = extract.columns[event].fields.iter().position(|(name, _)| *name == self.name)?;
        Some((event, field))
    }
}
