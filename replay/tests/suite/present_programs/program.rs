//! Machines, and random programs on them.

use proptest::prelude::*;
use taut_capture::Session;
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, AdapterParts, CommandListType, CommandQueueDesc, CommandQueueId, DeviceId, DisplayMode, HResultCode,
    NtStatus, ObjectId, PresentFlags, SwapChainDesc, SwapChainFlags, SwapChainId, SwapChainWindowDesc, SwapEffect,
    WindowState, d3d12, dxgi, machine,
};

/// Machine with one adapter or two.
#[derive(Debug, Clone)]
pub struct Machine {
    drivers: Vec<&'static str>,
    pub system_bytes_per_second: u64,
    fence_ns: u64,
    pub parts: Vec<AdapterParts>,
    /// Adapter and mode.
    displays: Vec<(usize, DisplayMode)>,
}

impl Machine {
    pub fn drivers(&self) -> String {
        self.drivers.join("+")
    }
}

fn parts() -> impl Strategy<Value = AdapterParts> {
    (any::<bool>(), 20..500_u64, 1..32_u64, 0..3_u32, 1..30_u64).prop_map(
        |(system, memory, link, copy_engines, copy)| AdapterParts {
            uses_system_memory: system,
            memory_bytes_per_second: if system { 0 } else { memory * 1_000_000_000 },
            link_bytes_per_second: if system { 0 } else { link * 500_000_000 },
            copy_engines,
            copy_bytes_per_second: copy * 1_000_000_000,
        },
    )
}

fn modes() -> impl Strategy<Value = DisplayMode> {
    let size = prop::sample::select(&[(640, 480), (1366, 768), (1920, 1080), (2560, 1600), (3840, 2160)][..]);
    (size, 24_000..240_000_u64, 0..6_u32, any::<bool>()).prop_map(|((width, height), rate, turned, variable)| {
        DisplayMode {
            width,
            height,
            refresh_millihertz: rate,
            rotation_degrees: if turned == 0 { 90 } else { 0 },
            variable_refresh_from_millihertz: if variable { rate / 2 } else { 0 },
        }
    })
}

const DRIVERS: [&str; 4] = ["igpu-tier3", "igpu-tier2", "igpu-tier1", "dgpu"];

/// Generates machines whose drivers follow the rules.
pub fn machines() -> impl Strategy<Value = Machine> {
    let adapter = (prop::sample::select(&DRIVERS[..]), parts());
    let adapters = prop::collection::vec(adapter, 1..=2);
    let displays = prop::collection::vec((0..2_usize, modes()), 1..=3);
    (adapters, displays, 20..100_u64, 0..60_000_u64).prop_map(|(adapters, displays, system, fence_ns)| Machine {
        system_bytes_per_second: system * 1_000_000_000,
        fence_ns,
        displays: displays.into_iter().map(|(adapter, mode)| (adapter % adapters.len(), mode)).collect(),
        drivers: adapters.iter().map(|adapter| adapter.0).collect(),
        parts: adapters.into_iter().map(|adapter| adapter.1).collect(),
    })
}

/// Step: its kind and three numbers that select its arguments.
pub type Step = (u8, u8, u8, u8);

/// Generates programs.
pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(any::<Step>(), 20..160)
}

struct Program<'a> {
    session: &'a Session,
    displays: Vec<(usize, DisplayMode)>,
    queues: Vec<(DeviceId, CommandQueueId)>,
    windows: Vec<u64>,
    chains: Vec<SwapChainId>,
    now_ns: u64,
}

