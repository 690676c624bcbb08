//! Grading: reward and quality of a plan as read.
//!
//! A plan with any violation or entry problem gets up to 0.2 for the ships that are clean. A
//! feasible one is measured by how its cost lies between the naive re-plan's and the optimum, in
//! one of three ways (`rules.reward`).

use super::{Check, Checker, Task, baseline};

/// Constant of reward version 3 where the task names none.
const GAP_K: i64 = 100;

/// What grading gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Grade {
    /// No violation and no entry problem.
    pub feasible: bool,
    /// Reward under the task's own version, rounded to 6 decimals.
    pub reward: f64,
    /// Quality, rounded to 6 decimals; 0 when infeasible.
    pub quality: f64,
    /// Share of clean ships, rounded to 4 decimals.
    pub clean_fraction: f64,
    /// Total cost; `None` unless feasible, as are the next two.
    pub cost: Option<i64>,
    /// Sum of delay costs.
    pub delay_cost: Option<i64>,
    /// Number of moved ships.
    pub moves: Option<u32>,
}

/// Grades a checked plan. `problems` is the number of entry problems; a parse error is an empty
/// plan with one problem.
///
/// Costs are measured against the task's reference. A task without one is measured against what
/// can be computed here: the naive re-plan, and the floor in place of the optimum, which makes
/// the grade a lower bound of the one a proven optimum would give.
pub fn grade(task: &Task, check: &Check, problems: usize) -> Grade {
    let ships = check.ships.len().saturating_add(problems).max(1);
    let clean = check.clean_ships() as f64 / ships as f64;
    let cost = check.cost.filter(|_| check.feasible && problems == 0);
    let (quality, reward) = cost.map_or((0.0, 0.2 * clean), |cost| score(task, cost));
    Grade {
        feasible: cost.is_some(),
        reward: rounded(reward, 1e6),
        quality: rounded(quality, 1e6),
        clean_fraction: rounded(clean, 1e4),
        cost,
        delay_cost: check.delay_cost.filter(|_| cost.is_some()),
        moves: check.moves.filter(|_| cost.is_some()),
    }
}

/// Quality and reward of a feasible plan.
fn score(task: &Task, cost: i64) -> (f64, f64) {
    let (naive, optimal) = costs(task, cost);
    let (cost, naive, optimal) = (cost as f64, naive as f64, optimal as f64);
    let gap = match task.rules.reward {
        Some(2) => (cost - optimal) / (naive - optimal).max(1.0) / 0.25,
        Some(3) => {
            let k = task.rules.gap_k.unwrap_or(GAP_K) as f64;
            let floor = Checker::new(task).floor() as f64;
            relative(cost - optimal, (optimal - floor).max(0.0) + k) / 0.5
        }
        _ => return first_version(cost, naive, optimal),
    };
    let quality = (-gap.max(0.0)).exp();
    (quality, 0.2 + 0.8 * quality)
}

/// `gap / scale`, where nothing over nothing is nothing.
fn relative(gap: f64, scale: f64) -> f64 {
    if gap <= 0.0 {
        0.0
    } else {
        gap / scale.max(0.0)
    }
}

/// Linear between naive and optimum, and a share of 0.4 beyond the naive cost.
fn first_version(cost: f64, naive: f64, optimal: f64) -> (f64, f64) {
    if cost > naive {
        return (0.0, 0.2 + 0.4 * (naive / cost).clamp(0.0, 1.0));
    }
    let quality = if naive <= optimal {
        1.0
    } else {
        ((naive - cost) / (naive - optimal)).min(1.0)
    };
    (quality, 0.6 + 0.4 * quality)
}

/// Naive and optimal cost to measure `cost` against.
fn costs(task: &Task, cost: i64) -> (i64, i64) {
    if let Some(reference) = &task.reference {
        return (reference.naive_cost, reference.optimal_cost);
    }
    let checker = Checker::new(task);
    let naive = baseline::naive(task, &checker).and_then(|plan| checker.check(&plan).cost);
    (naive.unwrap_or(cost), checker.floor())
}

fn rounded(number: f64, scale: f64) -> f64 {
    (number * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::berth::{Reference, Rule, Rules, Ship, ShipResult, Violation};

    fn task(version: i32, naive_cost: i64, optimal_cost: i64) -> Task {
        Task {
            rules: Rules {
                reward: Some(version),
                gap_k: Some(100),
                ..Rules::default()
            },
            reference: Some(Reference {
                naive_cost,
                optimal_cost,
                ..Reference::default()
            }),
            ..Task::default()
        }
    }

    fn feasible(cost: i64) -> Check {
        Check {
            feasible: true,
            cost: Some(cost),
            delay_cost: Some(cost),
            moves: Some(0),
            ..Check::default()
        }
    }

    fn rewards(task: &Task, costs: &[i64]) -> Vec<f64> {
        let reward = |cost: &i64| grade(task, &feasible(*cost), 0).reward;
        costs.iter().map(reward).collect()
    }

    #[test]
    fn version_1_is_linear_up_to_the_naive_cost_and_a_share_beyond() {
        let given = rewards(&task(1, 300, 200), &[200, 250, 300, 301, 600, 190]);
        assert_eq!(given, [1.0, 0.8, 0.6, 0.598_671, 0.4, 1.0]);
        assert_eq!(rewards(&task(1, 0, 0), &[0, 5]), [1.0, 0.2]);
    }

    #[test]
    fn version_2_decays_with_the_gap_to_the_optimum() {
        let given = rewards(&task(2, 1000, 200), &[200, 240, 400, 1000, 1800, 100]);
        assert_eq!(
            given,
            [1.0, 0.854_985, 0.494_304, 0.214_653, 0.200_268, 1.0]
        );
    }

    #[test]
    fn version_3_measures_the_gap_against_optimum_and_floor() {
        let mut task = task(3, 9_999, 500);
        // One section, 350 hours late at the earliest: the floor is 350.
        task.ships = vec![Ship {
            sections: 1,
            handling: 350,
            ..Ship::default()
        }];
        let given = rewards(&task, &[500, 525, 625, 750, 1000, 3000]);
        assert_eq!(
            given,
            [1.0, 0.854_985, 0.494_304, 0.308_268, 0.214_653, 0.2]
        );
    }

    #[test]
    fn version_3_without_any_scale_is_all_or_nothing() {
        let mut task = task(3, 0, 0);
        task.rules.gap_k = Some(0);
        assert_eq!(rewards(&task, &[-1, 0, 1]), [1.0, 1.0, 0.2]);
    }

    #[test]
    fn an_infeasible_plan_is_paid_for_its_clean_ships() {
        let violation = |ship| Violation {
            ship,
            rule: Rule::Missing,
        };
        let check = Check {
            violations: [1, 1, 4, 7].map(violation).to_vec(),
            ships: vec![ShipResult::default(); 24],
            ..Check::default()
        };
        let given = grade(&task(3, 0, 0), &check, 1);
        assert_eq!((given.reward, given.clean_fraction), (0.168, 0.84));
        assert_eq!(
            (given.feasible, given.cost, given.quality),
            (false, None, 0.0)
        );
    }

    #[test]
    fn an_entry_problem_alone_hides_the_cost() {
        let given = grade(&task(1, 10, 10), &feasible(10), 1);
        assert_eq!(
            (given.feasible, given.cost, given.moves),
            (false, None, None)
        );
    }
}
