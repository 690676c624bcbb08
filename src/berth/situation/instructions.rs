//! What a player is told before the first situation: rules, price, plan format, tools, budgets.

use crate::berth::Task;

/// The instructions for a language model that plays `task`: the system prompt. `max_checks` drafts
/// may be checked and `max_calls` tools called in all.
pub fn instructions(task: &Task, max_checks: u32, max_calls: u32) -> String {
    let parts = [
        AIM.to_owned(),
        rules(task.has_cranes()),
        cost(),
        format(task),
        tools(max_checks, max_calls),
        ADVICE.to_owned(),
    ];
    parts.join("\n\n")
}

const AIM: &str = "\
You plan the berths of a container terminal. Its quay is one straight line of numbered sections. \
A published plan said when and where each ship would berth; since then ships are late, sections \
are closed or ships have called unannounced, and that plan no longer works. Make a new plan for \
every ship in the situation. A plan must break no rule; among plans that break none, the cheaper \
is better.";

fn rules(cranes: bool) -> String {
    let mut rules = vec![
        "Time is in whole hours. Hours from a to b include a and not b; sections a-b include both.",
        "Every ship in the table gets exactly one berth: an hour, a first section and, where \
         cranes are listed, a number of cranes. A ship that needs k sections lies on its first \
         section and the k-1 after it, all of which must be on the quay.",
        "A ship berths no earlier than the hour it arrives. The delays in the notices are already \
         in the table.",
        "It holds its sections from the hour it berths until the hour it departs. In no hour may \
         two ships hold the same section. A ship may berth in the very hour another leaves.",
        "Ships already alongside cannot be moved: their sections are taken until the hour given. \
         Closed sections may not be held in any of their closed hours.",
    ];
    if cranes {
        rules.extend([
            "With c cranes a ship works its crane-hours / c hours, rounded up, at least 1. \
             (Crane-hours = moves / the hourly rate of one crane.) Then it departs. The number of \
             cranes stays the same throughout and lies within the ship's min-max.",
            "In every hour the cranes of all working ships, those already alongside included, are \
             at most the cranes available in that hour.",
            "While berthing and leaving are forbidden for a ship (by its length), it cannot berth. \
             If its work ends in such hours it stays on its sections until they are over, without \
             cranes, and departs then; its departure counts in that hour.",
            "Where a limit on movements is given: berthings and departures in one hour, those of \
             ships already alongside included, are at most that many.",
        ]);
    } else {
        rules.push("A ship departs the given hours alongside after it berths.");
    }
    let list: Vec<String> = rules
        .iter()
        .enumerate()
        .map(|(index, rule)| format!("{}. {rule}", index + 1))
        .collect();
    format!("## Rules\n{}", list.join("\n"))
}

fn cost() -> String {
    "\
## Cost
- Each hour a ship departs after its planned departure costs as much as the ship has sections; a \
note \"priority: lateness xN\" multiplies that by N. Leaving early earns nothing.
- A ship with an emergency note also pays the stated amount for each hour it *berths* after the \
hour given there.
- A scheduled ship whose first section is not the planned one costs 5, however far it moves. \
Changing its hour or its cranes costs nothing by itself; unscheduled ships move for free.
The sum over all ships is the plan's cost."
        .to_owned()
}

fn format(task: &Task) -> String {
    let (cranes, field) = if task.has_cranes() {
        (
            ", \"cranes\": 3",
            " Without \"cranes\" a ship gets its planned number.",
        )
    } else {
        ("", "")
    };
    format!(
        "\
## Plan
A JSON list with one object for each ship, all numbers whole:
[{{\"ship\": 0, \"berth_hour\": 12, \"section\": 4{cranes}}}, …]
\"ship\" is the id in the table, \"berth_hour\" the hour it berths, \"section\" its first \
section.{field} Leave no ship out and list none twice: an entry that cannot be used makes the \
whole plan count as broken."
    )
}

fn tools(max_checks: u32, max_calls: u32) -> String {
    format!(
        "\
## Tools
- get_situation(): the situation again, word for word.
- check_plan(plan): checks a draft. Answers with each ship's violations, its departure, delay and \
cost, and the total cost when nothing is broken. You have {max_checks} checks; a plan that cannot \
be read uses one too.
- submit_plan(plan): hands in the final plan and ends the episode. It works once.
All calls together, failed ones included, may be at most {max_calls}. Only a submission scores: \
an episode that ends without one scores 0, whatever the drafts were. A submitted plan that breaks \
any rule scores less than every plan that breaks none."
    )
}

const ADVICE: &str = "\
Draft a complete plan first, check it, repair what is reported, then look for lateness that \
better hours, sections or crane numbers would save. Submit a plan that a check has called \
feasible, and do it before your checks, calls or turns run out.";