/// Makes a program's calls. Many of them fail, as intended.
pub fn run(session: &Session, machine: &Machine, steps: &[Step]) {
    let describe = machine::DescribeMachine {
        system_memory_bytes_per_second: machine.system_bytes_per_second,
        cross_adapter_fence_ns: machine.fence_ns,
    };
    assert_eq!(session.call(describe), NtStatus::SUCCESS);
    let mut queues = Vec::new();
    for (place, parts) in machine.parts.iter().enumerate() {
        let adapter = AdapterId(place as u64 + 1);
        assert_eq!(session.call(machine::DescribeAdapter { adapter, parts: *parts }), NtStatus::SUCCESS);
        assert_eq!(session.call(machine::StartAdapter { adapter }), NtStatus::SUCCESS);
        let device = session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, adapter }).unwrap();
        let desc = CommandQueueDesc { list_type: CommandListType::DIRECT, ..CommandQueueDesc::default() };
        queues.push((device, session.call(d3d12::CreateCommandQueue { device, desc }).unwrap()));
    }
    let displays = machine.displays.clone();
    let mut program = Program { session, displays, queues, windows: Vec::new(), chains: Vec::new(), now_ns: 0 };
    for (adapter, mode) in &machine.displays {
        program.connect(*adapter, *mode);
    }
    // Initial objects.
    [(0, 0, 0, 0), (2, 0, 0, 0), (3, 1, 0, 0)].into_iter().for_each(|step| program.step(step));
    steps.iter().for_each(|step| program.step(*step));
    for swap_chain in std::mem::take(&mut program.chains) {
        let _ = session.call(dxgi::ReleaseSwapChain { swap_chain });
    }
    for (device, command_queue) in program.queues {
        session.call(d3d12::ReleaseCommandQueue { command_queue }).unwrap();
        session.release_device(device).unwrap();
    }
}

fn at<T: Copy>(of: &[T], place: u8) -> Option<T> {
    of.get(usize::from(place).checked_rem(of.len())?).copied()
}

