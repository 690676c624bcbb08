//! What the tools of a berth-planning episode answer, as JSON.
//!
//! Pure functions of a task and a plan: budgets, the end of an episode and how an answer travels
//! are the environment's affair. A check never shows a reward or a reference.

use super::{Check, Checker, Grade, Plan, Reading, ShipId, Task, grade, plan};
use serde_json::{Map, Value, json};

/// The most violations a refused submission lists.
const LISTED: usize = 20;

/// What a submission comes to: what the player reads, and what is kept beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Submission {
    /// The tool's answer.
    pub result: Value,
    /// The grade, for the reward and the record.
    pub grade: Grade,
    /// The grade as the record keeps it: `{feasible, reward, quality, clean_fraction, cost,
    /// delay_cost, moves}`.
    pub grade_json: Value,
    /// What the reward was made of: 1 or 0 for a feasible plan, the share of clean ships, and the
    /// quality, each with the same name as in the grade.
    pub rubric: Value,
}

/// The answer of `check_plan`, with `checks_left` counted after this check.
pub fn check_result(task: &Task, checker: &Checker, plan: &Value, checks_left: u32) -> Value {
    let reading = match plan::read(plan, task) {
        Ok(reading) => reading,
        Err(error) => {
            let text = error.to_string();
            return json!({"error": text, "kind": error.kind(), "checks_left": checks_left});
        }
    };
    let check = checker.check(&reading.plan);
    let mut answer = json!({
        "feasible": check.feasible && reading.problems.is_empty(),
        "violations": violations(task, &check, usize::MAX),
        "cost": check.cost,
        "delay_cost": check.delay_cost,
        "moves": check.moves,
        "ships": ships(task, &check, &reading.plan),
    });
    if let Value::Object(answer) = &mut answer {
        if !reading.problems.is_empty() {
            answer.insert("entry_problems".into(), entry_problems(&reading));
        }
        answer.insert("checks_left".into(), checks_left.into());
    }
    answer
}

/// The answer of `check_plan` when the budget is used up; the plan is not read.
pub fn no_checks_left() -> Value {
    json!({"error": "all checks are used up; submit_plan still takes your final plan"})
}

/// Grades a submission. A plan that cannot be read is an empty one with one entry problem.
pub fn submit_result(task: &Task, checker: &Checker, plan: &Value) -> Submission {
    let (reading, entry_problems) = match plan::read(plan, task) {
        Ok(reading) => {
            let problems = entry_problems(&reading);
            (reading, problems)
        }
        Err(error) => {
            let problem = json!([{"kind": error.kind(), "problem": error.to_string()}]);
            let plan = Plan::empty(task.ships.len());
            let problems = Vec::new();
            (Reading { plan, problems }, problem)
        }
    };
    let check = checker.check(&reading.plan);
    let problems = entry_problems.as_array().map_or(0, Vec::len);
    let grade = grade(task, &check, problems);
    let result = if grade.feasible {
        json!({
            "submitted": true, "feasible": true, "reward": grade.reward,
            "cost": grade.cost, "delay_cost": grade.delay_cost, "moves": grade.moves,
        })
    } else {
        json!({
            "submitted": true, "feasible": false, "reward": grade.reward,
            "violations": violations(task, &check, LISTED),
            "entry_problems": entry_problems,
        })
    };
    Submission {
        result,
        grade_json: json!({
            "feasible": grade.feasible, "reward": grade.reward, "quality": grade.quality,
            "clean_fraction": grade.clean_fraction, "cost": grade.cost,
            "delay_cost": grade.delay_cost, "moves": grade.moves,
        }),
        rubric: json!({
            "feasible": f64::from(u8::from(grade.feasible)),
            "clean_fraction": grade.clean_fraction, "quality": grade.quality,
        }),
        grade,
    }
}

fn violations(task: &Task, check: &Check, most: usize) -> Value {
    let listed = check.violations.iter().take(most).map(|violation| {
        json!({
            "ship": violation.ship, "kind": violation.rule.kind().as_str(),
            "problem": violation.text(task),
        })
    });
    listed.collect()
}

