//! The situation text, both ways: the example of its description, the tasks in `cases`, random
//! tasks, and texts nobody meant to write.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that fails here says where"
)]

use proptest::prelude::*;
use quayside::berth::situation::{Situation, SituationError, carried, instructions, read, write};
use quayside::berth::{Block, BlockKind, Outage, Rules, Ship, Task, Window};

const EXAMPLE: &str = "\
# Stenhaven North Terminal, Port of Stenhaven - quay N1, week 9 of 2031
Hour 0 is Monday 24 February 2031 00:00 UTC. Times are whole hours from then.
The quay is sections 2-12 (about 40 m each). Ships lie side by side.

## Notices
- Pier works: sections 5-7 can not be used from hour 30 to hour 41.

## Already alongside at hour 0 (cannot move)
- TALE OF ROWAN: sections 9-12 until hour 6

## Closed sections
- sections 5-7, hours 30-41 (pier works)

## Quay cranes and movements
- The terminal has 5 quay cranes. From hour 20 to hour 26 only 3 are available.
- At most 2 ships may berth or leave in any one hour (pilots).
- A crane handles 28 container moves per hour: divide and round up.
- No berthing or leaving for ships of 300 m or more from hour 12 to hour 18 (wind above 25 kn).
- Each ship already alongside keeps 2 cranes until it leaves.

## Ships to berth

| id | ship | length m | sections | arrives (hour) | workload (moves) | cranes min-max | planned berth (hour @ section, cranes) | planned departure (hour) | notes |
|---|---|---|---|---|---|---|---|---|---|
| 1 | DOVANE ARC | 235 | 6 | 10 | 280 | 1-4 | 4 @ 2, 2 cranes | 9 | priority: lateness x3 |
| 0 | RUTHEN UMBER | 137 | 4 | 7 | 224 | 1-3 | 7 @ 8, 1 cranes | 15 | emergency: dock by hour 9 (+40 per hour later) |
| 2 | PALE FERRY | 121 | 3 | 15 | 56 | 1-2 | none (unscheduled) | 30 |  |
";

fn ship(id: usize, name: &str, length_m: f64, sections: i32, arrival: i32, due: i32) -> Ship {
    Ship {
        id,
        name: name.to_owned(),
        length_m,
        sections,
        arrival,
        due,
        weight: 1,
        ..Ship::default()
    }
}

fn cranes(ship: Ship, workload: i32, range: (i32, i32), standard: i32, stay: i32) -> Ship {
    Ship {
        workload: Some(workload),
        min_cranes: Some(range.0),
        max_cranes: Some(range.1),
        std_cranes: Some(standard),
        handling: stay,
        ..ship
    }
}

fn example_task() -> Task {
    let umber = cranes(ship(0, "RUTHEN UMBER", 137.0, 4, 7, 15), 8, (1, 3), 1, 8);
    let dovane = cranes(ship(1, "DOVANE ARC", 235.0, 6, 10, 9), 10, (1, 4), 2, 5);
    let ferry = cranes(ship(2, "PALE FERRY", 121.0, 3, 15, 30), 2, (1, 2), 1, 2);
    Task {
        terminal: "Stenhaven North Terminal".to_owned(),
        quay: "N1".to_owned(),
        first_section: 2,
        last_section: 12,
        section_m: 40.0,
        week: 9,
        week_start_utc: "2031-02-24T00:00:00Z".to_owned(),
        notices: vec![
            "Pier works: sections 5-7 can not be used from hour 30 to hour 41.".to_owned(),
        ],
        blocks: vec![
            Block {
                first: 9,
                last: 12,
                start: 0,
                end: 6,
                kind: BlockKind::Alongside,
                label: "TALE OF ROWAN".to_owned(),
                cranes: 2,
            },
            Block {
                first: 5,
                last: 7,
                start: 30,
                end: 41,
                kind: BlockKind::Closed,
                label: "pier works".to_owned(),
                cranes: 0,
            },
        ],
        rules: Rules {
            crane_pool: Some(5),
            crane_rate: Some(28),
            crane_outages: vec![Outage {
                start: 20,
                end: 26,
                cranes: 2,
            }],
            max_moves_per_hour: Some(2),
            no_moves: vec![Window {
                start: 12,
                end: 18,
                min_length: 300.0,
                reason: "wind above 25 kn".to_owned(),
            }],
            ..Rules::default()
        },
        ships: vec![
            Ship {
                planned_hour: Some(7),
                planned_section: Some(8),
                berth_deadline: Some(9),
                deadline_penalty: 40,
                ..umber
            },
            Ship {
                planned_hour: Some(4),
                planned_section: Some(2),
                weight: 3,
                ..dovane
            },
            ferry,
        ],
        ..Task::default()
    }
}

