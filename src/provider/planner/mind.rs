//! What the planner knows of its task: the situation as read, the drafts so far and what the
//! server thought of them.

use super::verdict::{Named, Verdict};
use super::words;
use crate::berth::planner::{Ban, Planner, repaired};
use crate::berth::situation::Situation;
use crate::berth::{Check, Checker, Outage, Plan, ShipId, Slot, Task};

/// Longer than every ship and every wind threshold, metres.
const BOUND_BY_ALL: f64 = 1.0e6;

/// Knowledge of one task.
#[derive(Clone, Debug)]
pub(super) struct Mind {
    /// As read, then narrowed by what the server objected to.
    task: Task,
    checker: Checker,
    bans: Vec<Ban>,
    seed: u64,
    /// What was not understood or had to be filled in, once, for the reasoning.
    pub(super) doubts: Vec<String>,
    /// Drafts sent.
    pub(super) drafts: u32,
    /// The draft before the one being made.
    previous: Option<Plan>,
    /// The cheapest plan the server has called feasible, with the server's cost.
    confirmed: Option<(Plan, Option<i64>)>,
    /// The server has objected to something the local rules allow.
    surprised: bool,
    /// Ships of the latest objection.
    objected: Vec<ShipId>,
    /// How often the server has objected to each ship.
    objections: Vec<u32>,
    /// Searches since the last objection.
    searches: u64,
    /// Nothing better is to be expected.
    settled: bool,
    /// The best plan found costs as little as any can.
    proven: bool,
}

impl Mind {
    pub(super) fn new(situation: Situation, seed: u64) -> Self {
        let Situation {
            task,
            unread,
            assumed,
        } = situation;
        let unread = unread
            .into_iter()
            .map(|line| format!("Not understood: {line}"));
        let assumed = assumed.into_iter().map(|fact| format!("Assumed: {fact}"));
        Self {
            checker: Checker::new(&task),
            objections: vec![0; task.ships.len()],
            doubts: assumed.chain(unread).collect(),
            task,
            bans: Vec::new(),
            seed,
            drafts: 0,
            previous: None,
            confirmed: None,
            surprised: false,
            objected: Vec::new(),
            searches: 0,
            settled: false,
            proven: false,
        }
    }

    pub(super) fn task(&self) -> &Task {
        &self.task
    }

    /// The published plan, repaired in haste.
    pub(super) fn first_draft(&self) -> Plan {
        repaired(&self.task, &self.bans)
    }

    /// A search from scratch; a second one on the same knowledge is shorter and looks elsewhere.
    pub(super) fn search(&self) -> Planner {
        let seed = self.seed.wrapping_add(self.searches);
        let mut planner = Planner::with(&self.task, &self.bans, seed);
        if self.searches > 0 {
            planner.set_budget(planner.progress().budget / 2);
        }
        planner
    }

    /// Takes the outcome of a search in.
    pub(super) fn found(&mut self, planner: &Planner) -> Plan {
        self.searches += 1;
        self.proven = planner.cost().is_some_and(|cost| cost <= planner.bound());
        self.settled = self.proven || self.searches >= 2;
        planner.best()
    }

    /// Whether there is a confirmed plan and nothing left to try.
    pub(super) fn is_settled(&self) -> bool {
        self.settled && self.confirmed.is_some()
    }

    /// Whether `plan` is worth a check: cheaper than what is confirmed, by the local count.
    pub(super) fn is_better(&self, plan: &Plan) -> bool {
        let Some((confirmed, _)) = &self.confirmed else {
            return true;
        };
        match (self.cost(plan), self.cost(confirmed)) {
            (Some(new), Some(old)) => new < old,
            (new, _) => new.is_some(),
        }
    }

    /// Whether searching finds nothing but plans that break rules.
    pub(super) fn is_hopeless(&self, plan: &Plan) -> bool {
        self.searches >= 2 && self.cost(plan).is_none()
    }

    fn against_published(&self, plan: &Plan, label: &str) -> String {
        words::against_published(&self.task, &self.checker, plan, label)
    }

    fn cost(&self, plan: &Plan) -> Option<i64> {
        self.check(plan).cost
    }

    fn check(&self, plan: &Plan) -> Check {
        self.checker.check(plan)
    }

    /// The plan to hand in, given a `candidate` that was not checked, and what to say.
    pub(super) fn final_plan(&self, candidate: Option<Plan>) -> (Plan, String) {
        let unchecked = candidate.filter(|plan| self.is_better(plan));
        match (&self.confirmed, unchecked) {
            (Some((plan, cost)), None) => (plan.clone(), words::submission(*cost, true)),
            (Some((plan, cost)), Some(_)) if self.surprised => {
                (plan.clone(), words::submission(*cost, true))
            }
            (_, Some(plan)) => {
                let mut text = words::submission(self.cost(&plan), false);
                if self.previous.is_none() {
                    let changes = self.against_published(&plan, "New plan");
                    text = format!("{changes}\n{text}");
                }
                (plan, text)
            }
            (None, None) => {
                let plan = self.first_draft();
                let text = words::submission(self.cost(&plan), false);
                (plan, text)
            }
        }
    }