fn entry_problems(reading: &Reading) -> Value {
    let problems = reading.problems.iter();
    problems
        .map(|problem| json!({"kind": problem.kind, "problem": problem.text}))
        .collect()
}

/// The ships the plan places, by id.
fn ships(task: &Task, check: &Check, plan: &Plan) -> Value {
    let cranes = task.has_cranes();
    let row = |(ship, slot): (ShipId, super::Slot)| {
        let result = check.ships.get(ship)?;
        let mut row = Map::new();
        row.insert("ship".into(), ship.into());
        row.insert("departure".into(), result.departure.into());
        row.insert("delay_h".into(), result.delay.into());
        row.insert("moved".into(), result.moved.into());
        row.insert("cost".into(), result.cost.into());
        if cranes {
            let stay = result.departure.saturating_sub(slot.hour);
            row.insert("cranes".into(), slot.cranes.into());
            row.insert("hours_alongside".into(), stay.into());
        }
        Some(Value::Object(row))
    };
    plan.placed().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::berth::{Reference, Ship};

    fn task() -> Task {
        let ship = |id: usize, name: &str| Ship {
            id,
            name: name.into(),
            sections: 2,
            handling: 4,
            due: 4,
            planned_section: Some(1),
            ..Ship::default()
        };
        Task {
            first_section: 1,
            last_section: 4,
            ships: vec![ship(0, "Ada"), ship(1, "Bo")],
            reference: Some(Reference {
                naive_cost: 13,
                optimal_cost: 5,
                ..Reference::default()
            }),
            ..Task::default()
        }
    }

    fn check(plan: &Value) -> Value {
        let task = task();
        check_result(&task, &Checker::new(&task), plan, 9)
    }

    fn submit(plan: &Value) -> Submission {
        let task = task();
        submit_result(&task, &Checker::new(&task), plan)
    }

    #[test]
    fn a_check_tells_costs_and_no_reward() {
        assert_eq!(
            check(&json!({"0": [0, 1], "1": [1, 3]})),
            json!({
                "feasible": true, "violations": [], "cost": 7, "delay_cost": 2, "moves": 1,
                "ships": [
                    {"ship": 0, "departure": 4, "delay_h": 0, "moved": false, "cost": 0},
                    {"ship": 1, "departure": 5, "delay_h": 1, "moved": true, "cost": 7},
                ],
                "checks_left": 9,
            })
        );
    }

    #[test]
    fn an_entry_problem_makes_a_check_infeasible_and_leaves_its_cost() {
        let answer = check(&json!({"0": [0, 1], "1": [0, 3], "2": [0, 3]}));
        assert_eq!(answer["feasible"], json!(false));
        assert_eq!(answer["cost"], json!(5));
        assert_eq!(answer["entry_problems"][0]["kind"], "unknown_ship");
    }

    #[test]
    fn an_unreadable_plan_is_an_error_that_used_a_check() {
        let answer = check(&json!("no plan"));
        assert_eq!(answer["kind"], "invalid_json");
        assert_eq!(answer["checks_left"], 9);
        assert!(answer["error"].is_string() && answer.get("ships").is_none());
        assert!(no_checks_left().get("checks_left").is_none());
    }

    #[test]
    fn a_feasible_submission_tells_reward_and_costs() {
        let submission = submit(&json!({"0": [0, 1], "1": [0, 3]}));
        assert_eq!(
            submission.result,
            json!({
                "submitted": true, "feasible": true, "reward": 1.0,
                "cost": 5, "delay_cost": 0, "moves": 1,
            })
        );
        assert_eq!(submission.grade_json["quality"], json!(1.0));
    }

    #[test]
    fn an_unreadable_submission_is_empty_with_one_problem() {
        let submission = submit(&json!(null));
        let result = submission.result;
        assert_eq!(result["reward"], json!(0.0));
        assert_eq!(result["entry_problems"][0]["kind"], "not_a_plan");
        assert_eq!(result["violations"][1]["kind"], "missing");
        assert_eq!(submission.grade.cost, None);
    }
}
