"""What the berth environment says and hears, apart from how it travels: reading a plan, the situation as text, the
answers of the tools. Rules and prices are those of scripts/tasks/model.py, written independently of the page's own in
Rust, so that a test against this server compares two implementations.
"""

from __future__ import annotations

import datetime
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

from tasks.model import Slot, Task, check, own_reward  # noqa: E402

MAX_CHECKS = 10
MAX_CALLS = 24

INSTRUCTIONS = f"""\
You plan berths at a container quay. Something upset the published plan; make a new one for every ship.

A plan gives each ship an hour to berth and the first quay section it lies on; where the task has cranes, also how many
work it. It breaks no rule if every ship berths at or after its arrival, lies wholly on the quay, shares no section at any
hour with another ship, a ship already alongside or a closed stretch, and, where there are cranes, keeps to its crane
range, to the cranes that are there in each hour, to the limit of berthings and departures an hour, and berths outside
the hours without movements (a ship that finishes in such hours waits alongside until they end).

Cost: sections times hours late (times the priority, if any) for each ship, plus the penalty an hour for an emergency ship
berthed after its deadline, plus 5 for each scheduled ship on another first section than planned. Lower is better; a plan
that breaks any rule scores next to nothing.

Write a plan as a list: [{{"ship": 0, "berth_hour": 12, "section": 3, "cranes": 2}}, ...], one entry for each ship.

Tools: get_situation repeats the task. check_plan tries a plan, {MAX_CHECKS} times at most. submit_plan hands it in, once,
and ends the episode; only a submitted plan scores. {MAX_CALLS} calls in all.
"""


# --- tasks ---------------------------------------------------------------------------------------------------------


def load_tasks() -> list[dict[str, Any]]:
    """The page's own tasks, as objects; without them a small one, so that the server runs by itself."""
    for name in ("pack.json", "first.json"):
        path = ROOT / "data" / "tasks" / name
        if path.exists():
            data = json.loads(path.read_text("utf-8"))
            rows = data["tasks"] if isinstance(data, dict) and "tasks" in data else data
            return rows if isinstance(rows, list) else [rows]
    return [SMALL]


SMALL = {
    "task_id": "small-1",
    "split": "train",
    "terminal": "Kelpmouth North Terminal",
    "quay": "N1",
    "first_section": 1,
    "last_section": 10,
    "section_m": 40,
    "week": 9,
    "week_start_utc": "2031-02-24T00:00:00Z",
    "difficulty": "easy",
    "notices": ["SLATE TERN is three hours late."],
    "disruptions": [],
    "rules": {"reward": 3},
    "blocks": [{"first": 8, "last": 10, "start": 0, "end": 5, "kind": "alongside", "label": "PAPER GOBLET"}],
    "ships": [
        {"id": 0, "name": "SLATE TERN", "length_m": 150, "sections": 4, "arrival": 5, "handling": 6, "planned_hour": 2,
         "planned_section": 1, "due": 8},
        {"id": 1, "name": "IVORY LADLE", "length_m": 190, "sections": 5, "arrival": 6, "handling": 5, "planned_hour": 6,
         "planned_section": 4, "due": 11},
    ],
    "reference": {"naive_cost": 37, "optimal_cost": 17},
}


# --- reading a plan ------------------------------------------------------------------------------------------------


class Unreadable(Exception):
    """The whole plan is refused. `kind` says why."""

    def __init__(self, kind: str):
        super().__init__(f"the plan can not be read: {kind}")
        self.kind = kind


_ABSENT = object()


def _whole(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,12}", value.strip()):
        return int(value)
    return None


def _which(task: Task, value: Any) -> int | None:
    if isinstance(value, str):
        name = value.strip()
        if not re.fullmatch(r"-?[0-9]{1,12}", name):
            found = [ship.id for ship in task.ships if ship.name.upper() == name.upper()]
            return found[0] if len(found) == 1 else None
        value = int(name)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(task.ships):
        return value
    return None


def _first(entry: dict[str, Any], *keys: str) -> Any:
    return next((entry[key] for key in keys if key in entry), _ABSENT)


