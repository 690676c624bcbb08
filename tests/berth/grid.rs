//! The rules once more, told hour by hour and section by section, and compared on random tasks.
//!
//! Nothing here is clever: what a ship takes is a set of cells, what it works is a set of hours,
//! wind is a set of hours. It shares no code with `berth::rules`.

use proptest::collection::vec;
use proptest::prelude::*;
use quayside::berth::{
    Block, BlockKind, Check, Checker, Outage, Plan, Rule, Rules, Scratch, Ship, ShipResult, Slot,
    Task, Violation, Window, baseline,
};
use std::collections::{BTreeMap, BTreeSet};

/// No generated hour comes near.
const FAR: i32 = 10_000;

/// Ships, cells and hours of one plan.
struct Grid<'a> {
    task: &'a Task,
    plan: &'a Plan,
    results: Vec<ShipResult>,
    cranes: BTreeMap<i32, i32>,
    moves: BTreeMap<i32, i32>,
}

fn windy(task: &Task, ship: &Ship, hour: i32) -> bool {
    let windows = task.rules.no_moves.iter();
    let mut windows = windows.filter(|window| ship.length_m >= window.min_length);
    task.has_cranes() && windows.any(|window| (window.start..window.end).contains(&hour))
}

fn work(task: &Task, ship: &Ship, cranes: i32) -> i32 {
    if !task.has_cranes() {
        return ship.handling;
    }
    let range = ship.min_cranes.unwrap()..=ship.max_cranes.unwrap();
    let cranes = if range.contains(&cranes) {
        cranes
    } else {
        ship.std_cranes.unwrap()
    };
    (1..FAR)
        .find(|hours| hours * cranes >= ship.workload.unwrap())
        .unwrap()
}

fn result(task: &Task, ship: &Ship, slot: Slot) -> ShipResult {
    let finish = slot.hour + work(task, ship, slot.cranes);
    let departure = (finish..FAR)
        .find(|hour| !windy(task, ship, *hour))
        .unwrap();
    let delay = (departure - ship.due).max(0);
    let moved = ship
        .planned_section
        .is_some_and(|section| section != slot.section);
    let late = i64::from(ship.sections) * i64::from(delay) * ship.weight;
    let over = ship
        .berth_deadline
        .map_or(0, |deadline| (slot.hour - deadline).max(0));
    let cost = late + i64::from(over) * ship.deadline_penalty + if moved { 5 } else { 0 };
    ShipResult {
        placed: true,
        finish,
        departure,
        delay,
        moved,
        cost,
    }
}

impl<'a> Grid<'a> {
    fn new(task: &'a Task, plan: &'a Plan) -> Self {
        let mut grid = Self {
            task,
            plan,
            results: vec![ShipResult::default(); task.ships.len()],
            cranes: BTreeMap::new(),
            moves: BTreeMap::new(),
        };
        for block in task
            .blocks
            .iter()
            .filter(|b| b.kind == BlockKind::Alongside)
        {
            *grid.moves.entry(block.end).or_default() += 1;
            for hour in block.start..block.end {
                *grid.cranes.entry(hour).or_default() += block.cranes;
            }
        }
        for (id, slot) in plan.placed() {
            let result = result(task, &task.ships[id], slot);
            for hour in slot.hour..result.finish {
                *grid.cranes.entry(hour).or_default() += slot.cranes;
            }
            *grid.moves.entry(slot.hour).or_default() += 1;
            *grid.moves.entry(result.departure).or_default() += 1;
            grid.results[id] = result;
        }
        grid
    }

    fn available(&self, hour: i32) -> i32 {
        let outages = self.task.rules.crane_outages.iter();
        let out = outages.filter(|outage| (outage.start..outage.end).contains(&hour));
        self.task.rules.crane_pool.unwrap_or(0) - out.map(|outage| outage.cranes).sum::<i32>()
    }

    fn used(&self, hour: i32) -> i32 {
        self.cranes.get(&hour).copied().unwrap_or(0)
    }

    fn cells(&self, id: usize, slot: Slot) -> BTreeSet<(i32, i32)> {
        let sections = slot.section..slot.section + self.task.ships[id].sections;
        let hours = slot.hour..self.results[id].departure;
        let cells = hours.flat_map(|hour| sections.clone().map(move |section| (hour, section)));
        cells.collect()
    }

    fn violations(&self) -> Vec<Violation> {
        let mut all = Vec::new();
        for ship in 0..self.task.ships.len() {
            let rules = match self.plan.slot(ship) {
                Some(slot) => self.broken(ship, slot),
                None => vec![Rule::Missing],
            };
            all.extend(rules.into_iter().map(|rule| Violation { ship, rule }));
        }
        all
    }

