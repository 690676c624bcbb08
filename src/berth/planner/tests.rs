use super::*;
use crate::berth::{Block, BlockKind, Checker, Outage, Rules, Ship, Window};

fn busy() -> Task {
    let ships = (0..14).map(|id| Ship {
        id,
        name: format!("SHIP {id}"),
        length_m: 150.0 + 15.0 * id as f64,
        sections: 3 + id as i32 % 4,
        arrival: id as i32 * 3 - 4,
        planned_hour: (id != 3).then_some(id as i32 * 3 - 6),
        planned_section: (id != 3).then_some(2 + id as i32 % 5),
        due: id as i32 * 3 + 9,
        workload: Some(10 + id as i32 * 3),
        min_cranes: Some(1),
        max_cranes: Some(2 + id as i32 % 3),
        std_cranes: Some(1 + id as i32 % 2),
        weight: 1 + i64::from(id == 5),
        berth_deadline: (id == 7).then_some(18),
        deadline_penalty: 30,
        ..Ship::default()
    });
    Task {
        first_section: 2,
        last_section: 14,
        ships: ships.collect(),
        blocks: vec![
            Block {
                first: 9,
                last: 12,
                start: 0,
                end: 6,
                kind: BlockKind::Alongside,
                cranes: 2,
                ..Block::default()
            },
            Block {
                first: 5,
                last: 7,
                start: 30,
                end: 41,
                ..Block::default()
            },
        ],
        rules: Rules {
            crane_pool: Some(6),
            max_moves_per_hour: Some(2),
            crane_outages: vec![Outage {
                start: 20,
                end: 30,
                cranes: 2,
            }],
            no_moves: vec![Window {
                start: 25,
                end: 32,
                min_length: 250.0,
                ..Window::default()
            }],
            ..Rules::default()
        },
        ..Task::default()
    }
}

fn planned(task: &Task, bans: &[Ban], seed: u64, units: u64) -> Planner {
    let mut planner = Planner::with(task, bans, seed);
    planner.set_budget(100_000);
    while !planner.step(units).done {}
    planner
}

#[test]
fn what_it_believes_is_what_the_check_finds() {
    let task = busy();
    let planner = planned(&task, &[], 1, 5_000);
    let check = Checker::new(&task).check(&planner.best());
    assert_eq!(check.violations, []);
    assert_eq!(check.cost, planner.cost());
    assert!(planner.bound() <= check.cost.unwrap());
    assert!(Checker::new(&task).floor() <= planner.bound());
}

#[test]
fn the_repaired_plan_is_feasible_and_dearer() {
    let task = busy();
    let check = Checker::new(&task).check(&repaired(&task, &[]));
    assert_eq!(check.violations, []);
    assert!(check.cost > planned(&task, &[], 1, 5_000).cost());
}

#[test]
fn the_size_of_slices_changes_nothing() {
    let task = busy();
    let plan = planned(&task, &[], 4, 100_000).best();
    assert_eq!(plan, planned(&task, &[], 4, 1).best());
    assert_eq!(plan, planned(&task, &[], 4, 777).best());
}

#[test]
fn banned_slots_are_not_used() {
    let task = busy();
    let slot = planned(&task, &[], 1, 5_000).best().slot(6).unwrap();
    let ban = Ban {
        ship: 6,
        from: slot.hour - 3,
        until: slot.hour + 4,
        first: 2,
        last: 14,
        cranes: None,
    };
    let planner = planned(&task, &[ban], 1, 5_000);
    let other = planner.best().slot(6).unwrap();
    assert!(!(slot.hour - 3..slot.hour + 4).contains(&other.hour));
    assert!(Checker::new(&task).check(&planner.best()).feasible);
}

#[test]
fn a_ship_that_fits_nowhere_has_no_slot() {
    let mut task = busy();
    task.ships[2].sections = 40;
    task.ships[4].min_cranes = Some(7);
    let planner = planned(&task, &[], 1, 5_000);
    assert_eq!(planner.cost(), None);
    let plan = planner.best();
    assert_eq!((plan.slot(2), plan.slot(4)), (None, None));
    assert_eq!(plan.placed().count(), 12);
}

#[test]
fn an_empty_task_is_done_at_once() {
    let mut planner = Planner::new(&Task::default());
    assert!(planner.step(10).done);
    assert_eq!((planner.cost(), planner.best().slots.len()), (Some(0), 0));
}
