//! An open trace.

use crate::block::{Block, BlockSource};
use crate::block_info::{BlockInfo, UnknownBlock};
use crate::error::{Damage, ReadError};
use crate::file_head;
use crate::header::Header;
use crate::index::Framed;
use crate::locate::index;
use crate::map::FileBytes;
use crate::summary::Summary;
use crate::walk::Walks;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_schemas::EventCode;

/// An open trace. Opening reads the header and the footer, not the blocks; a file without a footer is searched for
/// its blocks' heads.
#[derive(Debug)]
pub struct Trace {
    pub(crate) file: FileBytes,
    pub(crate) walks: Walks,
    pub(crate) key: u32,
    pub(crate) version: u16,
    header: Header,
    summary: Summary,
    blocks: Vec<BlockInfo>,
    unknown: Vec<UnknownBlock>,
    damage: Vec<Damage>,
    /// Of all blocks read so far.
    records_read: AtomicU64,
}

impl Trace {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// It cannot be read, is no trace, or its header is damaged. Everything else is [`damage`](Self::damage).
    pub fn open(path: impl AsRef<Path>) -> Result<Trace, ReadError> {
        let path = path.as_ref();
        let file = FileBytes::open(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
        Trace::new(file)
    }

    /// Opens the trace in an open file, which errors call `name`.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_file(file: &File, name: impl AsRef<Path>) -> Result<Trace, ReadError> {
        let file = FileBytes::map(file).map_err(|source| ReadError::Io { path: name.as_ref().to_owned(), source })?;
        Trace::new(file)
    }

    /// Opens a trace that lies in memory.
    ///
    /// # Errors
    /// It is no trace, or its header is damaged.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Trace, ReadError> {
        Trace::new(FileBytes::Owned(bytes))
    }

    fn new(file: FileBytes) -> Result<Trace, ReadError> {
        let head = file_head::read(&file)?;
        let (key, version) = (head.key, head.version);
        let index = index(Framed { file: &file, start: head.end, key, version });
        let summary = Summary::new(&index, version, file.len() as u64);
        let walks = Walks::new(&head.header.schema);
        Ok(Trace {
            file,
            walks,
            key,
            version,
            header: head.header,
            summary,
            blocks: index.blocks,
            unknown: index.unknown,
            damage: index.damage,
            records_read: AtomicU64::new(0),
        })
    }

    /// What blocks are read from.
    pub(crate) fn source(&self) -> BlockSource<'_> {
        BlockSource { file: &self.file, key: self.key, version: self.version, walks: &self.walks }
    }

    /// The schema table and the world the trace was recorded in.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Counts, losses and time span, from the footer or, without one, from the blocks' heads.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The damage that opening found. The blocks themselves are checked as they are read, or all of them by
    /// [`verify`](Self::verify).
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// Records of the blocks read so far, those read again counted again: how far who reads it is.
    pub fn records_read(&self) -> u64 {
        self.records_read.load(Ordering::Relaxed)
    }

    /// A block has been read.
    pub(crate) fn count_read(&self, block: &BlockInfo) {
        self.records_read.fetch_add(block.records.into(), Ordering::Relaxed);
    }

    /// The blocks of kinds that this crate does not know, in file order. They are stepped over; with one that
    /// [is critical](UnknownBlock::is_critical) among them, the trace must not be replayed.
    pub fn unknown_blocks(&self) -> &[UnknownBlock] {
        &self.unknown
    }

    /// The blocks of records, in file order.
    pub fn blocks(&self) -> &[BlockInfo] {
        &self.blocks
    }

    /// The calls that were open in its thread when a block began: how many, and the codes of their start records,
    /// outermost first; of more than 1024, the innermost.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn open_calls(&self, block: &BlockInfo) -> Result<(u32, Vec<EventCode>), Damage> {
        let head = Block::read(self.source(), block)?.head;
        Ok((head.depth, head.open))
    }
}
