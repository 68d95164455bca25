//! Recording: threads that fill slots, the thread that compresses and writes blocks, snapshots and the end of a trace.

pub(crate) mod block_output;
pub(crate) mod block_writer;
pub(crate) mod close_on_end;
pub(crate) mod control_server;
pub(crate) mod event_recorder;
pub(crate) mod finished;
pub(crate) mod full_disk;
pub(crate) mod maintenance;
pub(crate) mod metadata_writer;
pub(crate) mod mode;
pub(crate) mod options;
pub(crate) mod other_machine;
pub(crate) mod pool;
pub(crate) mod recorder_builder;
pub(crate) mod recover_file;
pub(crate) mod ring;
pub(crate) mod side_files;
pub(crate) mod sink;
pub(crate) mod size_limit;
pub(crate) mod snapshot;
pub(crate) mod snapshot_trigger;
pub(crate) mod snapshot_watch;
pub(crate) mod standard_stream;
pub(crate) mod thread_writer;
pub(crate) mod timer;
pub(crate) mod writer;