def _entries(raw: Any) -> list[tuple[Any, Any, Any, Any]]:
    """Ship, hour, section, cranes of each entry, as they stand."""
    if isinstance(raw, str):
        text = raw.strip()
        fence = re.search(r"```(?:json)?\s*(.*?)```", text, re.DOTALL)
        try:
            raw = json.loads(fence.group(1) if fence else text)
        except (ValueError, RecursionError):
            raise Unreadable("invalid_json") from None
    if isinstance(raw, dict) and list(raw) == ["plan"]:
        raw = raw["plan"]
    if isinstance(raw, dict):
        rows = []
        for ship, slot in raw.items():
            if isinstance(slot, dict):
                rows.append((ship, _first(slot, "berth_hour", "hour"), _first(slot, "section"), _first(slot, "cranes")))
            elif isinstance(slot, list) and len(slot) in (2, 3):
                rows.append((ship, *slot, *[_ABSENT] * (3 - len(slot))))
            else:
                rows.append((ship, _ABSENT, _ABSENT, _ABSENT))
        return rows
    if not isinstance(raw, list):
        raise Unreadable("not_a_plan")
    if not all(isinstance(entry, dict) for entry in raw):
        raise Unreadable("entry_not_object")
    return [
        (
            _first(entry, "ship", "id", "name"),
            _first(entry, "berth_hour", "hour"),
            _first(entry, "section"),
            _first(entry, "cranes"),
        )
        for entry in raw
    ]


def read_plan(task: Task, raw: Any) -> tuple[dict[int, Slot], list[dict[str, str]]]:
    """The plan as read, and one problem for each entry that had to be dropped."""
    entries = _entries(raw)
    if len(entries) > 4 * len(task.ships) + 10:
        raise Unreadable("too_many_entries")
    plan: dict[int, Slot] = {}
    problems = []
    for number, (ship, hour, section, cranes) in enumerate(entries):
        problem = None
        which = _which(task, ship)
        hour, section = _whole(hour), _whole(section)
        if which is None:
            problem = "unknown_ship"
        elif which in plan:
            problem = "duplicate_ship"
        elif hour is None or section is None:
            problem = "bad_number"
        elif not (-16_800 <= hour <= 16_800 and -1000 <= section <= 1000):
            problem = "out_of_range"
        else:
            count = 0
            if task.pool:
                count = task.ships[which].std_cranes if cranes in (None, _ABSENT) else _whole(cranes)
            if count is None or not -1000 <= count <= 1000:
                problem = "bad_cranes"
            else:
                plan[which] = Slot(hour, section, count)
        if problem:
            problems.append({"kind": problem, "problem": f"entry {number + 1} was dropped: {problem}"})
    return plan, problems


# --- answers -------------------------------------------------------------------------------------------------------


def _violations(task: Task, found: list[list[str]]) -> list[dict[str, Any]]:
    return [
        {"ship": ship.id, "kind": kind, "problem": f"{ship.name}: {kind.replace('_', ' ')}"}
        for ship in task.ships
        for kind in found[ship.id]
    ]


def check_answer(task: Task, raw: Any, checks_left: int) -> dict[str, Any]:
    """What `check_plan` says."""
    try:
        plan, problems = read_plan(task, raw)
    except Unreadable as reason:
        return {"error": str(reason), "kind": reason.kind, "checks_left": checks_left}
    result = check(task, plan)
    ships = []
    for ship in sorted(plan):
        moved = task.ships[ship].planned_section not in (None, plan[ship].section)
        row = {
            "ship": ship,
            "departure": result.departures[ship],
            "delay_h": max(0, result.departures[ship] - task.ships[ship].due),
            "moved": moved,
            "cost": result.costs[ship],
        }
        if task.pool:
            row["cranes"] = plan[ship].cranes
            row["hours_alongside"] = result.departures[ship] - plan[ship].hour
        ships.append(row)
    answer = {
        "feasible": result.feasible and not problems,
        "violations": _violations(task, result.problems),
        "cost": result.cost,
        "delay_cost": result.delay_cost,
        "moves": result.moves,
        "ships": ships,
    }
    if problems:
        answer["entry_problems"] = problems
    return answer | {"checks_left": checks_left}


def grade(task: Task, reference: dict[str, Any], raw: Any) -> tuple[dict[str, Any], dict[str, Any], dict[str, float]]:
    """What `submit_plan` says, the grade and the rubric."""
    try:
        plan, problems = read_plan(task, raw)
    except Unreadable as reason:
        plan, problems = {}, [{"kind": reason.kind, "problem": str(reason)}]
    result = check(task, plan)
    feasible = result.feasible and not problems
    clean = sum(not found for found in result.problems) / max(1, len(task.ships) + len(problems))
    quality, reward = 0.0, 0.2 * clean
    if feasible:
        naive = reference["naive_cost"]
        reward = own_reward(task, result.cost, naive, reference["optimal_cost"])
        if task.rules.get("reward") in (2, 3):
            quality = (reward - 0.2) / 0.8
        elif result.cost <= naive:
            quality = (reward - 0.6) / 0.4
    numbers = {
        "cost": result.cost if feasible else None,
        "delay_cost": result.delay_cost if feasible else None,
        "moves": result.moves if feasible else None,
    }
    marks = {"reward": round(reward, 6), "quality": round(quality, 6), "clean_fraction": round(clean, 4)}
    graded = {"feasible": feasible, **marks, **numbers}
    if feasible:
        said = {"submitted": True, "feasible": True, "reward": marks["reward"], **numbers}
    else:
        said = {
            "submitted": True,
            "feasible": False,
            "reward": marks["reward"],
            "violations": _violations(task, result.problems)[:20],
            "entry_problems": problems,
        }
    return said, graded, {"feasible": float(feasible), "quality": marks["quality"], "clean": marks["clean_fraction"]}


