//! Streamed textures, each resident with as many mips as it needs and the pool has space for.
//!
//! A texture with another number of mips is another resource: the new one is placed and the old one released.

use super::pool::{Pool, PoolKind, Pooled};
use crate::bundled::WorkloadError;
use crate::bundled::allocator::{Allocator, HeapKind};
use crate::bundled::content::texture;
use crate::bundled::random::Random;
use taut_capture::Caller;
use taut_schemas::format::Format;
use taut_schemas::{HeapId, ResourceDesc, ResourceFlags, ResourceId};

/// Number of textures at scale 1.
const COUNT: u64 = 12;
/// Space in the pool per texture, in bytes; with all its mips a texture takes from 44 KiB to 22 MiB.
const SPACE_PER_TEXTURE_BYTES: u64 = 2 << 20;
/// Side in texels of the most detailed mip that is always resident.
const TAIL_TEXELS: u64 = 64;
/// Sides of the full textures in texels, chosen with equal probability.
const EDGES: [u64; 4] = [256, 512, 1024, 2048];
/// Formats, chosen with equal probability.
const FORMATS: [Format; 4] =
    [Format::BC1_UNORM_SRGB, Format::BC5_UNORM, Format::BC7_UNORM_SRGB, Format::R8G8B8A8_UNORM];

/// Texture and its resident mips.
struct Streamed {
    format: Format,
    edge: u64,
    /// Number of the most detailed mips that are not resident.
    dropped: u32,
    resident: Pooled,
}

impl Streamed {
    fn max_dropped(&self) -> u32 {
        (self.edge / TAIL_TEXELS).ilog2()
    }
}

/// Streamed textures of a thread.
pub(super) struct Textures {
    pool: Pool,
    textures: Vec<Streamed>,
}

fn described(allocator: &Allocator, format: Format, edge: u64) -> ResourceDesc {
    let flat = texture(format, edge, edge, ResourceFlags::NONE);
    // 0 mip levels mean the full chain.
    allocator.tight(ResourceDesc { mip_levels: 0, ..flat })
}

impl Textures {
    /// Creates the pool, and each texture with its minimum mips.
    pub(super) fn new<C: Caller>(
        allocator: &Allocator,
        caller: &mut C,
        random: &mut Random,
        scale: u64,
        thread: u32,
    ) -> Result<Textures, WorkloadError> {
        let count = COUNT * scale;
        let name = format!("thread {thread} textures");
        let pool = Pool::new(
            allocator,
            caller,
            PoolKind { kind: HeapKind::TEXTURES, initial_state: 0 },
            count * SPACE_PER_TEXTURE_BYTES,
            name,
        )?;
        let mut textures = Textures { pool, textures: Vec::new() };
        for index in 0..count {
            let (format, edge) = (random.one_of(&FORMATS), random.one_of(&EDGES));
            let name = || format!("texture {index} of {TAIL_TEXELS}");
            let desc = described(allocator, format, TAIL_TEXELS);
            if let Some(resident) = textures.pool.place(allocator, caller, desc, name)? {
                let dropped = (edge / TAIL_TEXELS).ilog2();
                textures.textures.push(Streamed { format, edge, dropped, resident });
            }
        }
        Ok(textures)
    }

    /// Adds or removes one mip of a random texture. If there is no space for another mip, a mip of another texture is
    /// removed first.
    pub(super) fn stream<C: Caller>(
        &mut self,
        allocator: &Allocator,
        caller: &mut C,
        random: &mut Random,
    ) -> Result<(), WorkloadError> {
        let index = random.below(self.textures.len() as u64) as usize;
        let Some(texture) = self.textures.get(index) else { return Ok(()) };
        let (dropped, max_dropped) = (texture.dropped, texture.max_dropped());
        // Adding a mip is twice as likely as removing one, so the pool stays nearly full.
        if dropped > 0 && !random.once_in(3) {
            if !self.exchange(allocator, caller, index, dropped - 1)? {
                let other = random.below(self.textures.len() as u64) as usize;
                let next_dropped =
                    self.textures.get(other).map_or(0, |other| (other.dropped + 1).min(other.max_dropped()));
                if other != index && self.exchange(allocator, caller, other, next_dropped)? {
                    self.exchange(allocator, caller, index, dropped - 1)?;
                }
            }
        } else if dropped < max_dropped {
            self.exchange(allocator, caller, index, dropped + 1)?;
        }
        Ok(())
    }

    /// Replaces a texture by one without its `dropped` most detailed mips; false if there is no space for it.
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
        let Some(resident) = self.pool.place(allocator, caller, desc, || format!("texture {index} of {edge}"))? else {
            return Ok(false);
        };
        let old = std::mem::replace(&mut texture.resident, resident);
        texture.dropped = dropped;
        self.pool.release(allocator, caller, old)?;
        Ok(true)
    }

    /// Returns a random texture.
    pub(super) fn any(&self, random: &mut Random) -> Option<ResourceId> {
        self.textures.get(random.below(self.textures.len() as u64) as usize).map(|texture| texture.resident.resource)
    }

    /// Heap of the textures.
    pub(super) fn heap(&self) -> HeapId {
        self.pool.heap()
    }

    /// Releases the textures and the pool.
    pub(super) fn leave<C: Caller>(&mut self, allocator: &Allocator, caller: &mut C) -> Result<(), WorkloadError> {
        while let Some(texture) = self.textures.pop() {
            self.pool.release(allocator, caller, texture.resident)?;
        }
        allocator.release_heap(caller, self.pool.heap())
    }
}
