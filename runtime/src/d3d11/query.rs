//! Queries and predicates. A query that ends in a list is issued when the list is executed (rule H-67).
//!
//! Flush submits an issued query, as do a Map that waits for the GPU and a GetData without
//! D3D11_ASYNC_GETDATA_DONOTFLUSH. GetData returns S_FALSE up to and including the call that submits the query, then the
//! result; an application with DONOTFLUSH that never flushes gets S_FALSE forever.

use super::context_state::{ContextKind, ContextState};
use super::draw::{NamedObject, emit_for_object, named_object};
use super::effect;
use super::emit::emit;
use super::flush;
use super::held::{HoldTarget, begin as begin_call, handle_for_call, hold};
use super::object::{self, CreateCall, HandleCalls, HandleKind, create_handle, insert};
use crate::context::{Context, no_such_object};
use crate::state::{ContextWork, D3d11Kind, DeferredCommand, DeviceState, Objects};
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
    let facts = object::owner(context, device, objects, CreateCall { device: call.device, name: "CreateQuery" })?;
    let desc = call.desc;
    // CreatePredicate takes no predicates of single streams; CreateQuery does.
    let predicates = [QueryType::OCCLUSION_PREDICATE, QueryType::SO_OVERFLOW_PREDICATE];
    let is_kind = !call.is_predicate || predicates.contains(&desc.query);
    if desc.query.0 > QueryType::SO_OVERFLOW_PREDICATE_STREAM3.0 || !is_kind {
        let text = format_args!("CreateQuery: there is no such query, or it is no predicate.");
        return context.refuse(HResultCode::E_INVALIDARG, call.device, text);
    }
    let handle = create_handle(
        context,
        device,
        &facts,
        HandleKind { handle_type: HandleType::QUERY, of: None },
        HandleCalls {
            size: |context, device| ddi::CalcPrivateQuerySize { context, device, desc },
            create: |context, device, handle| ddi::CreateQuery { context, device, handle, desc: Some(desc) },
        },
    )?;
    Ok(D3d11QueryId(insert(device, objects, call.device, D3d11Kind::Query(desc), handle).0))
}

/// The type of a query.
fn kind(
    context: &mut Context<'_>,
    state: &ContextState,
    objects: &mut dyn Objects,
    query: D3d11QueryId,
) -> HResult<QueryType> {
    match named_object(
        context,
        state,
        objects,
        NamedObject { id: query.into(), handle_type: HandleType::QUERY, kind: "query" },
    )?
    .kind
    {
        D3d11Kind::Query(desc) => Ok(desc.query),
        _ => no_such_object(context, "query", query.into()),
    }
}

/// ID3D11DeviceContext::Begin. A query that has begun already begins again, without a DDI call.
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
    hold(context, state, objects, HoldTarget { id, kind: "query", is: |_| true })?;
    if state.begun.insert(query) {
        emit(context, state, DeferredCommand::QueryBegin(query));
    } else {
        let text = format_args!("Begin: query {} has begun already.", id.0);
        context.message(MessageSeverity::WARNING, MessageId::UNKNOWN, id, text);
    }
    state.queried.insert(query);
    effect::work(state, ContextWork::QueryBegin(query));
    Ok(())
}

/// ID3D11DeviceContext::End. For a query that has not begun there is no DDI call, and its result is empty.
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
        emit_for_object(context, state, objects, id, DeferredCommand::QueryEnd(query))?;
    } else {
        let text = format_args!("End: query {} has not begun.", id.0);
        context.message(MessageSeverity::WARNING, MessageId::UNKNOWN, id, text);
    }
    if state.kind == ContextKind::Deferred {
        // A recorded command needs a reference to its object.
        hold(context, state, objects, HoldTarget { id, kind: "query", is: |_| true })?;
        state.queried.insert(query);
    }
    effect::work(state, ContextWork::QueryEnd(query, kind));
    Ok(())
}

/// Ends the queries that are still open when a recording is finished (rule H-50).
pub(crate) fn end_open(context: &mut Context<'_>, state: &mut ContextState) {
    for query in std::mem::take(&mut state.begun) {
        emit(context, state, DeferredCommand::QueryEnd(query));
        let kind = match state.held.get(&query.into()).map(|held| &held.object.kind) {
            Some(D3d11Kind::Query(desc)) => desc.query,
            _ => QueryType::default(),
        };
        effect::work(state, ContextWork::QueryEnd(query, kind));
    }
}

/// ID3D11DeviceContext::GetData. A result is available once its query was submitted: by Flush, by a Map that waits, or
/// by an earlier GetData. The GetData that submits it returns S_FALSE (rule H-67).
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
    if let Some(query) = handle_for_call(context, state, objects, id)? {
        let (of, device, size_bytes) = (state.id, state.device_handle, call.size_bytes);
        state.record(context, ddi::QueryGetData { context: of, device, query, size_bytes });
        state.forget_passed_handles();
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
    // Results are u64; a query with less data gets the low bytes.
    let found = found.to_le_bytes();
    data.iter_mut().zip(found).for_each(|(to, from)| *to = from);
    Ok(Bytes(data))
}
