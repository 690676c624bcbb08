"""Tasks from a table of wishes and a seed.

A published plan is laid out first, free of clashes; then things go wrong. The
same wishes and the same attempt number always give the same task.

The situation an agent reads must lose nothing, so lengths are whole metres,
the standard crane count follows from the length, all ships alongside hold the
same number of cranes, and the stay at the standard count is the work divided
by it, rounded up.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from .model import Block, Board, Ship, Slot, Task

PORT = "Kelpmouth"
# terminal, quay, first section, last section, metres a section
TERMINALS = {
    "north": ("Kelpmouth North Terminal", "N1", 1, 20, 40),
    "gannet": ("Gannet Terminal", "G2", 21, 45, 40),
    "saltpan": ("Saltpan Terminal", "S3", 5, 28, 50),
}
FIRST_WORDS = (
    "AMBER BRACKEN CINDER COPPER CRIMSON DAPPLED FROSTED GILDED HAZEL HOLLOW INDIGO IVORY JUNIPER LINEN MAPLE MARBLE "
    "OCHRE PAPER PEWTER QUIET RUSSET SABLE SALTED SLATE TALLOW THISTLE UMBER VELVET WILLOW WOVEN"
).split()
SECOND_WORDS = (
    "ACORN ANVIL BELLOWS BOBBIN BUTTON CURLEW DULCIMER FERRET FIDDLE GOBLET HARROW HERON KETTLE LADLE LANTERN LINNET "
    "MALLET MARTEN NUTHATCH ORCHARD PLOVER QUILL SEXTANT SHUTTLE SPINDLE TEASEL TERN THIMBLE TROWEL WARBLER"
).split()
PORTS = "Ambersey Brackwick Cordale Dunmarrow Elverhaven Farrowby Hollinsund Merrowquay Pellmouth Thornvik".split()
WORKS = ("fender repairs", "bollard replacement", "dredging", "rail works", "quay wall survey")
FAULTS = ("hoist inspection", "a power fault", "wire rope change", "gantry repairs")


@dataclass(frozen=True)
class Wish:
    """What a task should hold."""

    name: str
    tier: str
    split: str
    terminal: str
    ships: int
    weeks: int
    pool: int = 0  # 0: no crane rules
    late: int = 2
    bunch: int = 0  # ships that arrive together
    extra: int = 0
    emergency: int = 0
    priority: int = 0
    closures: int = 1
    outages: int = 0
    wind: str = ""  # one letter per window: b both strengths, l long ships only, a all ships
    reward: int = 3
    limit: int = 2
    lively: bool = False  # for the demonstration: see judge in make_tasks.py


def standard_cranes(length: float) -> int:
    return 1 + (length >= 180) + (length >= 260) + (length >= 330)


def _name(rng: random.Random, taken: set[str]) -> str:
    while True:
        name = f"{rng.choice(FIRST_WORDS)} {rng.choice(SECOND_WORDS)}"
        if name not in taken:
            taken.add(name)
            return name


def _ship(rng: random.Random, wish: Wish, section_m: int, taken: set[str]) -> Ship:
    """A ship without times."""
    kind = rng.choices((0, 1, 2, 3), (44, 36, 15, 5))[0]
    length = rng.randint(*((112, 179), (180, 259), (260, 329), (330, 398))[kind])
    work = rng.randint(*((8, 20), (20, 48), (46, 82), (80, 120))[kind])
    std = standard_cranes(length)
    frm, to = rng.sample(PORTS, 2)
    ship = Ship(
        id=-1,
        name=_name(rng, taken),
        length_m=length,
        sections=-(-(length + 15) // section_m),
        arrival=0,
        handling=-(-work // std),
        planned_hour=None,
        planned_section=None,
        due=0,
        from_port=frm,
        to_port=to,
    )
    if wish.pool:
        ship.workload = work
        ship.std_cranes = std
        ship.min_cranes = max(1, std - 1)
        ship.max_cranes = std + rng.choice((1, 1, 2))
    return ship


def generate(wish: Wish, attempt: int) -> Task | None:
    """A task, or None when this attempt does not work out."""
    rng = random.Random(f"{PORT}/{wish.name}/{attempt}")
    terminal, quay, first, last, section_m = TERMINALS[wish.terminal]
    week = rng.randint(2, 48)
    task = Task(
        task_id=wish.name,
        split=wish.split,
        terminal=terminal,
        quay=quay,
        first_section=first,
        last_section=last,
        section_m=section_m,
        week=week,
        week_start_utc=_monday(week),
        difficulty=wish.tier,
        ships=[],
        blocks=[],
    )
    if wish.pool:
        task.rules = {"crane_pool": wish.pool, "crane_rate": rng.choice((24, 25, 28, 30)), "max_moves_per_hour": wish.limit}
    task.rules["reward"] = wish.reward
    if wish.reward == 3:
        task.rules["gap_k"] = 100
    taken: set[str] = set()
    end = 168 * wish.weeks

    # ships alongside at hour 0
    held = rng.choice((1, 2)) if wish.pool else 0
    at = first + rng.randint(0, 3)
    for n in range(2):
        size = rng.randint(4, 7)
        if at + size - 1 <= last:
            leaves = 5 + 4 * n + rng.randint(0, 3)
            task.blocks.append(Block(at, at + size - 1, 0, leaves, "alongside", _name(rng, taken), held))
        at += size + rng.randint(0, 3)

    # the published plan
    board = Board(task)
    ships: list[Ship] = []
    for hour in sorted(rng.randint(3, end - 30) for _ in range(wish.ships - wish.extra)):
        ship = _ship(rng, wish, section_m, taken)
        ship.arrival = hour
        ship.planned_section = rng.randint(first, last - ship.sections + 1)
        slot: Slot = board.first_fit(ship, hour, [ship.std_cranes or 0])
        ship.planned_hour, ship.planned_section = slot.hour, slot.section
        ship.arrival = slot.hour - rng.choice((0, 0, 1, 2, 3))
        ship.due = slot.hour + ship.handling + rng.choice((0, 0, 1, 2))
        ships.append(ship)
    ships.sort(key=lambda s: (s.planned_hour, s.planned_section))
    scheduled = list(ships)
    busy = _busiest(scheduled, end)

    # late ships, alone and together
    for ship in rng.sample(scheduled, wish.late):
        hours = rng.randint(5, 18)
        ship.arrival = ship.planned_hour + hours
        task.disruptions.append({"type": "late", "ship": ship, "hours": hours})
    late = {id(d["ship"]) for d in task.disruptions}
    if wish.bunch:
        on_time = [s for s in scheduled if id(s) not in late]
        runs = [on_time[at : at + wish.bunch] for at in range(len(on_time) - wish.bunch + 1)]
        runs = [run for run in runs if run[-1].planned_hour - run[0].planned_hour <= 24]
        if not runs:
            return None
        group = rng.choice(runs)
        hour = group[-1].planned_hour + rng.randint(2, 6)
        for ship in group:
            ship.arrival = hour
            late.add(id(ship))
        task.disruptions.append({"type": "bunch", "ships": group, "hour": hour})

    # unscheduled calls
    for _ in range(wish.extra):
        ship = _ship(rng, wish, section_m, taken)
        ship.arrival = max(3, min(end - 40, rng.choice(busy) + rng.randint(-8, 8)))
        ship.due = ship.arrival + ship.handling + rng.randint(0, 4)
        ships.append(ship)
        task.disruptions.append({"type": "extra", "ship": ship})

    # closed sections
    for _ in range(wish.closures):
        for _ in range(200):
            size = rng.randint(4, 8)
            at = rng.randint(first, last - size + 1)
            start = max(16, rng.choice(busy) - rng.randint(0, 14))
            block = Block(at, at + size - 1, start, start + rng.randint(16, 36), "closed", rng.choice(WORKS))
            hit = sum(
                block.meets(s.planned_section, s.planned_section + s.sections - 1, s.planned_hour, s.planned_hour + s.handling)
                for s in scheduled
            )
            if hit >= 2 and not any(block.meets(b.first, b.last, b.start, b.end) for b in task.blocks):
                break
        else:
            return None
        task.blocks.append(block)
        task.disruptions.append(
            {"type": "closure", "first": block.first, "last": block.last, "start": block.start, "end": block.end,
             "reason": block.label}
        )

    # cranes out of service
    outages: list[dict[str, Any]] = []
    for _ in range(wish.outages):
        for _ in range(200):
            start = max(8, rng.choice(busy) - rng.randint(2, 16))
            outage = {"start": start, "end": start + rng.randint(14, 34), "cranes": rng.randint(2, max(2, wish.pool // 2 - 1))}
            if not any(o["start"] < outage["end"] + 12 and outage["start"] < o["end"] + 12 for o in outages):
                break
        else:
            return None
        outages.append(outage)
        task.disruptions.append({"type": "crane_outage", **outage, "reason": rng.choice(FAULTS)})
    if outages:
        task.rules["crane_outages"] = sorted(outages, key=lambda o: o["start"])

    # wind
    windows: list[dict[str, Any]] = []
    spans: list[tuple[int, int]] = []
    for kind in wish.wind:
        for _ in range(200):
            start = max(10, rng.choice(busy) + rng.randint(-12, 12))
            stop = start + (rng.randint(5, 9) if kind == "a" else rng.randint(10, 18))
            if not any(a < stop + 24 and start < b + 24 for a, b in spans):
                break
        else:
            return None
        spans.append((start, stop))
        length = rng.choice((180, 200, 220))
        what: dict[str, Any] = {"type": "gale", "start": start, "end": stop}
        if kind != "a":
            what["min_length"] = length
            windows.append({"start": start, "end": stop, "min_length": length, "reason": "wind above 25 kn"})
        if kind == "b":
            core = start + rng.randint(2, 4)
            what |= {"core_start": core, "core_end": core + rng.randint(4, 6)}
            windows.append({"start": core, "end": what["core_end"], "min_length": 0, "reason": "gale"})
        if kind == "a":
            windows.append({"start": start, "end": stop, "min_length": 0, "reason": "gale"})
        task.disruptions.append(what)
    if windows:
        task.rules["no_moves"] = sorted(windows, key=lambda w: (w["start"], w["end"]))

    # emergencies and priority cargo
    near = [
        s for s in scheduled if id(s) not in late and any(-24 <= s.arrival - hour <= 24 for hour in busy)
    ]
    picked = rng.sample(near, min(len(near), wish.emergency + wish.priority))
    if len(picked) < wish.emergency + wish.priority:
        return None
    for n, ship in enumerate(picked):
        if n < wish.emergency:
            ship.berth_deadline = ship.arrival + rng.randint(1, 4)
            ship.deadline_penalty = rng.choice((20, 30, 40))
            task.disruptions.append(
                {"type": "emergency", "ship": ship, "deadline": ship.berth_deadline, "penalty": ship.deadline_penalty}
            )
        else:
            ship.weight = rng.choice((2, 3))
            task.disruptions.append({"type": "priority", "ship": ship, "weight": ship.weight})

    for n, ship in enumerate(ships):
        ship.id = n
    task.ships = ships
    task.notices = [_notice(task, d) for d in task.disruptions]
    for d in task.disruptions:
        if "ship" in d:
            d["ship"] = d["ship"].id
        if "ships" in d:
            d["ships"] = [s.id for s in d["ships"]]
    return task


def _monday(week: int) -> str:
    from datetime import date

    return f"{date.fromisocalendar(2034, week, 1).isoformat()}T00:00:00Z"


def _busiest(ships: list[Ship], end: int) -> list[int]:
    """Hours of heavy traffic: the busiest of every half week."""
    load = [0] * (end + 200)
    for ship in ships:
        for hour in range(ship.planned_hour, ship.planned_hour + ship.handling):
            load[hour] += ship.sections
    return [max(range(a, a + 84), key=lambda t: load[t]) for a in range(0, end, 84)]


def _notice(task: Task, d: dict[str, Any]) -> str:
    """One disruption in words."""
    ship: Ship | None = d.get("ship")
    who = f"{ship.name} (ship {ship.id})" if ship else ""
    match d["type"]:
        case "late":
            return f"{who} is {d['hours']} hours late and can berth from hour {ship.arrival}."
        case "bunch":
            names = ", ".join(f"{s.name} (ship {s.id})" for s in d["ships"])
            return f"Fog held up {len(d['ships'])} ships; they arrive together at hour {d['hour']}: {names}."
        case "extra":
            load = f", {ship.workload * task.rules['crane_rate']} moves" if task.pool else ""
            return f"{who} asks for a berth outside the plan: here from hour {ship.arrival}{load}, due out at hour {ship.due}."
        case "closure":
            return f"Sections {d['first']}-{d['last']} are closed from hour {d['start']} to hour {d['end']}: {d['reason']}."
        case "crane_outage":
            return f"{d['cranes']} of the {task.pool} cranes are down from hour {d['start']} to hour {d['end']}: {d['reason']}."
        case "gale":
            if "min_length" not in d:
                return f"Gale: no ship berths or leaves from hour {d['start']} to hour {d['end']}."
            text = f"Wind: ships of {d['min_length']} m or more neither berth nor leave from hour {d['start']} to hour {d['end']}"
            if "core_start" in d:
                text += f"; from hour {d['core_start']} to hour {d['core_end']} no ship does"
            return text + "."
        case "emergency":
            return f"Emergency: {who} should berth by hour {d['deadline']}; every hour after that costs {d['penalty']}."
        case _:
            return f"Priority cargo: lateness of {who} counts {d['weight']} times."
