//! An episode inside the page: built-in environment, written-down model.

use super::*;
use crate::berth::{Ship, Task};
use crate::env::builtin::BuiltinSession;
use crate::provider::scripted::{Scripted, streamed};
use crate::wire::{Effect, Millis};
use std::collections::VecDeque;

#[test]
fn an_episode_inside_the_page_needs_nothing_but_waits() {
    let task = Task {
        task_id: "one-ship".into(),
        first_section: 1,
        last_section: 4,
        week_start_utc: "2031-02-24T00:00:00Z".into(),
        ships: vec![Ship {
            sections: 2,
            handling: 4,
            due: 4,
            planned_hour: Some(0),
            planned_section: Some(1),
            ..Ship::default()
        }],
        ..Task::default()
    };
    let plan = "{\"plan\": [{\"ship\": 0, \"berth_hour\": 0, \"section\": 1}]}";
    let script = [check(), calls(vec![call("s", "submit_plan", plan)])];
    let model = Scripted::new(script.map(streamed));
    let mut episode = Episode::new(
        Cast::default().setup,
        Box::new(BuiltinSession::new(Some(task), "one-ship")),
        Box::new(|_, _| Box::new(model)),
    );
    let (mut io, mut events) = (Io::new(Millis(0)), Vec::new());
    let mut due = VecDeque::new();
    episode.start(&mut io, &mut events);
    while !episode.is_over() {
        for effect in io.take() {
            match effect {
                Effect::Wait(timer, Millis(0)) => due.push_back(timer),
                Effect::Wait(..) | Effect::CancelWait(_) => {}
                other => panic!("it left the page: {other:?}"),
            }
        }
        let timer = due.pop_front().expect("it waits for nothing");
        episode.handle(&mut io, &Input::Timer(timer), &mut events);
    }
    let rollout = Rollout::fold(&events);
    assert_eq!(rollout.ended, Some(EndReason::Submitted));
    assert_eq!(rollout.record.steps.len(), 2);
    assert!(rollout.record.last.submitted && rollout.record.last.grade.is_object());
}
