//! Programs that present, side by side.

use super::error::WorkloadError;
use super::go_on::go_on;
use super::presented_game::Game;
use super::refusal::required;
use crate::caller::Caller;

/// A program and where it is: at its next frame, or in Present1.
pub(super) struct Player {
    game: Game,
    is_presenting: bool,
    next_at_ns: u64,
}

impl Player {
    pub fn new<K: Caller>(caller: &mut K, mut game: Game) -> Result<Player, WorkloadError> {
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
pub(super) struct Room {
    pub players: Vec<Player>,
    pub now_ns: u64,
}

impl Room {
    /// The game alone, at the beginning.
    pub fn of<K: Caller>(caller: &mut K, game: Game) -> Result<Room, WorkloadError> {
        Ok(Room { players: vec![Player::new(caller, game)?], now_ns: 0 })
    }

    /// Everybody goes on until the game has presented so many frames.
    pub fn play<K: Caller>(&mut self, caller: &mut K, frames: u64) -> Result<(), WorkloadError> {
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

    /// The last frames of all are shown, and everybody ends.
    pub fn leave<K: Caller>(&mut self, caller: &mut K) -> Result<(), WorkloadError> {
        for player in &mut self.players {
            player.game.now_ns = self.now_ns;
            player.game.show_the_rest(caller)?;
            self.now_ns = player.game.now_ns;
        }
        self.players.iter_mut().try_for_each(|player| player.game.release(caller))
    }
}