# --- the situation -------------------------------------------------------------------------------------------------


def _table(head: list[str], rows: list[list[Any]]) -> list[str]:
    return [
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
        *("| " + " | ".join(map(str, row)) + " |" for row in rows),
    ]


def situation(task: Task) -> str:
    """The task in words, in the shape that public berth-planning servers send."""
    start = datetime.datetime.strptime(task.week_start_utc, "%Y-%m-%dT%H:%M:%SZ")
    lines = [
        f"# {task.terminal}, Port of Kelpmouth - quay {task.quay}, week {task.week} of {start.isocalendar().year}",
        f"Hour 0 is Monday {start:%d %B %Y} 00:00 UTC. Times are whole hours from then.",
        f"The quay is sections {task.first_section}-{task.last_section} (about {task.section_m:g} m each). A ship lies on"
        " as many sections in a row as the table says, from its first section upwards.",
        "",
        "## Notices",
        *(f"- {notice}" for notice in task.notices),
    ]
    alongside = [block for block in task.blocks if block.kind == "alongside"]
    closed = [block for block in task.blocks if block.kind != "alongside"]
    if alongside:
        lines += ["", "## Already alongside at hour 0 (cannot move)"]
        lines += [f"- {b.label}: sections {b.first}-{b.last} until hour {b.end}" for b in alongside]
    if closed:
        lines += ["", "## Closed sections"]
        lines += [f"- sections {b.first}-{b.last}, hours {b.start}-{b.end} ({b.label})" for b in closed]
    rate = task.rules.get("crane_rate")
    if task.pool:
        outages = "".join(
            f" From hour {o['start']} to hour {o['end']} only {task.pool - o['cranes']} are available."
            for o in task.rules.get("crane_outages", [])
        )
        lines += ["", "## Quay cranes and movements", f"- The terminal has {task.pool} quay cranes.{outages}"]
        if task.limit:
            lines.append(f"- At most {task.limit} ships may berth or leave in any one hour (pilots).")
        if rate:
            lines.append(
                f"- A crane handles {rate} container moves per hour: a ship takes its moves divided by that and by its"
                " cranes, rounded up to whole hours."
            )
        for window in task.rules.get("no_moves", []):
            long = window.get("min_length", 0)
            who = f"ships of {long} m or more" if long else "all ships"
            lines.append(
                f"- No berthing or leaving for {who} from hour {window['start']} to hour {window['end']}"
                f" ({window.get('reason', 'wind')})."
            )
        if alongside:
            lines.append(f"- Each ship already alongside keeps {alongside[0].cranes} cranes until it leaves.")
    lines += ["", "## Ships to berth", ""]
    head = ["id", "ship", "length m", "sections", "arrives (hour)"]
    if task.pool:
        head += ["workload (moves)" if rate else "workload (crane-hours)", "cranes min-max"]
        head += ["planned berth (hour @ section, cranes)", "planned departure (hour)", "notes"]
    else:
        head += ["hours alongside", "planned berth (hour @ section)", "planned departure (hour)"]
    rows = []
    for ship in sorted(task.ships, key=lambda ship: (ship.wanted_hour, ship.id)):
        planned = "none (unscheduled)"
        if ship.planned_hour is not None:
            planned = f"{ship.planned_hour} @ {ship.planned_section}"
            if task.pool:
                planned += f", {ship.std_cranes} cranes"
        row: list[Any] = [ship.id, ship.name, round(ship.length_m), ship.sections, ship.arrival]
        if task.pool:
            notes = []
            if ship.berth_deadline is not None:
                notes.append(f"emergency: dock by hour {ship.berth_deadline} (+{ship.deadline_penalty} per hour later)")
            if ship.weight != 1:
                notes.append(f"priority: lateness x{ship.weight}")
            row += [ship.workload * (rate or 1), f"{ship.min_cranes}-{ship.max_cranes}", planned, ship.due, "; ".join(notes)]
        else:
            row += [ship.handling, planned, ship.due]
        rows.append(row)
    return "\n".join(lines + _table(head, rows)) + "\n"
