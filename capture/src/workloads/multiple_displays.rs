//! A game, and videos on displays that are added while it is played.

use super::error::WorkloadError;
use super::go_on::go_on;
use super::hybrid_laptop::{GAME, HybridLaptop, MINIMUM_FEATURE_LEVEL};
use super::parameters::Parameters;
use super::phase::in_phase;
use super::presented_game::{Game, chain_desc, size};
use super::presented_machine::PresentedMachine;
use super::refusal::required;
use super::renderer::create_queue;
use super::steps::Steps;
use super::table::{Scenario, Workload};
use crate::caller::{Caller, Callers};
use taut_runtime::Display;
use taut_schemas::{Call, DeviceId, SwapChainDesc, d3d12, dxgi};

/// Displays are added one after another, and bandwidth runs out.
pub struct MultipleDisplays;

const MILLIHERTZ_NS: u64 = 1_000_000_000_000;

impl Scenario for MultipleDisplays {
    const WORKLOAD: Workload = Workload {
        name: "multiple-displays",
        description: "The game of hybrid-laptop, and displays that are added one after another, each with a video as large \
                      as it is: scan-out takes more and more bandwidth, until one copy is no longer promised.",
        parameters: &GAME,
        refused: &[dxgi::FinishPresent1::NAME],
        ..HybridLaptop::WORKLOAD
    };

    const MACHINE: Option<&'static str> = Some("docked-laptop");

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        let size = size(parameters.word("size"));
        let machine = PresentedMachine::of(callers.machine(), size, parameters.get("fps") * 1000);
        let (mut room, device) = in_phase(caller, (0, "setup"), |caller| {
            machine.describe_before_displays(caller)?;
            let create =
                d3d12::CreateDevice { minimum_feature_level: MINIMUM_FEATURE_LEVEL, adapter: machine.renders() };
            let device = required("CreateDevice", caller.call(create))?;
            if let Some(first) = machine.displays().first() {
                machine.connect(caller, first)?;
            }
            let queue = create_queue(caller, device)?;
            let game = Game::new(caller, queue, parameters, 0)?;
            Ok((Room { players: vec![Player::new(caller, game)?], now_ns: 0 }, device))
        })?;
        let parts = machine.displays().len().max(1) as u64;
        let frames = parameters.get("frames");
        in_phase(caller, (1, "play"), |caller| {
            for part in 0..parts {
                if let Some(display) = machine.displays().get(part as usize).filter(|_| part > 0) {
                    machine.connect(caller, display)?;
                    room.watch(caller, device, (part as u32, display), parameters)?;
                }
                room.play(caller, frames * (part + 1) / parts - frames * part / parts)?;
            }
            Ok(())
        })?;
        in_phase(caller, (2, "leave"), |caller| {
            for player in &mut room.players {
                player.game.now_ns = room.now_ns;
                player.game.show_the_rest(caller)?;
                room.now_ns = player.game.now_ns;
            }
            room.players.iter_mut().try_for_each(|player| player.game.release(caller))?;
            required("ReleaseDevice", caller.release_device(device))
        })
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("frames"))
    }
}

/// A program and where it is: at its next frame, or in Present1.
struct Player {
    game: Game,
    is_presenting: bool,
    next_at_ns: u64,
}

impl Player {
    fn new<K: Caller>(caller: &mut K, mut game: Game) -> Result<Player, WorkloadError> {
        let next_at_ns = game.work(caller)?;
        Ok(Player { game, is_presenting: false, next_at_ns })
    }

    /// Its turn has come; says whether a Present1 has come back.
    fn turn<K: Caller>(&mut self, caller: &mut K, now_ns: u64) -> Result<bool, WorkloadError> {
        self.game.now_ns = now_ns;
        if !self.is_presenting {
            required("Present1", self.game.present(caller))?;
            self.is_presenting = true;
        }
        if self.game.is_presented(caller)? {
            self.is_presenting = false;
            self.next_at_ns = self.game.work(caller)?;
            return Ok(true);
        }
        self.next_at_ns = self.game.advance(caller, now_ns)?;
        Ok(false)
    }
}

/// The programs, which take turns by simulated time. The first is the game.
struct Room {
    players: Vec<Player>,
    now_ns: u64,
}

impl Room {
    /// A video begins, as large as its display and as often as that is refreshed.
    fn watch<K: Caller>(
        &mut self,
        caller: &mut K,
        device: DeviceId,
        (number, display): (u32, &Display),
        parameters: &Parameters,
    ) -> Result<(), WorkloadError> {
        let command_queue = create_queue(caller, device)?;
        let desc = SwapChainDesc { width: display.width, height: display.height, ..chain_desc(parameters) };
        let create = dxgi::CreateSwapChainForHwnd { command_queue, desc, display: number, covers: true };
        let swap_chain = required("CreateSwapChainForHwnd", caller.call(create))?;
        let frame_ns = MILLIHERTZ_NS / display.refresh_millihertz.max(1);
        let game = Game::of_chain(command_queue, swap_chain, parameters, self.now_ns).at_pace(frame_ns, frame_ns / 16);
        self.players.push(Player::new(caller, game)?);
        Ok(())
    }

    /// Everybody goes on until the game has presented so many frames.
    fn play<K: Caller>(&mut self, caller: &mut K, frames: u64) -> Result<(), WorkloadError> {
        let mut left = frames;
        while left > 0 {
            go_on(caller)?;
            let next = self.players.iter().enumerate().min_by_key(|(place, player)| (player.next_at_ns, *place));
            let Some((place, at_ns)) = next.map(|(place, player)| (place, player.next_at_ns)) else { return Ok(()) };
            let player = &mut self.players[place];
            if at_ns > self.now_ns {
                player.game.advance(caller, at_ns)?;
                self.now_ns = at_ns;
            }
            if player.turn(caller, self.now_ns)? && place == 0 {
                left -= 1;
                caller.step_done();
            }
        }
        Ok(())
    }
}