    /// What to say with a draft; remembers it as the previous one.
    pub(super) fn present(&mut self, plan: &Plan) -> String {
        let mut text = String::new();
        if !self.objected.is_empty() {
            text = words::objections(&self.task, &std::mem::take(&mut self.objected));
            text.push('\n');
        }
        text.push_str(&match &self.previous {
            None => self.against_published(plan, "First draft"),
            Some(previous) => {
                words::next_draft(&self.task, &self.checker, previous, plan, self.proven)
            }
        });
        self.previous = Some(plan.clone());
        self.drafts += 1;
        text
    }

    /// Takes the server's word on a draft in.
    pub(super) fn learn(&mut self, plan: &Plan, verdict: &Verdict) {
        if verdict.feasible {
            if self.is_better(plan) {
                self.confirmed = Some((plan.clone(), verdict.cost));
            }
            return;
        }
        let own = self.check(plan);
        if verdict.error.is_some() || !own.feasible {
            return;
        }
        self.surprised = true;
        self.settled = false;
        self.proven = false;
        self.searches = 0;
        let mut pool_told = false;
        for (named, kind) in &verdict.violations {
            let Some((ship, slot)) = self.ship(named).and_then(|id| Some((id, plan.slot(id)?)))
            else {
                continue;
            };
            let result = own.ships.get(ship).copied().unwrap_or_default();
            if let Some(count) = self.objections.get_mut(ship) {
                *count += 1;
            }
            // All ships of a crowded hour are at fault; one crane less is enough for all.
            let is_pool = kind == "crane_pool";
            if !(is_pool && pool_told) {
                self.avoid(ship, slot, (result.finish, result.departure), kind);
            }
            pool_told |= is_pool;
            if !self.objected.contains(&ship) {
                self.objected.push(ship);
            }
        }
        self.checker = Checker::new(&self.task);
    }

    fn ship(&self, named: &Named) -> Option<ShipId> {
        match named {
            Named::Id(id) => Some(*id).filter(|id| *id < self.task.ships.len()),
            Named::Name(name) => {
                let ships = self.task.ships.iter();
                ships
                    .filter(|ship| ship.name.eq_ignore_ascii_case(name))
                    .map(|ship| ship.id)
                    .next()
            }
        }
    }

    /// Narrows the task so that this slot is not chosen again, nor others with the same fault.
    fn avoid(&mut self, id: ShipId, slot: Slot, (finish, departure): (i32, i32), kind: &str) {
        let Some(ship) = self.task.ships.get_mut(id) else {
            return;
        };
        let everywhere = Ban {
            ship: id,
            from: i32::MIN,
            until: i32::MAX,
            first: i32::MIN,
            last: i32::MAX,
            cranes: None,
        };
        let at_hour = Ban {
            from: slot.hour,
            until: slot.hour.saturating_add(1),
            ..everywhere
        };
        let times = self.objections.get(id).copied().unwrap_or(1);
        let wide = 1_i32 << times.min(8);
        let ban = match kind {
            // What was learnt from the kind did not help: keep away from that time altogether.
            _ if times > 1 => Ban {
                from: slot.hour.saturating_sub(wide),
                until: slot.hour.saturating_add(wide),
                ..everywhere
            },
            "no_move_window" if ship.length_m < BOUND_BY_ALL => {
                // A server that rounds lengths may bind a ship that reads a little too short.
                ship.length_m = BOUND_BY_ALL;
                return;
            }
            "crane_pool" => {
                let outage = Outage {
                    start: slot.hour,
                    end: finish,
                    cranes: 1,
                };
                self.task.rules.crane_outages.push(outage);
                return;
            }
            "before_arrival" => Ban {
                from: i32::MIN,
                ..at_hour
            },
            "crane_count" => Ban {
                cranes: Some(slot.cranes),
                ..everywhere
            },
            "outside_quay" => Ban {
                first: slot.section,
                last: slot.section,
                ..everywhere
            },
            "overlap_alongside" | "overlap_closed" | "overlap_ship" => Ban {
                from: slot.hour.saturating_sub((departure - slot.hour).max(1) - 1),
                until: departure,
                first: slot.section.saturating_sub(ship.sections - 1),
                last: slot.section.saturating_add(ship.sections - 1),
                ..everywhere
            },
            _ => at_hour,
        };
        self.bans.push(ban);
    }
}
