//! Textures that stream: each is there with as many of its mips as it needs and as there is room for.
//!
//! A texture with other mips is another resource: the new one is placed and the old one released.

use super::pool::{Pool, Pooled};
use crate::caller::Caller;
use crate::workloads::WorkloadError;
use crate::workloads::allocator::{Allocator, HeapKind};
use crate::workloads::content::texture;
use crate::workloads::random::Random;
use taut_schemas::format::Format;
use taut_schemas::{HeapId, ResourceDesc, ResourceFlags, ResourceId};

/// Textures at scale 1.
const COUNT: u64 = 12;
/// Room in the pool for each texture; with all its mips a texture takes from 44 KiB to 22 MiB.
const ROOM_BYTES: u64 = 2 << 20;
/// A texture always has the mips from this many texels down.
const TAIL_TEXELS: u64 = 64;
/// Edges: each as likely as another.
const EDGES: [u64; 4] = [256, 512, 1024, 2048];
/// Formats: each as likely as another.
const FORMATS: [Format; 4] =
    [Format::BC1_UNORM_SRGB, Format::BC5_UNORM, Format::BC7_UNORM_SRGB, Format::R8G8B8A8_UNORM];

/// A texture, and what of it is there.
struct Streamed {
    format: Format,
    edge: u64,
    /// Most detailed mips that are not there.
    dropped: u32,
    there: Pooled,
}

impl Streamed {
    fn most_dropped(&self) -> u32 {
        (self.edge / TAIL_TEXELS).ilog2()
    }
}

/// A thread's streamed textures.
pub(super) struct Textures {
    pool: Pool,
    textures: Vec<Streamed>,
}

fn described(allocator: &Allocator, format: Format, edge: u64) -> ResourceDesc {
    let flat = texture(format, edge, edge, ResourceFlags::NONE);
    // 0 mip levels are the full chain.
    allocator.tight(ResourceDesc { mip_levels: 0, ..flat })
}

impl Textures {
    /// Creates the pool, and each texture with its least mips.
    pub(super) fn new<C: Caller>(
        allocator: &Allocator,
        caller: &mut C,
        random: &mut Random,
        scale: u64,
        thread: u32,
    ) -> Result<Textures, WorkloadError> {
        let count = COUNT * scale;
        let name = format!("thread {thread} textures");
        let pool = Pool::new(allocator, caller, (HeapKind::TEXTURES, 0), count * ROOM_BYTES, name)?;
        let mut textures = Textures { pool, textures: Vec::new() };
        for index in 0..count {
            let (format, edge) = (random.one_of(&FORMATS), random.one_of(&EDGES));
            let name = || format!("texture {index} of {TAIL_TEXELS}");
            let desc = described(allocator, format, TAIL_TEXELS);
            if let Some(there) = textures.pool.place(allocator, caller, desc, name)? {
                let dropped = (edge / TAIL_TEXELS).ilog2();
                textures.textures.push(Streamed { format, edge, dropped, there });
            }
        }
        Ok(textures)
    }

    /// Gives a texture one mip more or one less. Where there is no room for more, another texture has to do with one
    /// less, and this one gets what that freed.
    pub(super) fn stream<C: Caller>(
        &mut self,
        allocator: &Allocator,
        caller: &mut C,
        random: &mut Random,
    ) -> Result<(), WorkloadError> {
        let index = random.below(self.textures.len() as u64) as usize;
        let Some(texture) = self.textures.get(index) else { return Ok(()) };
        let (dropped, most_dropped) = (texture.dropped, texture.most_dropped());
        // Detail is wanted more often than it can be dropped.
        if dropped > 0 && !random.once_in(3) {
            if !self.exchange(allocator, caller, index, dropped - 1)? {
                let other = random.below(self.textures.len() as u64) as usize;
                let least = self.textures.get(other).map_or(0, |other| (other.dropped + 1).min(other.most_dropped()));
                if other != index && self.exchange(allocator, caller, other, least)? {
                    self.exchange(allocator, caller, index, dropped - 1)?;
                }
            }
        } else if dropped < most_dropped {
            self.exchange(allocator, caller, index, dropped + 1)?;
        }
        Ok(())
    }

    /// Replaces a texture by one without its `dropped` most detailed mips; false if there is no room for it.
    fn exchange<C: Caller>(
        &mut self,
        allocator: &Allocator,
        caller: &mut C,
        index: usize,
        dropped: u32,
    ) -> Result<bool, WorkloadError> {
        let Some(texture) = self.textures.get_mut(index).filter(|texture| texture.dropped != dropped) else {
            return Ok(false);
        };
        let edge = texture.edge >> dropped;
        let desc = described(allocator, texture.format, edge);
        let Some(there) = self.pool.place(allocator, caller, desc, || format!("texture {index} of {edge}"))? else {
            return Ok(false);
        };
        let old = std::mem::replace(&mut texture.there, there);
        texture.dropped = dropped;
        self.pool.release(allocator, caller, old)?;
        Ok(true)
    }

    /// One of the textures.
    pub(super) fn any(&self, random: &mut Random) -> Option<ResourceId> {
        self.textures.get(random.below(self.textures.len() as u64) as usize).map(|texture| texture.there.resource)
    }

    /// The heap they lie in.
    pub(super) fn heap(&self) -> HeapId {
        self.pool.heap()
    }

    /// Releases the textures and the pool.
    pub(super) fn leave<C: Caller>(&mut self, allocator: &Allocator, caller: &mut C) -> Result<(), WorkloadError> {
        while let Some(texture) = self.textures.pop() {
            self.pool.release(allocator, caller, texture.there)?;
        }
        allocator.release_heap(caller, self.pool.heap())
    }
}
