//! Property test: random operations of several submitters and workers, compared with the model.

use super::model::World;
use super::*;
use proptest::prelude::*;
use proptest::sample::Index;

#[derive(Debug, Clone)]
enum RandomOperation {
    Queue { submitter: u64, inside: Option<Index>, has_cancel: bool },
    ChangeMode { mode: u32, action: u32, queued_meanwhile: u64 },
    Start { worker: u32 },
    Finish(Index),
    Destroy,
}

fn operation() -> impl Strategy<Value = RandomOperation> {
    let inside = proptest::option::of(any::<Index>());
    prop_oneof![
        12 => (0_u64..4, inside, any::<bool>())
            .prop_map(|(submitter, inside, has_cancel)| RandomOperation::Queue { submitter, inside, has_cancel }),
        4 => (0_u32..4, 0_u32..4, 0_u64..3)
            .prop_map(|(mode, action, queued_meanwhile)| RandomOperation::ChangeMode { mode, action, queued_meanwhile }),
        10 => (0_u32..8).prop_map(|worker| RandomOperation::Start { worker }),
        8 => any::<Index>().prop_map(RandomOperation::Finish),
        1 => Just(RandomOperation::Destroy),
    ]
}

fn policy() -> impl Strategy<Value = TaskPolicy> {
    let ends = [AtDestruction::RunAll, AtDestruction::CancelAll, AtDestruction::Mixed];
    let at_destruction = proptest::sample::select(ends.to_vec());
    (0_u32..4, 0_u32..7, any::<[bool; 3]>(), at_destruction).prop_map(|(max_tasks, max_boosted_tasks, knobs, end)| {
        let [disable_cancels_queued, commit_covers_followups, boost_covers_later_tasks] = knobs;
        TaskPolicy {
            max_tasks,
            max_boosted_tasks,
            disable_cancels_queued,
            commit_covers_followups,
            boost_covers_later_tasks,
            at_destruction: end,
        }
    })
}

impl World {
    fn running_task(&self, index: &Index) -> Option<TaskId> {
        let running: Vec<_> = self.running.keys().copied().collect();
        (!running.is_empty()).then(|| running[index.index(running.len())])
    }

    fn make(&mut self, operation: RandomOperation) {
        match operation {
            RandomOperation::Queue { submitter, inside, has_cancel } => {
                let inside = inside.and_then(|index| self.running_task(&index));
                self.queue(submitter, inside, has_cancel, !self.mode.disables_work());
            }
            RandomOperation::ChangeMode { mode, action, queued_meanwhile } => {
                self.change_mode(Mode(mode), Action(action), queued_meanwhile);
            }
            RandomOperation::Start { worker } => self.start(worker),
            RandomOperation::Finish(index) => {
                if let Some(task) = self.running_task(&index) {
                    self.finish(task);
                }
            }
            RandomOperation::Destroy => self.destroy(),
        }
        self.check();
    }
}

proptest! {
    #[test]
    fn every_rule_holds_whatever_happens(
        policy in policy(),
        operations in proptest::collection::vec(operation(), 0..150),
    ) {
        let mut world = World::new(policy);
        operations.into_iter().for_each(|operation| world.make(operation));
        world.destroy();
    }
}