#[test]
fn the_example_is_read_fact_by_fact() {
    let situation = read(EXAMPLE).unwrap();
    assert_eq!(situation.task, example_task());
    assert_eq!(situation.unread, Vec::<String>::new());
    assert_eq!(
        situation.assumed,
        ["standard cranes of ship 2 (PALE FERRY): 1, by its length"]
    );
    assert_eq!(read(&write(&situation.task)).unwrap(), situation);
}

#[test]
fn without_crane_rules_ships_have_hours_alongside() {
    let text = "\
# Stenhaven North Terminal, Port of Stenhaven - quay N1, week 9 of 2031
Hour 0 is Monday 24 February 2031 00:00 UTC.
The quay is sections 2-12 (about 40 m each).

## Ships to berth

| id | ship | length m | sections | arrives (hour) | hours alongside | planned berth (hour @ section) | planned departure (hour) |
|---|---|---|---|---|---|---|---|
| 0 | DOVANE ARC | 235 | 6 | -3 | 12 | -4 @ 2 | 9 |
| 1 | PALE FERRY | 121 | 3 | 15 | 6 | none (unscheduled) | 30 |
";
    let situation = read(text).unwrap();
    let ships = &situation.task.ships;
    assert!(!situation.task.has_cranes());
    assert_eq!((ships[0].arrival, ships[0].handling), (-3, 12));
    assert_eq!(
        (ships[0].planned_hour, ships[0].planned_section),
        (Some(-4), Some(2))
    );
    assert_eq!((ships[1].planned_hour, ships[1].workload), (None, None));
    assert_eq!((situation.unread.len(), situation.assumed.len()), (0, 0));
    assert_eq!(read(&write(&situation.task)).unwrap(), situation);
}

#[test]
fn crlf_spaces_and_prose_do_not_matter() {
    let mut text = EXAMPLE.replace('\n', "\r\n").replace(" | ", "   |\t");
    text = text.replace("## Notices", "##   NOTICES of the week");
    text = text.replace(
        "sections 9-12 until hour 6",
        "sections  9 - 12 until hour 6.",
    );
    text.push_str("Make a new plan, please.\r\n");
    let situation = read(&text).unwrap();
    assert_eq!(situation.task, example_task());
    assert_eq!(situation.unread, ["Make a new plan, please."]);
}

#[test]
fn labels_may_look_like_the_text_around_them() {
    let mut task = example_task();
    task.blocks[0].label = "ROWAN: sections 1-2 until hour 3 - II".to_owned();
    task.blocks[1].label = "works (phase 2), hours 3-4".to_owned();
    task.ships[0].name = "A-B: none (unscheduled); 4 @ 2".to_owned();
    task.rules.no_moves[0].reason = "gale (force 9) from hour 1 to hour 2".to_owned();
    task.terminal = "North, West and East - all of it".to_owned();
    task.notices.push("## Ships to berth".to_owned());
    task.notices.push("- a list within".to_owned());
    assert_eq!(read(&write(&task)).unwrap().task, task);
}

#[test]
fn ships_alongside_may_hold_different_numbers_of_cranes() {
    let mut task = example_task();
    let twin = Block {
        first: 2,
        last: 3,
        start: 4,
        end: 9,
        cranes: 1,
        ..task.blocks[0].clone()
    };
    task.blocks.insert(1, twin);
    let text = write(&task);
    assert!(text.contains("- TALE OF ROWAN on sections 9-12 keeps 2 cranes until it leaves."));
    assert!(!text.contains("Each ship already alongside"));
    assert_eq!(read(&text).unwrap().task, task);
}

#[test]
fn outages_that_coincide_are_told_as_what_is_left() {
    let mut task = example_task();
    let outage = |start, end, cranes| Outage { start, end, cranes };
    task.rules.crane_outages = vec![outage(20, 30, 1), outage(25, 40, 2), outage(40, 41, 2)];
    let text = write(&task);
    assert!(text.contains("From hour 25 to hour 30 only 2 are available. From hour 30 to hour 41"));
    let read = read(&text).unwrap().task.rules.crane_outages;
    assert_eq!(
        read,
        [outage(20, 25, 1), outage(25, 30, 3), outage(30, 41, 2)]
    );
}