    fn broken(&self, id: usize, slot: Slot) -> Vec<Rule> {
        let (task, ship, result) = (self.task, &self.task.ships[id], self.results[id]);
        let mut broken = Vec::new();
        let wind = |hour: i32| windy(task, ship, hour);
        if wind(slot.hour) {
            broken.push(Rule::NoMoveWindow {
                start: (-FAR..=slot.hour).rev().find(|h| !wind(h - 1)).unwrap(),
                end: (slot.hour..FAR).find(|hour| !wind(*hour)).unwrap(),
            });
        }
        let cranes = ship.min_cranes.unwrap()..=ship.max_cranes.unwrap();
        if task.has_cranes() && !cranes.contains(&slot.cranes) {
            let (given, min, max) = (slot.cranes, *cranes.start(), *cranes.end());
            broken.push(Rule::CraneCount { given, min, max });
        }
        if slot.hour < ship.arrival {
            let (hour, arrival) = (slot.hour, ship.arrival);
            broken.push(Rule::BeforeArrival { hour, arrival });
        }
        let sections: Vec<i32> = (slot.section..slot.section + ship.sections).collect();
        let quay = task.first_section..=task.last_section;
        if sections.iter().any(|section| !quay.contains(section)) {
            let (first, last) = (sections[0], sections[sections.len() - 1]);
            broken.push(Rule::OutsideQuay { first, last });
        }
        let cells = self.cells(id, slot);
        for (block, taken) in task.blocks.iter().enumerate() {
            let taken_cell = |(hour, section): &(i32, i32)| {
                (taken.start..taken.end).contains(hour)
                    && (taken.first..=taken.last).contains(section)
            };
            if cells.iter().any(taken_cell) {
                broken.push(match taken.kind {
                    BlockKind::Alongside => Rule::OverlapAlongside { block },
                    BlockKind::Closed => Rule::OverlapClosed { block },
                });
            }
        }
        for (other, theirs) in self.plan.placed().filter(|placed| placed.0 != id) {
            if !cells.is_disjoint(&self.cells(other, theirs)) {
                broken.push(Rule::OverlapShip { other });
            }
        }
        if task.has_cranes() {
            let over = |hour: &i32| self.used(*hour) > self.available(*hour);
            if let Some(hour) = (slot.hour..result.finish).find(over) {
                let (used, available) = (self.used(hour), self.available(hour));
                broken.push(Rule::CranePool {
                    hour,
                    used,
                    available,
                });
            }
            let limit = task.rules.max_moves_per_hour.unwrap_or(0);
            for hour in [slot.hour, result.departure] {
                let moves = self.moves[&hour];
                if limit != 0 && moves > limit {
                    broken.push(Rule::MovementLimit { hour, moves, limit });
                }
            }
        }
        broken
    }
}

fn span() -> impl Strategy<Value = (i32, i32)> {
    (-6..24, 1..9).prop_map(|(start, hours)| (start, start + hours))
}

fn ships() -> impl Strategy<Value = Vec<Ship>> {
    let times = (-4..16, 1..8, -4..24, prop::option::of(-2..12));
    let cranes = (0..14, 1..3, 0..3, 0..3);
    let money = (prop::option::of(0..8), 0_i64..4, 0_i64..50);
    let ship = (1..5, 0..3, times, cranes, money).prop_map(
        |(sections, length, times, (work, min, more, most), (section, weight, penalty))| Ship {
            sections,
            length_m: f64::from(length) * 100.0,
            arrival: times.0,
            handling: times.1,
            due: times.2,
            berth_deadline: times.3,
            workload: Some(work),
            min_cranes: Some(min),
            std_cranes: Some(min + more),
            max_cranes: Some(min + more + most),
            planned_section: section,
            weight,
            deadline_penalty: penalty,
            ..Ship::default()
        },
    );
    vec(ship, 1..7).prop_map(|mut ships| {
        for (id, ship) in ships.iter_mut().enumerate() {
            (ship.id, ship.name) = (id, format!("S{id}"));
        }
        ships
    })
}

fn rules() -> impl Strategy<Value = Rules> {
    let outage = (span(), 1..4).prop_map(|((start, end), cranes)| Outage { start, end, cranes });
    let window = (span(), 0..4).prop_map(|((start, end), length)| Window {
        start,
        end,
        min_length: f64::from(length) * 100.0,
        reason: String::new(),
    });
    (
        prop::option::weighted(0.8, 0..8),
        vec(outage, 0..3),
        prop::option::of(0..4),
        vec(window, 0..4),
    )
        .prop_map(
            |(crane_pool, crane_outages, max_moves_per_hour, no_moves)| Rules {
                crane_pool,
                crane_outages,
                max_moves_per_hour,
                no_moves,
                ..Rules::default()
            },
        )
}

fn tasks() -> impl Strategy<Value = Task> {
    let block = (-1..9, 0..4, span(), any::<bool>(), 0..4).prop_map(
        |(first, more, (start, end), alongside, cranes)| Block {
            first,
            last: first + more,
            start,
            end,
            kind: if alongside {
                BlockKind::Alongside
            } else {
                BlockKind::Closed
            },
            cranes,
            ..Block::default()
        },
    );
    (-1..3, 5..9, ships(), vec(block, 0..4), rules()).prop_map(
        |(first_section, last_section, ships, blocks, rules)| Task {
            first_section,
            last_section,
            ships,
            blocks,
            rules,
            ..Task::default()
        },
    )
}

