"""A berth-planning task, and the rules a plan is judged by.

Nothing here knows about the solver: what this file accepts and prices is what
the solver's plans are checked against.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

MOVE_COST = 5


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a plan puts one ship."""

    hour: int
    section: int
    cranes: int


Plan = dict[int, Slot]


@dataclass
class Ship:
    id: int
    name: str
    length_m: float
    sections: int
    arrival: int
    handling: int
    planned_hour: int | None
    planned_section: int | None
    due: int
    imo: str = ""
    from_port: str = ""
    to_port: str = ""
    workload: int | None = None
    min_cranes: int | None = None
    max_cranes: int | None = None
    std_cranes: int | None = None
    weight: int = 1
    berth_deadline: int | None = None
    deadline_penalty: int = 0

    @property
    def wanted_hour(self) -> int:
        return self.arrival if self.planned_hour is None else self.planned_hour


@dataclass
class Block:
    first: int
    last: int
    start: int
    end: int
    kind: str
    label: str = ""
    cranes: int = 0

    def meets(self, first: int, last: int, start: int, end: int) -> bool:
        return self.first <= last and first <= self.last and self.start < end and start < self.end


def _from_json(cls: type, data: dict[str, Any]) -> Any:
    known = {f.name for f in fields(cls)}
    return cls(**{key: value for key, value in data.items() if key in known})


