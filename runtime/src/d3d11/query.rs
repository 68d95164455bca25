//! Queries and predicates. One that ends in a list is issued when that is executed (rule H-67).

use super::context_state::{ContextKind, ContextState};
use super::draw::{known, tell_of};
use super::effect;
use super::flush;
use super::held::{begin as begin_call, hold, pass};
use super::object::{self, insert, make};
use super::tell::tell;
use crate::context::{Context, no_such};
use crate::state::{D3d11Kind, DeviceState, Objects, Token, Work};
use taut_schemas::{
    Bytes, D3d11QueryId, GetDataFlags, HResult, HResultCode, HandleType, MessageId, MessageSeverity, ObjectId,
    QueryType, d3d11, d3d11_context_ddi as ddi,
};

/// ID3D11Device::CreateQuery and CreatePredicate.
pub(crate) fn create_query(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::CreateQuery,
) -> HResult<D3d11QueryId> {
    let facts = object::owner(context, device, objects, (call.device, "CreateQuery"))?;
    let desc = call.desc;
    // The predicates of single streams are made by CreateQuery alone.
    let predicates = [QueryType::OCCLUSION_PREDICATE, QueryType::SO_OVERFLOW_PREDICATE];
    let is_kind = !call.is_predicate || predicates.contains(&desc.query);
    if desc.query.0 > QueryType::SO_OVERFLOW_PREDICATE_STREAM3.0 || !is_kind {
        let text = format_args!("CreateQuery: there is no such query, or it is no predicate.");
        return context.refuse(HResultCode::E_INVALIDARG, call.device, text);
    }
    let handle = make(
        context,
        device,
        &facts,
        (HandleType::QUERY, None),
        (
            |context, device| ddi::CalcPrivateQuerySize { context, device, desc },
            |context, device, handle| ddi::CreateQuery { context, device, handle, desc: Some(desc) },
        ),
    )?;
    Ok(D3d11QueryId(insert(device, objects, call.device, (D3d11Kind::Query(desc), handle)).0))
}

/// What a query asks for.
fn kind(
    context: &mut Context<'_>,
    state: &ContextState,
    objects: &mut dyn Objects,
    query: D3d11QueryId,
) -> HResult<QueryType> {
    match known(context, state, objects, (query.into(), HandleType::QUERY, "query"))?.kind {
        D3d11Kind::Query(desc) => Ok(desc.query),
        _ => no_such(context, "query", query.into()),
    }
}

/// ID3D11DeviceContext::Begin. A query that has begun already begins anew, and the driver hears nothing of that.
pub(crate) fn begin(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::Begin,
) -> HResult<()> {
    begin_call(context, state, call.context)?;
    let (query, id) = (call.query, ObjectId::from(call.query));
    if kind(context, state, objects, query)?.only_ends() {
        let text = format_args!("Begin: query {} only ends.", id.0);
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, id, text);
    }
    hold(context, state, objects, (id, "query", |_| true))?;
    if state.begun.insert(query) {
        tell(context, state, Token::QueryBegin(query));
    } else {
        let text = format_args!("Begin: query {} has begun already.", id.0);
        context.message(MessageSeverity::WARNING, MessageId::UNKNOWN, id, text);
    }
    state.queried.insert(query);
    effect::work(state, Work::QueryBegin(query));
    Ok(())
}

/// ID3D11DeviceContext::End. Of a query that has not begun the driver hears nothing; it has found nothing.
pub(crate) fn end(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::End,
) -> HResult<()> {
    begin_call(context, state, call.context)?;
    let (query, id) = (call.query, ObjectId::from(call.query));
    let kind = kind(context, state, objects, query)?;
    if kind.only_ends() || state.begun.remove(&query) {
        tell_of(context, state, objects, (id, Token::QueryEnd(query)))?;
    } else {
        let text = format_args!("End: query {} has not begun.", id.0);
        context.message(MessageSeverity::WARNING, MessageId::UNKNOWN, id, text);
    }
    if state.kind == ContextKind::Deferred {
        // What is recorded is held.
        hold(context, state, objects, (id, "query", |_| true))?;
        state.queried.insert(query);
    }
    effect::work(state, Work::QueryEnd(query, kind));
    Ok(())
}

/// What is open when a recording is finished ends (rule H-50).
pub(crate) fn end_open(context: &mut Context<'_>, state: &mut ContextState) {
    for query in std::mem::take(&mut state.begun) {
        tell(context, state, Token::QueryEnd(query));
        let kind = match state.held.get(&query.into()).map(|held| &held.object.kind) {
            Some(D3d11Kind::Query(desc)) => desc.query,
            _ => QueryType::default(),
        };
        effect::work(state, Work::QueryEnd(query, kind));
    }
}

/// ID3D11DeviceContext::GetData. What was issued is there once it was submitted: by Flush, by a Map that waits, or by an
/// earlier question; the one that submits it finds nothing yet (rule H-67).
pub(crate) fn get_data(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::GetData,
) -> HResult<Bytes> {
    begin_call(context, state, call.context)?;
    let id = ObjectId::from(call.query);
    let kind = kind(context, state, objects, call.query)?;
    if state.lost {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    let found = state.contents.found(call.query).filter(|_| !state.begun.contains(&call.query));
    let Some(found) = found.filter(|_| state.kind == ContextKind::Immediate) else {
        let text = format_args!("GetData: query {} is not issued on the immediate context.", id.0);
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, id, text);
    };
    let sizes = [0, kind.data_bytes()];
    if !sizes.contains(&call.size_bytes) || !call.want_data && call.size_bytes != 0 {
        let text = format_args!("GetData: query {} gives {} bytes.", id.0, kind.data_bytes());
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    if call.flags.without(GetDataFlags::DONOTFLUSH) != GetDataFlags::NONE {
        let text = format_args!("GetData: GetDataFlags has an unknown bit.");
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    let is_early = state.contents.is_unsubmitted(call.query);
    if is_early && !call.flags.contains(GetDataFlags::DONOTFLUSH) {
        flush::submit(context, state);
    }
    if let Some(query) = pass(context, state, objects, id)? {
        let (of, device, size_bytes) = (state.id, state.device_handle, call.size_bytes);
        state.record(context, ddi::QueryGetData { context: of, device, query, size_bytes });
        state.passed();
    }
    if let Some(code) = state.returned.take() {
        return Err(code);
    }
    if state.lost {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    if is_early {
        return Err(HResultCode::S_FALSE);
    }
    let mut data = vec![0; call.size_bytes as usize];
    let found = found.to_le_bytes();
    data.iter_mut().zip(found).for_each(|(to, from)| *to = from);
    Ok(Bytes(data))
}
