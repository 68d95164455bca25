//! Events of presents, independent of their providers and versions.

use crate::events::{EventReader, Source, lines};
use taut_schemas::windows::{
    D3d9PresentStart, D3d9PresentStop, DxgiPresentStart, DxgiPresentStop, IndependentFlip, KernelPlanePresent,
    KernelPresent, MmioFlip, MmioPlaneFlip, MultiPlaneSync, PresentBlit, PresentFlip, PresentTokenStart,
    PresentTokenStop, QueuePacketStart, QueuePacketStop, VerticalSync, WindowsEvent,
};
use taut_schemas::{EventCode, SchemaTable};

/// DXGI_PRESENT_TEST: the call presents nothing.
const PRESENT_TEST: u64 = 1;
/// D3DKMT_PRESENTFLAGS CrossAdapter.
const CROSS_ADAPTER: u64 = 0x400_0000;
/// DXGKETW_MMIOFLIP_COMMAND_BUFFER and DXGKETW_SOFTWARE_COMMAND_BUFFER, the types of packets that only presents have.
const PRESENT_PACKETS: [u64; 2] = [3, 7];
/// SetVidPnSourceAddressFlags FlipImmediate.
const FLIP_IMMEDIATE: u64 = 2;
/// FlipEntryStatus FlipWaitComplete: the flip is done when the hardware has received it.
const FLIP_WAIT_COMPLETE: u64 = 0xB;
/// A flip's fence has its submit sequence in the upper half.
const FENCE_SHIFT: u32 = 32;

/// An event of a present.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PresentEvent {
    /// DXGI or Direct3D 9 begins a present.
    ApiStart {
        swap_chain: Option<u64>,
        is_test: bool,
    },
    ApiStop,
    /// The kernel begins a present that copies.
    Blit {
        window: Option<u64>,
        is_redirected: bool,
    },
    /// The kernel begins a present that flips.
    Flip {
        source: Option<u64>,
    },
    /// The kernel ends a present. `None` if the event has no flags.
    KernelEnd {
        window: Option<u64>,
        is_cross_adapter: Option<bool>,
    },
    TokenStart {
        token: u64,
        model: u64,
    },
    TokenStop {
        token: u64,
        model: u64,
    },
    /// A packet of a present enters a queue.
    Packet {
        context: u64,
        sequence: u64,
    },
    PacketDone {
        context: u64,
        sequence: u64,
    },
    IndependentFlip {
        context: u64,
        sequence: u64,
    },
    /// The display hardware receives a flip, which is displayed at once if `is_done`.
    HardwareFlip {
        sequence: u64,
        is_plane: bool,
        is_done: bool,
    },
    /// A vertical synchronization; `sequence` is that of the flip that it displays.
    Sync {
        sequence: Option<u64>,
    },
    /// As `Sync`, for each plane. The same synchronization has a `Sync`.
    PlaneSync {
        sequences: Vec<u64>,
    },
}

/// Codes of the events that begin or end presents.
pub fn codes_of_presents(schema: &SchemaTable) -> Vec<EventCode> {
    fn codes<'s, E: WindowsEvent>(schema: &'s SchemaTable) -> impl Iterator<Item = EventCode> + use<'s, E> {
        lines::<E>(schema).map(|line| line.code)
    }
    let kernel = codes::<PresentBlit>(schema)
        .chain(codes::<PresentFlip>(schema))
        .chain(codes::<KernelPresent>(schema))
        .chain(codes::<KernelPlanePresent>(schema))
        .chain(codes::<PresentTokenStart>(schema));
    kernel.chain(codes::<DxgiPresentStart>(schema)).chain(codes::<D3d9PresentStart>(schema)).collect()
}

impl PresentEvent {
    /// A reader of the events of presents.
    pub fn reader(source: &Source) -> EventReader<'_, PresentEvent> {
        let mut reader = EventReader::new(source);
        reader.windows(|DxgiPresentStart { swap_chain, flags }| {
            Some(Self::ApiStart { swap_chain, is_test: flags.unwrap_or_default() & PRESENT_TEST != 0 })
        });
        reader.windows(|D3d9PresentStart { swap_chain }| Some(Self::ApiStart { swap_chain, is_test: false }));
        reader.windows(|_: DxgiPresentStop| Some(Self::ApiStop));
        reader.windows(|_: D3d9PresentStop| Some(Self::ApiStop));
        reader.windows(|PresentBlit { window, is_redirected }| {
            Some(Self::Blit { window, is_redirected: is_redirected.unwrap_or_default() != 0 })
        });
        reader.windows(|PresentFlip { source }| Some(Self::Flip { source }));
        reader.windows(|KernelPresent { window, flags }| {
            Some(Self::KernelEnd { window, is_cross_adapter: flags.map(|flags| flags & CROSS_ADAPTER != 0) })
        });
        reader.windows(|_: KernelPlanePresent| Some(Self::KernelEnd { window: None, is_cross_adapter: None }));
        Self::read_tokens(&mut reader);
        Self::read_display(&mut reader);
        reader
    }

    fn read_tokens(reader: &mut EventReader<'_, PresentEvent>) {
        reader.windows(|PresentTokenStart { token, model }| {
            Some(Self::TokenStart { token: token?, model: model.unwrap_or_default() })
        });
        reader.windows(|PresentTokenStop { token, model }| {
            Some(Self::TokenStop { token: token?, model: model.unwrap_or_default() })
        });
    }

    fn read_display(reader: &mut EventReader<'_, PresentEvent>) {
        reader.windows(|QueuePacketStart { context, packet_type, submit_sequence, is_present }| {
            let is_present = is_present.unwrap_or_default() != 0 || PRESENT_PACKETS.contains(&packet_type?);
            is_present.then_some(Self::Packet { context: context?, sequence: submit_sequence? })
        });
        reader.windows(|QueuePacketStop { context, submit_sequence, .. }| {
            Some(Self::PacketDone { context: context?, sequence: submit_sequence? })
        });
        reader.windows(|IndependentFlip { context, submit_sequence }| {
            Some(Self::IndependentFlip { context: context?, sequence: submit_sequence? })
        });
        reader.windows(|MmioFlip { submit_sequence, flags }| {
            let is_done = flags.unwrap_or_default() & FLIP_IMMEDIATE != 0;
            Some(Self::HardwareFlip { sequence: submit_sequence?, is_plane: false, is_done })
        });
        reader.windows(|MmioPlaneFlip { flip_fence, entry_status }| {
            let is_done = entry_status == Some(FLIP_WAIT_COMPLETE);
            Some(Self::HardwareFlip { sequence: flip_fence? >> FENCE_SHIFT, is_plane: true, is_done })
        });
        reader.windows(|VerticalSync { flip_fence, .. }| Some(Self::Sync { sequence: flip_fence.and_then(sequence) }));
        reader.windows(|MultiPlaneSync { flip_fences }| {
            Some(Self::PlaneSync { sequences: flip_fences.into_iter().filter_map(sequence).collect() })
        });
    }
}

/// Submit sequence of a fence. `None` if no flip was displayed.
fn sequence(fence: u64) -> Option<u64> {
    Some(fence >> FENCE_SHIFT).filter(|sequence| *sequence != 0)
}