#[test]
fn a_length_is_rounded_only_where_no_window_can_tell() {
    let mut task = example_task();
    for (length, told) in [
        (234.6, 235.0),
        (299.6, 299.6),
        (299.96, 299.96),
        (300.4, 300.0),
    ] {
        task.ships[1].length_m = length;
        let read = read(&write(&task)).unwrap().task.ships[1].length_m;
        assert_eq!(read.to_bits(), f64::to_bits(told), "{length}");
    }
}

#[test]
fn what_is_missing_is_said() {
    let text = "\
The quay is sections 1-9
## Quay cranes and movements
- Cranes were painted last year.
## Ships to berth
| id | ship | length m | sections | arrives (hour) | workload (moves) | planned departure (hour) | notes |
| 0 | ARC | 235 | 6 | 10 | 70 | 20 | handle with care; priority: lateness x2 |
";
    let Situation {
        task,
        unread,
        assumed,
    } = read(text).unwrap();
    assert_eq!(task.ships[0].weight, 2);
    assert_eq!(task.ships[0].workload, Some(3));
    assert_eq!(
        unread,
        [
            "- Cranes were painted last year.",
            "note of ship 0 (ARC): handle with care",
            "(not in the text) terminal, quay and week",
            "(not in the text) the date of hour 0",
            "(not in the text) the length of a section"
        ]
    );
    assert_eq!(assumed.len(), 5, "{assumed:?}");
}

#[test]
fn a_text_without_its_quay_or_ships_gives_no_task() {
    assert_eq!(read(""), Err(SituationError::NoQuay));
    assert_eq!(
        read("The quay is sections 1-9"),
        Err(SituationError::NoShips)
    );
    let without = |row: &str, with: &str| read(&EXAMPLE.replace(row, with));
    assert_eq!(
        without("| 0 | RU", "| x | RU"),
        Err(SituationError::MissingShip { id: 0 })
    );
    assert_eq!(
        without("| 2 | PA", "| 1 | PA"),
        Err(SituationError::DuplicateShip { id: 1 })
    );
    let long = " ".repeat((1 << 20) + 1);
    assert_eq!(
        read(&long),
        Err(SituationError::TooLong { bytes: long.len() })
    );
}

#[test]
fn unread_lines_are_few_and_short() {
    let mut text = EXAMPLE.to_owned();
    for _ in 0..500 {
        text.push_str(&"wörd ".repeat(300));
        text.push('\n');
    }
    let unread = read(&text).unwrap().unread;
    assert_eq!(unread.len(), 41);
    assert_eq!(unread[40], "(460 more lines)");
    assert!(unread[0].chars().count() <= 201);
}

#[test]
fn instructions_name_rules_tools_and_budgets() {
    let with = instructions(&example_task(), 10, 24);
    for fact in [
        "check_plan",
        "submit_plan",
        "get_situation",
        "\"cranes\": 3",
        "costs 5",
        "You have 10 checks",
        "at most 24",
        "Only a submission scores",
    ] {
        assert!(with.contains(fact), "{fact}");
    }
    let without = instructions(&Task::default(), 10, 24);
    assert!(!without.contains("cranes of all working ships") && !without.contains("\"cranes\""));
}

// Random tasks ---------------------------------------------------------------------------------

fn words() -> impl Strategy<Value = String> {
    "[A-Za-zÄé0-9:;()@,.#/ \t|-]{0,24}"
}

fn any_ship() -> impl Strategy<Value = Ship> {
    let hours = (-500..2000_i32, 1..90_i32, -500..2000_i32);
    let crane = (0..400_i32, 1..4_i32, 0..6_i32, 0..9_i32);
    let published = proptest::option::of((-500..2000_i32, -20..60_i32));
    let deadline = proptest::option::of((-500..2000_i32, 0..100_i64));
    let shape = (words(), 0.0..420.0_f64, 1..20_i32, 1..5_i64);
    (shape, hours, crane, published, deadline).prop_map(
        |((name, length_m, sections, weight), hours, crane, published, deadline)| Ship {
            name,
            length_m,
            sections,
            arrival: hours.0,
            handling: hours.1,
            due: hours.2,
            workload: Some(crane.0),
            min_cranes: Some(crane.1),
            max_cranes: Some(crane.1 + crane.2),
            std_cranes: Some(crane.3),
            planned_hour: published.map(|p| p.0),
            planned_section: published.map(|p| p.1),
            berth_deadline: deadline.map(|d| d.0),
            deadline_penalty: deadline.map_or(0, |d| d.1),
            weight,
            ..Ship::default()
        },
    )
}