fn plans() -> impl Strategy<Value = Plan> {
    let slot = (-6..24, -2..10, prop_oneof![8 => 0..6, 1 => -3..1_000]).prop_map(
        |(hour, section, cranes)| Slot {
            hour,
            section,
            cranes,
        },
    );
    vec(prop::option::weighted(0.9, slot), 7).prop_map(|slots| Plan { slots })
}

fn fitted(plan: &Plan, task: &Task) -> Plan {
    let slots = plan.slots.iter().copied().take(task.ships.len());
    Plan {
        slots: slots.collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn a_check_finds_what_the_grid_finds(task in tasks(), one in plans(), two in plans()) {
        let checker = Checker::new(&task);
        let (mut scratch, mut check) = (Scratch::default(), Check::default());
        // The second plan meets whatever the first one left in the scratch.
        for plan in [fitted(&one, &task), fitted(&two, &task)] {
            checker.check_into(&plan, &mut scratch, &mut check);
            let grid = Grid::new(&task, &plan);
            prop_assert_eq!(&check.violations, &grid.violations());
            prop_assert_eq!(&check.ships, &grid.results);
            let cost = grid.results.iter().map(|result| result.cost).sum();
            prop_assert_eq!(check.cost, check.violations.is_empty().then_some(cost));
            let unclean: BTreeSet<_> = check.violations.iter().map(|v| v.ship).collect();
            prop_assert_eq!(check.clean_ships(), task.ships.len() - unclean.len());
        }
    }

    #[test]
    fn strips_show_what_the_grid_counts(task in tasks(), plan in plans()) {
        let plan = fitted(&plan, &task);
        let strips = Checker::new(&task).strips(&plan, -9..60);
        if task.has_cranes() {
            let grid = Grid::new(&task, &plan);
            let hours = -9..60;
            let used: Vec<i32> = hours.clone().map(|hour| grid.used(hour)).collect();
            let there: Vec<i32> = hours.clone().map(|hour| grid.available(hour)).collect();
            let moves = |hour| grid.moves.get(&hour).copied().unwrap_or(0);
            prop_assert_eq!(strips.cranes, used);
            prop_assert_eq!(strips.available, there);
            prop_assert_eq!(strips.moves, hours.map(moves).collect::<Vec<_>>());
        } else {
            prop_assert!(strips.cranes.is_empty() && strips.moves.is_empty());
        }
    }

    #[test]
    fn simple_plans_break_no_rule_and_cost_no_less_than_the_floor(task in tasks()) {
        let checker = Checker::new(&task);
        let naive = baseline::naive(&task, &checker);
        let greedy = baseline::greedy(&task, &checker);
        let single = baseline::one_after_another(&task, &checker);
        for plan in [naive, greedy, single].into_iter().flatten() {
            let check = checker.check(&plan);
            prop_assert_eq!(check.violations, []);
            prop_assert!(check.cost.unwrap() >= checker.floor());
        }
    }

    #[test]
    fn hostile_numbers_stop_nothing(
        numbers in vec(any::<i32>(), 60),
        crane_pool in any::<bool>(),
    ) {
        let ends = [i32::MIN, i32::MAX, -1, 0, 1];
        let end = |number: i32| ends.get((number & 7) as usize).copied().unwrap_or(number);
        let mut numbers = numbers.into_iter().map(end).cycle();
        let mut next = || numbers.next().unwrap();
        let mut task = Task { first_section: next(), last_section: next(), ..Task::default() };
        task.rules.crane_pool = crane_pool.then(&mut next);
        task.rules.max_moves_per_hour = Some(next());
        let mut plan = Plan::default();
        for _ in 0..3 {
            let (start, end, cranes) = (next(), next(), next());
            task.rules.crane_outages.push(Outage { start, end, cranes });
            let min_length = f64::from(next());
            let reason = String::new();
            task.rules.no_moves.push(Window { start, end: next(), min_length, reason });
            let kind = BlockKind::Alongside;
            let (first, last, label) = (next(), next(), String::new());
            task.blocks.push(Block { first, last, start, end, kind, label, cranes });
            task.ships.push(Ship {
                sections: next(),
                arrival: next(),
                handling: next(),
                due: next(),
                workload: Some(next()),
                min_cranes: Some(next()),
                max_cranes: Some(next()),
                std_cranes: Some(next()),
                weight: i64::from(next()) << 32,
                berth_deadline: Some(next()),
                deadline_penalty: i64::from(next()) << 32,
                ..Ship::default()
            });
            let (hour, section, cranes) = (next(), next(), next());
            plan.slots.push(Some(Slot { hour, section, cranes }));
        }
        let checker = Checker::new(&task);
        let check = checker.check(&plan);
        for violation in &check.violations {
            prop_assert!(!violation.text(&task).is_empty());
        }
        let from = next();
        checker.strips(&plan, from..from.saturating_add(50));
        checker.floor();
        checker.check(&baseline::published(&task));
        task.problems();
    }
}
