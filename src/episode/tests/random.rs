//! Any facts and commands in any order: one ending, nothing after it, nothing left open.

use super::bench::facts;
use super::*;
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Move {
    /// Something that is open says what it would say next.
    Open,
    /// The next wait is over.
    Ring,
    /// Any fact under any id, usually a late one.
    Any(u32, usize),
    /// Time passes.
    Pass(u64),
    Command(Command),
}

fn any_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        12 => Just(Move::Open),
        1 => Just(Move::Ring),
        6 => (1..30_u32, 0..10_usize).prop_map(|(id, kind)| Move::Any(id, kind)),
        2 => (0..200_000_u64).prop_map(Move::Pass),
        1 => Just(Move::Command(Command::Pause)),
        2 => Just(Move::Command(Command::Resume)),
    ]
}

fn any_turn() -> impl Strategy<Value = Turn> {
    let sent = prop::sample::select(vec![
        call("a", "check_plan", "{\"plan\": []}"),
        call("b", "submit_plan", "{\"plan\": \"[]\"}"),
        call("c", "look", ""),
        call("d", "check_plan", "{"),
        call("", "check_plan", "[]"),
    ]);
    let stop = prop::sample::select(vec!["stop", "length", ""]);
    (prop::collection::vec(sent, 0..3), stop, "[a-z]{0,3}").prop_map(|(calls, stop, thought)| {
        Turn {
            calls,
            stop: stop.into(),
            reasoning: thought,
            ..Turn::default()
        }
    })
}

fn any_answer() -> impl Strategy<Value = ToolAnswer> {
    (prop::bool::weighted(0.1), any::<Option<f64>>()).prop_map(|(done, reward)| ToolAnswer {
        done,
        reward,
        ..answer("{}")
    })
}

fn make(bench: &mut Bench, step: &Move) {
    match step {
        Move::Open if !bench.fetches.is_empty() => bench.turn(),
        Move::Open if !bench.sockets.is_empty() => bench.answer(),
        Move::Ring if !bench.timers.is_empty() => bench.ring(),
        Move::Open | Move::Ring => {}
        Move::Any(id, kind) => {
            let input = facts(*id).swap_remove(*kind);
            bench.report(&input);
        }
        Move::Pass(length) => bench.pass(*length),
        Move::Command(command) => bench.command(*command),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_there_is_one_ending_and_nothing_after_it(
        turns in prop::collection::vec(any_turn(), 0..8),
        answers in prop::collection::vec(any_answer(), 0..8),
        most in 0..6_u32,
        moves in prop::collection::vec(any_move(), 0..60),
    ) {
        let mut setup = Cast::default().setup;
        setup.limits.turns = most;
        let mut bench = Bench::new(Cast { setup, answers, turns, ..Cast::default() });
        bench.start();
        let mut end = None;
        for step in &moves {
            make(&mut bench, step);
            if bench.episode.is_over() && end.is_none() {
                end = Some((bench.events.len(), bench.orders));
            }
        }
        if let Some(end) = end {
            prop_assert_eq!((bench.events.len(), bench.orders), end);
        }
        bench.command(Command::Stop);
        let reason = bench.rollout().ended.unwrap();
        bench.assert_over(&reason);
        bench.assert_deaf();
        let record = bench.rollout().record;
        prop_assert_eq!(Record::from_text(&record.to_json_string()), Ok(record));
    }
}
