//! The built-in tasks hold what they promise.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that fails here says where"
)]

use quayside::berth::situation::{carried, read, write};
use quayside::berth::{Checker, Plan, Slot, Task, baseline, grade, pack};

fn tasks() -> Vec<Task> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/tasks/pack.json");
    pack::read(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn whole(plan: &[Slot]) -> Plan {
    Plan {
        slots: plan.iter().copied().map(Some).collect(),
    }
}

#[test]
fn reference_plans_have_the_costs_they_are_said_to_have() {
    for task in tasks() {
        let (id, checker) = (&task.task_id, Checker::new(&task));
        let reference = task.reference.as_ref().unwrap();
        let optimal = checker.check(&whole(&reference.optimal_plan));
        assert_eq!(optimal.violations, [], "{id}");
        assert_eq!(optimal.cost, Some(reference.optimal_cost), "{id}");
        assert!(checker.floor() <= reference.optimal_cost, "{id}");
        assert!(reference.proven_optimal, "{id}");
        let naive = baseline::naive(&task, &checker).unwrap();
        assert_eq!(naive, whole(&reference.naive_plan), "{id}");
        assert_eq!(
            checker.check(&naive).cost,
            Some(reference.naive_cost),
            "{id}"
        );
    }
}

#[test]
fn there_is_something_to_gain() {
    for task in tasks() {
        let (id, checker) = (&task.task_id, Checker::new(&task));
        let reward = |plan: &Plan| grade(&task, &checker.check(plan), 0).reward;
        assert!(!checker.check(&baseline::published(&task)).feasible, "{id}");
        assert!(
            reward(&baseline::naive(&task, &checker).unwrap()) <= 0.6,
            "{id}"
        );
        assert!(
            reward(&baseline::greedy(&task, &checker).unwrap()) <= 0.85,
            "{id}"
        );
    }
}

#[test]
fn every_task_survives_its_situation_text() {
    for task in tasks() {
        let situation = read(&write(&task)).unwrap();
        assert_eq!(situation.unread, Vec::<String>::new(), "{}", task.task_id);
        assert_eq!(situation.task, carried(&task), "{}", task.task_id);
        let plan = whole(&task.reference.as_ref().unwrap().optimal_plan);
        let (here, there) = (Checker::new(&task), Checker::new(&situation.task));
        assert_eq!(here.check(&plan), there.check(&plan), "{}", task.task_id);
    }
}

#[test]
fn the_pack_has_tiers_and_sizes_for_every_taste() {
    let tasks = tasks();
    assert!(tasks.len() >= 24);
    assert_eq!(tasks[0], pack::first());
    for tier in ["standard", "busy", "storm", "extreme"] {
        let of_tier = tasks.iter().filter(|task| task.difficulty == tier);
        assert!(of_tier.count() >= 5, "{tier}");
    }
    let mut ids: Vec<&str> = tasks.iter().map(|task| task.task_id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), tasks.len());
    let ships = || tasks.iter().map(|task| task.ships.len());
    assert!(ships().min() >= Some(10) && ships().max() <= Some(60));
    let without_cranes = tasks.iter().filter(|task| !task.has_cranes());
    assert!(without_cranes.count() >= 1);
}
