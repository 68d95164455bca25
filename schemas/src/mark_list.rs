//! The marks: events that are not calls.

/// Hands the list of marks to a macro. A line is: documentation, number, name, fields, each as in a call's
/// line.
#[macro_export]
macro_rules! for_each_mark {
    ($handler:ident) => {
        $handler! {
            /// A message of the debug layer. d3d12sdklayers.h: D3D12_MESSAGE.
            512 DebugMessage {
                /// D3D12_MESSAGE::Severity.
                severity: MessageSeverity,
                /// D3D12_MESSAGE::ID.
                message_id: MessageId,
                /// The object the message is about, if it is about one.
                object: ObjectId,
                /// D3D12_MESSAGE::pDescription.
                description: String,
            }

            /// The driver broke a rule, or did what a document asks drivers to stop doing.
            513 DriverViolation {
                /// The rule, by its number (docs/rules.md).
                rule: String,
                /// Whether it is only advice.
                lint: bool,
                /// What the driver answered.
                found: u64,
                /// Least answer the rule allows.
                least: u64,
                /// Greatest answer the rule allows.
                greatest: u64,
                /// What happened, in words.
                description: String,
            }

            /// A named part of the workload begins or ends.
            514 WorkloadPhase {
                /// Number of the phase within the workload.
                phase_index: u32 as Count,
                /// Whether it begins or ends.
                edge: PhaseEdge,
                /// Name; for the end of a test, its own verdict.
                name: String,
            }

            /// The next API call or workload phase is this line of the call log the workload follows; each one after it
            /// is the next line, until another mark of this kind.
            515 LogPosition {
                /// The log's seq.
                seq: u64 as Count,
            }

            /// In a trace that a what-if replay wrote: a recorded call was not made, because another world has no object
            /// that it names.
            520 SkippedCall {
                /// The call.
                name: String,
                /// The object, by its handle in the trace that was replayed.
                object: ObjectId,
            }

            /// Task provider: a background task begins. ETW: Microsoft-Windows-Direct3D12, BackgroundWork Start (132).
            521 BackgroundWorkStart {
                /// The task.
                task: TaskId,
                /// Its number in the order in which the device accepted tasks.
                sequence: u64 as Count,
                /// At which priority it runs.
                priority: WorkPriority,
                /// The worker thread, from 0.
                worker: u32,
                /// The pipeline state it is for.
                pipeline_state: PipelineStateId,
                /// The commits that wait for it.
                commits: Vec<CommitId>,
            }

            /// Task provider: a background task has ended. ETW: BackgroundWork Stop (133).
            522 BackgroundWorkStop {
                /// The task.
                task: TaskId,
                /// Its number in the order in which the device accepted tasks.
                sequence: u64 as Count,
                /// At which priority it ran last.
                priority: WorkPriority,
                /// The worker thread, from 0.
                worker: u32,
                /// The pipeline state it is for.
                pipeline_state: PipelineStateId,
                /// The commits that wait for it.
                commits: Vec<CommitId>,
            }

            /// Task provider: a background task will not run; its cancel callback is called if it has one. ETW has no such
            /// event.
            523 BackgroundWorkCancel {
                /// The task.
                task: TaskId,
                /// Its number in the order in which the device accepted tasks.
                sequence: u64 as Count,
                /// Why.
                reason: CancelReason,
                /// The pipeline state it is for.
                pipeline_state: PipelineStateId,
                /// The commits that wait for it.
                commits: Vec<CommitId>,
            }

            /// Task provider: a running task's thread changes its priority.
            524 BackgroundWorkPriority {
                /// The task.
                task: TaskId,
                /// The priority from now on.
                priority: WorkPriority,
            }

            /// Task provider: a SetBackgroundProcessingMode has committed results.
            525 BackgroundCommit {
                /// The commit.
                commit: CommitId,
                /// The event it signals; may be null.
                event: EventHandle,
                /// Whether its tasks run at high priority.
                high_priority: bool,
                /// The tasks it waits for, in order.
                tasks: Vec<TaskId>,
            }

            /// Task provider: all tasks of a commit have ended, and its event is signalled.
            526 BackgroundCommitDone {
                /// The commit.
                commit: CommitId,
                /// The event signalled; may be null.
                event: EventHandle,
            }

            /// Memory provider: what the processor wrote into a mapped resource, store by store, since the last mark of this
            /// kind or Map.
            544 MappedWrites {
                /// The resource that was mapped.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// The stores, in their order.
                runs: Vec<StoreRun>,
            }

            /// Memory provider: what the processor read from a mapped resource.
            545 MappedReads {
                /// The resource that was mapped.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// The loads, in their order.
                runs: Vec<StoreRun>,
            }

            /// Memory provider: a fence, after which everything written so far is on its way to memory.
            546 MemoryFence {
                /// The resource written last.
                resource: D3d11ResourceId,
            }
        }
    };
}

/// Contents of the marks, one struct per line of [`for_each_mark!`](crate::for_each_mark).
pub mod mark {
    use crate::call::{Layer, Mark};
    use crate::event::{EventCode, Opcode};
    use crate::field::Field;
    use crate::row::{CodecError, Decoder, Encoder};
    use crate::table::{EventHead, SchemaTable};
    use crate::{code::*, execution_desc::*, id::*, message::MessageId, store_runs::StoreRun};

    macro_rules! structs {
        ($( $(#[doc = $doc:literal])+ $id:literal $Name:ident {
            $( $(#[doc = $field_doc:literal])+ $field:ident: $ty:ty $(as $role:ident)?, )*
        } )*) => { $(
            $(#[doc = $doc])+
            #[derive(Debug, Clone, PartialEq, Eq, Default)]
            pub struct $Name {
                $( $(#[doc = $field_doc])+ pub $field: $ty, )*
            }

            impl Mark for $Name {
                const ID: u16 = $id;
                const NAME: &'static str = stringify!($Name);
                fn encode(&self, encoder: &mut Encoder<'_>) {
                    $( self.$field.encode(encoder); )*
                }
                fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
                    let mark = Self { $( $field: Field::decode(decoder)?, )* };
                    decoder.finish()?;
                    Ok(mark)
                }
            }
        )*

            /// Adds the list's events to a table.
            pub(crate) fn describe(table: &mut SchemaTable) { $(
                let head = EventHead {
                    code: EventCode::new($id, Opcode::Info),
                    name: stringify!($Name),
                    layer: Layer::Mark,
                    opcode: Opcode::Info,
                    doc: concat!($($doc),+),
                };
                table.add(head, |sink| {
                    $( sink.member_as(
                        stringify!($field),
                        concat!($($field_doc),+),
                        $crate::table::role!($($role)?),
                        <$ty as Field>::describe,
                    ); )*
                });
            )* }
        };
    }
    for_each_mark!(structs);
}

pub(crate) use mark::describe;