@dataclass
class Task:
    """A task. `windows[s]` are the joined no-move windows that bind ship s."""

    task_id: str
    split: str
    terminal: str
    quay: str
    first_section: int
    last_section: int
    section_m: float
    week: int
    week_start_utc: str
    difficulty: str
    ships: list[Ship]
    blocks: list[Block]
    notices: list[str] = field(default_factory=list)
    disruptions: list[dict[str, Any]] = field(default_factory=list)
    rules: dict[str, Any] = field(default_factory=dict)

    @staticmethod
    def from_json(data: dict[str, Any]) -> Task:
        task: Task = _from_json(Task, data)
        task.ships = [_from_json(Ship, ship) for ship in data["ships"]]
        task.blocks = [_from_json(Block, block) for block in data["blocks"]]
        return task

    # --- rules -----------------------------------------------------------

    @property
    def pool(self) -> int:
        return self.rules.get("crane_pool") or 0

    @property
    def limit(self) -> int:
        """Movements an hour; 0 is no limit."""
        return (self.rules.get("max_moves_per_hour") or 0) if self.pool else 0

    def available(self, hour: int) -> int:
        """Cranes left at an hour, outages and ships already alongside taken off."""
        out = sum(o["cranes"] for o in self.rules.get("crane_outages", []) if o["start"] <= hour < o["end"])
        held = sum(b.cranes for b in self.blocks if b.kind == "alongside" and b.start <= hour < b.end)
        return self.pool - out - held

    def fixed_moves(self, hour: int) -> int:
        return sum(b.kind == "alongside" and b.end == hour for b in self.blocks)

    def windows(self, ship: Ship) -> list[tuple[int, int]]:
        if not self.pool:
            return []
        found = sorted(
            (w["start"], w["end"])
            for w in self.rules.get("no_moves", [])
            if ship.length_m >= w.get("min_length", 0)
        )
        joined: list[tuple[int, int]] = []
        for start, end in found:
            if joined and start <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(joined[-1][1], end))
            else:
                joined.append((start, end))
        return joined

    def crane_range(self, ship: Ship) -> range:
        return range(ship.min_cranes, ship.max_cranes + 1) if self.pool else range(1)

    def work(self, ship: Ship, cranes: int) -> int:
        if not self.pool:
            return ship.handling
        if not ship.min_cranes <= cranes <= ship.max_cranes:
            cranes = ship.std_cranes
        return max(1, -(-ship.workload // cranes))

    def departure(self, ship: Ship, finish: int) -> int:
        for start, end in self.windows(ship):
            if start <= finish < end:
                return end
        return finish

    def delay_cost(self, ship: Ship, hour: int, departure: int) -> int:
        cost = ship.sections * max(0, departure - ship.due) * ship.weight
        if ship.berth_deadline is not None:
            cost += ship.deadline_penalty * max(0, hour - ship.berth_deadline)
        return cost


@dataclass
class Checked:
    feasible: bool
    cost: int | None
    delay_cost: int | None
    moves: int | None
    problems: list[list[str]]
    departures: list[int | None]
    costs: list[int]


def check(task: Task, plan: Plan) -> Checked:
    """Every violation of a plan, and its price."""
    problems: list[list[str]] = [[] for _ in task.ships]
    finish: dict[int, int] = {}
    departure: dict[int, int] = {}
    for i, slot in plan.items():
        finish[i] = slot.hour + task.work(task.ships[i], slot.cranes)
        departure[i] = task.departure(task.ships[i], finish[i])
    used: dict[int, int] = {}
    moves: dict[int, int] = {}
    for i, slot in plan.items():
        for hour in range(slot.hour, finish[i]):
            used[hour] = used.get(hour, 0) + slot.cranes
        for hour in (slot.hour, departure[i]):
            moves[hour] = moves.get(hour, 0) + 1
    costs = []
    delay_total = 0
    moved_total = 0
    for ship in task.ships:
        found = problems[ship.id]
        slot = plan.get(ship.id)
        if slot is None:
            found.append("missing")
            costs.append(0)
            continue
        last = slot.section + ship.sections - 1
        if task.pool and any(a <= slot.hour < b for a, b in task.windows(ship)):
            found.append("no_move_window")
        if task.pool and not ship.min_cranes <= slot.cranes <= ship.max_cranes:
            found.append("crane_count")
        if slot.hour < ship.arrival:
            found.append("before_arrival")
        if slot.section < task.first_section or last > task.last_section:
            found.append("outside_quay")
        for block in task.blocks:
            if block.meets(slot.section, last, slot.hour, departure[ship.id]):
                found.append("overlap_alongside" if block.kind == "alongside" else "overlap_closed")
        for other in task.ships:
            there = plan.get(other.id)
            if other.id == ship.id or there is None:
                continue
            box = Block(there.section, there.section + other.sections - 1, there.hour, departure[other.id], "")
            if box.meets(slot.section, last, slot.hour, departure[ship.id]):
                found.append("overlap_ship")
        if task.pool and any(used[t] > task.available(t) for t in range(slot.hour, finish[ship.id])):
            found.append("crane_pool")
        if task.limit:
            for hour in (slot.hour, departure[ship.id]):
                if moves[hour] + task.fixed_moves(hour) > task.limit:
                    found.append("movement_limit")
        moved = ship.planned_section is not None and slot.section != ship.planned_section
        late = task.delay_cost(ship, slot.hour, departure[ship.id])
        costs.append(late + MOVE_COST * moved)
        delay_total += late
        moved_total += moved
    feasible = not any(problems)
    return Checked(
        feasible,
        delay_total + MOVE_COST * moved_total if feasible else None,
        delay_total if feasible else None,
        moved_total if feasible else None,
        problems,
        [departure.get(ship.id) for ship in task.ships],
        costs,
    )


def ship_floor(task: Task, ship: Ship) -> int:
    hour = ship.arrival
    for start, end in task.windows(ship):
        if start <= hour < end:
            hour = end
    finish = hour + task.work(ship, task.crane_range(ship)[-1])
    return task.delay_cost(ship, hour, task.departure(ship, finish))


def floor(task: Task) -> int:
    """A cost no plan can go below."""
    return sum(ship_floor(task, ship) for ship in task.ships)


class Board:
    """The quay while ships are placed on it one by one."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.boxes: list[Block] = list(task.blocks)
        self.used: dict[int, int] = {}
        self.moves: dict[int, int] = {}
        self.cranes: dict[int, int] = {}

    def available(self, hour: int) -> int:
        if hour not in self.cranes:
            self.cranes[hour] = self.task.available(hour)
        return self.cranes[hour]

    def fits_in_time(self, ship: Ship, hour: int, cranes: int) -> bool:
        task = self.task
        if not task.pool:
            return True
        if any(a <= hour < b for a, b in task.windows(ship)):
            return False
        finish = hour + task.work(ship, cranes)
        if any(self.used.get(t, 0) + cranes > self.available(t) for t in range(hour, finish)):
            return False
        return not task.limit or all(
            self.moves.get(t, 0) + task.fixed_moves(t) < task.limit
            for t in (hour, task.departure(ship, finish))
        )

    def sections_for(self, ship: Ship, hour: int, cranes: int) -> Iterator[int]:
        """First sections free for the whole stay, nearest to the planned one first."""
        task = self.task
        end = task.departure(ship, hour + task.work(ship, cranes))
        wanted = task.first_section if ship.planned_section is None else ship.planned_section
        near = [box for box in self.boxes if box.start < end and hour < box.end]
        choices = range(task.first_section, task.last_section - ship.sections + 2)
        for section in sorted(choices, key=lambda s: (abs(s - wanted), s)):
            last = section + ship.sections - 1
            if not any(box.first <= last and section <= box.last for box in near):
                yield section

    def place(self, ship: Ship, slot: Slot) -> None:
        finish = slot.hour + self.task.work(ship, slot.cranes)
        end = self.task.departure(ship, finish)
        self.boxes.append(Block(slot.section, slot.section + ship.sections - 1, slot.hour, end, "ship"))
        for hour in range(slot.hour, finish):
            self.used[hour] = self.used.get(hour, 0) + slot.cranes
        for hour in (slot.hour, end):
            self.moves[hour] = self.moves.get(hour, 0) + 1

    def first_fit(self, ship: Ship, hour: int, choices: list[int]) -> Slot:
        while True:
            for cranes in choices:
                if self.fits_in_time(ship, hour, cranes):
                    section = next(self.sections_for(ship, hour, cranes), None)
                    if section is not None:
                        slot = Slot(hour, section, cranes)
                        self.place(ship, slot)
                        return slot
            hour += 1


def naive(task: Task) -> Plan:
    """The naive re-plan: ships in planned order, standard cranes, first fit."""
    board = Board(task)
    plan: Plan = {}
    for ship in sorted(task.ships, key=lambda s: (s.wanted_hour, s.id)):
        plan[ship.id] = board.first_fit(ship, max(ship.arrival, ship.wanted_hour), [ship.std_cranes or 0])
    return plan


def greedy(task: Task) -> Plan:
    """Ships in order of arrival, as early as possible, with as many cranes as possible."""
    board = Board(task)
    plan: Plan = {}
    for ship in sorted(task.ships, key=lambda s: (s.arrival, s.id)):
        plan[ship.id] = board.first_fit(ship, ship.arrival, list(task.crane_range(ship))[::-1])
    return plan


def published(task: Task) -> Plan:
    """The plan that held before anything went wrong."""
    return {
        s.id: Slot(
            s.wanted_hour,
            task.first_section if s.planned_section is None else s.planned_section,
            s.std_cranes or 0,
        )
        for s in task.ships
    }


def reward(version: int, k: int, cost: int, naive_cost: int, optimum: int, low: int) -> float:
    """The reward of a feasible plan."""
    if version == 3:
        over, room = max(0, cost - optimum), max(0, optimum - low) + k
        gap = over / room if room else (0.0 if not over else math.inf)
        return 0.2 + 0.8 * math.exp(-gap / 0.5)
    if version == 2:
        return 0.2 + 0.8 * math.exp(-max(0.0, (cost - optimum) / max(1, naive_cost - optimum)) / 0.25)
    if cost > naive_cost:
        return 0.2 + 0.4 * naive_cost / cost
    if naive_cost <= optimum:
        return 1.0
    return 0.6 + 0.4 * min(1.0, (naive_cost - cost) / (naive_cost - optimum))


def own_reward(task: Task, cost: int, naive_cost: int, optimum: int) -> float:
    rules = task.rules
    return reward(rules.get("reward", 1), rules.get("gap_k", 100), cost, naive_cost, optimum, floor(task))


def selftest(folder: str) -> int:
    """Compare this file with recorded cases; returns how many plans were compared."""
    import json
    from pathlib import Path

    count = 0

    def same(where: str, got: Any, want: Any) -> None:
        if got != want:
            raise SystemExit(f"{where}: got {got!r}, expected {want!r}")

    for path in sorted(Path(folder).glob("*.json")):
        data = json.loads(path.read_text("utf-8"))
        task, ref = Task.from_json(data["task"]), data["reference"]

        def read(rows: list[dict[str, int]]) -> Plan:
            return {r["ship"]: Slot(r["berth_hour"], r["section"], r.get("cranes") or 0) for r in rows}

        same(f"{path.name} floor", floor(task), ref["floor"])
        same(f"{path.name} naive", naive(task), read(ref["naive_plan"]))
        same(f"{path.name} naive cost", check(task, naive(task)).cost, ref["naive_cost"])
        for case in data["cases"]:
            expect, where = case["expect"], f"{path.name} {case['name']}"
            if expect["check"] is None:
                continue
            plan = read(expect["plan"])
            if case["name"] == "greedy":
                same(where, greedy(task), plan)
            if case["name"] == "published":
                same(where, published(task), plan)
            result, want = check(task, plan), expect["check"]
            for key in ("cost", "delay_cost", "moves"):
                same(f"{where} {key}", getattr(result, key), want[key])
            same(f"{where} violations", sum(map(len, result.problems)), want["violations"])
            for ship, row in enumerate(want["ships"]):
                same(f"{where} ship {ship}", result.departures[ship], row["departure"])
                same(f"{where} ship {ship}", result.costs[ship], row["cost"])
                same(f"{where} ship {ship}", sorted(result.problems[ship]), sorted(row["problems"]))
            grade, dropped = expect["grade"], len(expect["parse"]["problems"])
            same(f"{where} feasible", result.feasible and not dropped, grade["feasible"])
            clean = sum(not p for p in result.problems) / max(1, len(task.ships) + dropped)
            for version in (1, 2, 3):
                got = 0.2 * clean
                if grade["feasible"]:
                    k = task.rules.get("gap_k", 100)
                    got = reward(version, k, result.cost, ref["naive_cost"], ref["optimal_cost"], floor(task))
                if abs(got - grade["reward"][str(version)]) > 1e-6:
                    same(f"{where} reward {version}", got, grade["reward"][str(version)])
            count += 1
    return count