fn any_block() -> impl Strategy<Value = Block> {
    let place = (-9..60_i32, 0..9_i32, -50..400_i32, 1..90_i32);
    (place, any::<bool>(), words(), 0..4_i32).prop_map(|(place, alongside, label, cranes)| Block {
        first: place.0,
        last: place.0 + place.1,
        start: place.2,
        end: place.2 + place.3,
        kind: if alongside {
            BlockKind::Alongside
        } else {
            BlockKind::Closed
        },
        label,
        cranes,
    })
}

fn any_rules() -> impl Strategy<Value = Rules> {
    let outage = (-50..400_i32, 1..40_i32, 1..4_i32).prop_map(|(start, length, cranes)| Outage {
        start,
        end: start + length,
        cranes,
    });
    let threshold = prop_oneof![Just(0.0), (1..400_u32).prop_map(f64::from), 1.0..400.0_f64];
    let window = (-50..400_i32, 1..40_i32, threshold, words()).prop_map(
        |(start, length, min_length, reason)| Window {
            start,
            end: start + length,
            min_length,
            reason,
        },
    );
    (
        proptest::option::of(0..20_i32),
        proptest::option::of(0..40_i32),
        proptest::collection::vec(outage, 0..4),
        proptest::option::of(0..4_i32),
        proptest::collection::vec(window, 0..4),
    )
        .prop_map(
            |(crane_pool, crane_rate, crane_outages, max_moves_per_hour, no_moves)| Rules {
                crane_pool,
                crane_rate,
                crane_outages,
                max_moves_per_hour,
                no_moves,
                reward: Some(3),
                gap_k: None,
            },
        )
}

fn any_task() -> impl Strategy<Value = Task> {
    (
        (
            words(),
            words(),
            -9..20_i32,
            1..60_i32,
            20..60_u32,
            1..54_i32,
        ),
        proptest::collection::vec(any_ship(), 1..12),
        proptest::collection::vec(any_block(), 0..6),
        proptest::collection::vec(words(), 0..4),
        any_rules(),
    )
        .prop_map(|(head, ships, blocks, notices, rules)| Task {
            terminal: head.0,
            quay: head.1,
            first_section: head.2,
            last_section: head.2 + head.3,
            section_m: f64::from(head.4),
            week: head.5,
            week_start_utc: "2031-02-24T00:00:00Z".to_owned(),
            ships,
            blocks,
            notices,
            rules,
            ..Task::default()
        })
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn writing_and_reading_keeps_what_the_text_carries(task in any_task()) {
        let situation = read(&write(&task)).unwrap();
        prop_assert_eq!(&situation.task, &carried(&task));
        prop_assert_eq!(&situation.unread, &Vec::<String>::new());
        prop_assert_eq!(carried(&situation.task), situation.task);
    }

    #[test]
    fn no_text_makes_reading_panic(text in "\\PC{0,400}") {
        let _ = read(&text);
    }

    #[test]
    fn no_damage_makes_reading_panic(
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), 0..30_usize, "[-0-9|#@(), a\n]{0,6}"), 1..12)
    ) {
        let mut text: Vec<char> = EXAMPLE.chars().collect();
        for (place, length, with) in cuts {
            let at = place.index(text.len().max(1)).min(text.len());
            let end = (at + length).min(text.len());
            text.splice(at..end, with.chars());
        }
        let text: String = text.into_iter().collect();
        if let Ok(situation) = read(&text) {
            let _ = read(&write(&situation.task));
        }
    }
}

#[test]
fn the_tasks_of_the_cases_lose_nothing_that_decides_a_cost() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/berth");
    for file in std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
    {
        if file.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let case: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let task: Task = serde_json::from_value(case["task"].clone()).unwrap();
        let situation = read(&write(&task)).unwrap();
        assert_eq!(situation.task, carried(&task), "{}", file.display());
        assert_eq!(situation.unread, Vec::<String>::new(), "{}", file.display());
    }
}