impl Program<'_> {
    fn connect(&mut self, adapter: usize, mode: DisplayMode) {
        let connect = machine::ConnectDisplay { adapter: AdapterId(adapter as u64 + 1), mode };
        assert_eq!(self.session.call(connect), NtStatus::SUCCESS);
    }

    fn chain(&self, place: u8) -> SwapChainId {
        at(&self.chains, place).unwrap_or_default()
    }

    fn step(&mut self, (which, a, b, c): Step) {
        let session = self.session;
        match which % 24 {
            0 | 1 => self.window(which % 24 == 0, (a, b, c)),
            2 | 3 => self.create(which % 24 == 2, (a, b, c)),
            4 => {
                let (sync_interval, flags) = (u32::from(b % 6), PresentFlags(u32::from(c) << 1));
                let _ = session.call(dxgi::Present1 { swap_chain: self.chain(a), sync_interval, flags });
            }
            5 => drop(session.call(dxgi::FinishPresent1 { swap_chain: self.chain(a) })),
            6 => self.advance(u64::from(b) * 1_000_000 / 4),
            7 => {
                let (swap_chain, desc) = (self.chain(a), desc((b, c)));
                let SwapChainDesc { width, height, format, buffer_count, flags, .. } = desc;
                let format = if c % 2 == 0 { Format::UNKNOWN } else { format };
                let _ = session.call(dxgi::ResizeBuffers { swap_chain, buffer_count, width, height, format, flags });
            }
            8 => drop(session.call(dxgi::GetBuffer { swap_chain: self.chain(a), buffer: u32::from(b % 4) })),
            9 => {
                for buffer in 0..4 {
                    let _ = session.call(dxgi::ReleaseBuffer { swap_chain: self.chain(a), buffer });
                }
            }
            10 => {
                let (swap_chain, fullscreen) = (self.chain(a), b % 2 == 0);
                let _ = session.call(dxgi::SetFullscreenState { swap_chain, fullscreen });
            }
            11 if a % 4 == 0 => self.plug((b, c)),
            12 if a % 4 == 0 => drop(session.call(dxgi::ReleaseSwapChain { swap_chain: self.chain(b) })),
            _ => self.frame((a, b, c)),
        }
    }

    fn advance(&mut self, ns: u64) {
        let until_at_ns = self.now_ns + ns;
        if session_advances(self.session, until_at_ns) {
            self.now_ns = until_at_ns;
        }
    }

    /// Makes a frame as applications do: work, time, a present, and more time until it returns.
    fn frame(&mut self, (a, b, c): (u8, u8, u8)) {
        let (session, swap_chain) = (self.session, self.chain(a));
        let (cpu_ns, gpu_ns) = (u64::from(b) * 60_000, u64::from(c) * 40_000);
        let Ok(until_ns) = session.call(dxgi::SimulateWork { swap_chain, cpu_ns, gpu_ns }) else { return };
        self.advance(until_ns.saturating_sub(self.now_ns));
        let tears = (b ^ c) % 3 == 0;
        let sync_interval = if tears { 0 } else { u32::from(c % 4) };
        let flags = if tears { PresentFlags::ALLOW_TEARING } else { PresentFlags::NONE };
        let _ = session.call(dxgi::Present1 { swap_chain, sync_interval, flags });
        for _ in 0..12 {
            match session.call(dxgi::FinishPresent1 { swap_chain }) {
                Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING) => self.advance(9_000_000),
                _ => return,
            }
        }
    }

    fn window(&mut self, is_new: bool, (a, b, c): (u8, u8, u8)) {
        let display = u32::from(a) % self.displays.len() as u32;
        let mode = self.displays[display as usize].1;
        let (client_width, client_height) = if b % 3 == 0 { (800, 600) } else { (mode.width, mode.height) };
        let state =
            [WindowState::NONE, WindowState::NONE, WindowState::COVERED, WindowState::MINIMISED][usize::from(c % 4)];
        if is_new && self.windows.len() < 4 {
            let create = dxgi::CreateWindow { client_width, client_height, display, state };
            self.windows.extend(self.session.call(create));
        } else if let Some(window) = at(&self.windows, b) {
            let set = dxgi::SetWindow { window, client_width, client_height, display, state };
            let _ = self.session.call(set);
        }
    }

    fn create(&mut self, window_desc: bool, (a, b, c): (u8, u8, u8)) {
        let (session, desc) = (self.session, desc((b, c)));
        let Some((_, command_queue)) = at(&self.queues, a) else { return };
        if self.chains.len() >= 6 {
            return;
        }
        let created_chain = match at(&self.windows, b).filter(|_| window_desc) {
            Some(window) => {
                let window_desc = SwapChainWindowDesc { samples: 1, window, windowed: true, ..Default::default() };
                let (device, has_desc, want_swap_chain) = (ObjectId(command_queue.0), true, true);
                session.call(dxgi::CreateSwapChain { device, desc, window_desc, has_desc, want_swap_chain })
            }
            None => {
                let display = u32::from(a) % self.displays.len() as u32;
                session.call(dxgi::CreateSwapChainForHwnd { command_queue, desc, display, covers: c % 2 == 0 })
            }
        };
        self.chains.extend(created_chain);
    }

    /// Removes and adds an adapter, or connects a display.
    fn plug(&mut self, (b, c): (u8, u8)) {
        let place = usize::from(c) % self.queues.len();
        let adapter = AdapterId(place as u64 + 1);
        if b % 3 == 0 && self.displays.len() < 5 {
            let mode = self.displays[usize::from(c) % self.displays.len()].1;
            self.connect(place, mode);
            self.displays.push((place, mode));
        } else {
            let _ = self.session.call(machine::StopAdapter { adapter });
            self.advance(u64::from(b) * 100_000);
            let _ = self.session.call(machine::StartAdapter { adapter });
        }
    }
}

fn session_advances(session: &Session, until_at_ns: u64) -> bool {
    session.call(machine::AdvanceSimulation { until_at_ns }).is_ok()
}

/// Generates swap chain descriptions, mostly valid ones.
fn desc((b, c): (u8, u8)) -> SwapChainDesc {
    let sizes = [(0, 0), (1, 1), (333, 77), (1366, 768), (1920, 1080), (2560, 1600), (3840, 2160)];
    let formats =
        [Format::B8G8R8A8_UNORM, Format::R16G16B16A16_FLOAT, Format::R10G10B10A2_UNORM, Format::R8G8B8A8_UNORM_SRGB];
    let (width, height) = sizes[usize::from(b) % sizes.len()];
    SwapChainDesc {
        width,
        height,
        format: formats[usize::from(c) % formats.len()],
        buffer_count: 2 + u32::from(b % 3),
        swap_effect: if c % 5 == 0 { SwapEffect::FLIP_SEQUENTIAL } else { SwapEffect::FLIP_DISCARD },
        flags: [SwapChainFlags::ALLOW_TEARING, SwapChainFlags::NONE, SwapChainFlags::FRAME_LATENCY_WAITABLE_OBJECT]
            [usize::from(b ^ c) % 3],
    }
}
