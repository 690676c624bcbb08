"""The least cost of a task, proven with CP-SAT.

Ships are solved in groups. At first every ship is a group of its own; groups
whose best plans clash are merged and solved again, until the plans fit
together. A group's optimum ignores all other groups, so the sum of the optima
is a lower bound for the task; the joined plan costs exactly that sum, so it is
optimal.

Within a group only slots are offered that cost at most `gap` more than the
ship's own least cost. If the group's best plan is at most `gap` above the sum
of those least costs, no left-out slot can belong to a cheaper plan; otherwise
the gap is widened and the group solved again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from ortools.sat.python import cp_model

from .model import MOVE_COST, Board, Plan, Ship, Slot, Task, check, ship_floor


class NotProven(Exception):
    """The solver ran out of its budget."""


@dataclass(frozen=True)
class Option:
    hour: int
    cranes: int
    finish: int
    departure: int
    cost: int


def options(task: Task, ship: Ship, gap: int) -> list[Option]:
    """Hours and crane counts of a ship that cost at most `gap` above its floor."""
    most = ship_floor(task, ship) + gap
    windows = task.windows(ship)
    found: list[Option] = []
    works: set[int] = set()
    for cranes in task.crane_range(ship):
        work = task.work(ship, cranes)
        if work in works:  # one crane fewer does the same
            continue
        works.add(work)
        hour = ship.arrival
        while True:
            departure = task.departure(ship, hour + work)
            cost = task.delay_cost(ship, hour, departure)
            if cost > most:  # never falls with the hour
                break
            if not any(a <= hour < b for a, b in windows) and _fits_alone(task, hour, cranes, hour + work, departure):
                found.append(Option(hour, cranes, hour + work, departure, cost))
            hour += 1
    return found


def _fits_alone(task: Task, hour: int, cranes: int, finish: int, departure: int) -> bool:
    if task.pool and any(task.available(t) < cranes for t in range(hour, finish)):
        return False
    return not task.limit or all(task.fixed_moves(t) < task.limit for t in (hour, departure))


@dataclass
class Budget:
    """Deterministic solver time left for a task."""

    left: float
    spent: float = 0.0


def solve_group(task: Task, ids: list[int], gap: int, budget: Budget, hint: Plan) -> tuple[int, Plan] | None:
    """The cheapest plan of some ships, all others ignored; None if the gap leaves none."""
    model = cp_model.CpModel()
    choice: dict[int, list[tuple[Option, cp_model.IntVar]]] = {}
    boxes_x, boxes_y = [], []
    sections: dict[int, cp_model.IntVar] = {}
    terms = []
    low = 0
    for i in ids:
        ship = task.ships[i]
        low += ship_floor(task, ship)
        opts = options(task, ship, gap)
        if not opts:
            return None
        choice[i] = [(o, model.new_bool_var("")) for o in opts]
        model.add_exactly_one(x for _, x in choice[i])
        first = model.new_int_var(task.first_section, task.last_section - ship.sections + 1, "")
        sections[i] = first
        start = model.new_int_var_from_domain(cp_model.Domain.from_values([o.hour for o in opts]), "")
        end = model.new_int_var_from_domain(cp_model.Domain.from_values([o.departure for o in opts]), "")
        stay = model.new_int_var_from_domain(
            cp_model.Domain.from_values([o.departure - o.hour for o in opts]), ""
        )
        model.add(start == sum(o.hour * x for o, x in choice[i]))
        model.add(end == sum(o.departure * x for o, x in choice[i]))
        boxes_x.append(model.new_interval_var(start, stay, end, ""))
        boxes_y.append(model.new_fixed_size_interval_var(first, ship.sections, ""))
        terms += [o.cost * x for o, x in choice[i] if o.cost]
        if ship.planned_section is not None:
            moved = model.new_bool_var("")
            model.add(first == ship.planned_section).only_enforce_if(~moved)
            terms.append(MOVE_COST * moved)
        if i in hint:
            slot = hint[i]
            model.add_hint(first, slot.section)
            for o, x in choice[i]:
                model.add_hint(x, o.hour == slot.hour and o.cranes == slot.cranes)
    begin = min(o.hour for c in choice.values() for o, _ in c)
    finish = max(o.departure for c in choice.values() for o, _ in c)
    for block in task.blocks:
        if block.start < finish and begin < block.end:
            boxes_x.append(model.new_fixed_size_interval_var(block.start, block.end - block.start, ""))
            boxes_y.append(model.new_fixed_size_interval_var(block.first, block.last - block.first + 1, ""))
    model.add_no_overlap_2d(boxes_x, boxes_y)
    quay = task.last_section - task.first_section + 1
    for t in range(begin, finish + 1):
        blocked = sum(b.last - b.first + 1 for b in task.blocks if b.start <= t < b.end)
        here = [(task.ships[i].sections, x) for i in ids for o, x in choice[i] if o.hour <= t < o.departure]
        if here:  # follows from the boxes; it gives the solver better bounds
            model.add(sum(n * x for n, x in here) <= quay - blocked)
        if task.pool:
            working = [(o.cranes, x) for i in ids for o, x in choice[i] if o.hour <= t < o.finish]
            if working:
                model.add(sum(n * x for n, x in working) <= task.available(t))
        if task.limit:
            moving = [x for i in ids for o, x in choice[i] if t in (o.hour, o.departure)]
            if moving:
                model.add(sum(moving) <= task.limit - task.fixed_moves(t))
    if terms:
        model.minimize(sum(terms))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 7
    solver.parameters.linearization_level = 2
    solver.parameters.interleave_search = len(ids) > 4
    solver.parameters.max_deterministic_time = max(0.01, budget.left)
    status = solver.solve(model)
    spent = solver.response_proto.deterministic_time
    budget.left -= spent
    budget.spent += spent
    if status == cp_model.INFEASIBLE:
        return None
    if status != cp_model.OPTIMAL:
        raise NotProven
    plan: Plan = {}
    for i in ids:
        option = next(o for o, x in choice[i] if solver.boolean_value(x))
        plan[i] = Slot(option.hour, solver.value(sections[i]), option.cranes)
    return round(solver.objective_value) if terms else 0, plan


@dataclass
class Group:
    ids: list[int]
    gap: int
    cost: int
    plan: Plan


def _optimal_group(task: Task, ids: list[int], gap: int, budget: Budget, hint: Plan) -> Group:
    low = sum(ship_floor(task, task.ships[i]) for i in ids)
    while True:
        found = solve_group(task, ids, gap, budget, hint)
        if found is None:
            gap = 2 * gap + 20
            continue
        cost, plan = found
        if cost - low <= gap:
            return Group(ids, cost - low, cost, plan)
        gap, hint = cost - low, plan


def _clashes(task: Task, plan: Plan) -> list[list[int]]:
    """Sets of ships that break a rule together."""
    ships, sets = task.ships, []
    finish = {i: s.hour + task.work(ships[i], s.cranes) for i, s in plan.items()}
    leave = {i: task.departure(ships[i], finish[i]) for i in plan}
    for i in plan:
        for j in plan:
            a, b = plan[i], plan[j]
            if (
                i < j
                and a.section < b.section + ships[j].sections
                and b.section < a.section + ships[i].sections
                and a.hour < leave[j]
                and b.hour < leave[i]
            ):
                sets.append([i, j])
    if task.pool:
        rises = {o["start"] for o in task.rules.get("crane_outages", [])} | {b.start for b in task.blocks}
        for t in sorted(rises | {s.hour for s in plan.values()}):
            working = [i for i in plan if plan[i].hour <= t < finish[i]]
            if working and sum(plan[i].cranes for i in working) > task.available(t):
                sets.append(working)
    if task.limit:
        for t in sorted({s.hour for s in plan.values()} | set(leave.values())):
            moving = [i for i in plan if t in (plan[i].hour, leave[i])]
            if len(moving) + task.fixed_moves(t) > task.limit:
                sets.append(moving)
    return sets


def _tidy(task: Task, plan: Plan) -> Plan:
    """Among plans of equal cost, bring each ship close to its planned slot, in id order."""
    plan = dict(plan)
    for _ in range(4):
        before = dict(plan)
        for ship in task.ships:
            board = Board(task)
            for other in task.ships:
                if other is not ship:
                    board.place(other, plan[other.id])
            wanted = task.first_section if ship.planned_section is None else ship.planned_section
            cost = _slot_cost(task, ship, plan[ship.id])
            slots = [plan[ship.id]]
            for option in options(task, ship, cost - ship_floor(task, ship)):
                if board.fits_in_time(ship, option.hour, option.cranes):
                    for section in board.sections_for(ship, option.hour, option.cranes):
                        slot = Slot(option.hour, section, option.cranes)
                        if _slot_cost(task, ship, slot) == cost:
                            slots.append(slot)
            plan[ship.id] = min(
                slots,
                key=lambda s: (
                    abs(s.section - wanted),
                    abs(s.hour - max(ship.arrival, ship.wanted_hour)),
                    abs(s.cranes - (ship.std_cranes or 0)),
                    s.section,
                    s.hour,
                ),
            )
        if plan == before:
            break
    return plan


def _slot_cost(task: Task, ship: Ship, slot: Slot) -> int:
    departure = task.departure(ship, slot.hour + task.work(ship, slot.cranes))
    return task.delay_cost(ship, slot.hour, departure) + MOVE_COST * (ship.planned_section not in (None, slot.section))


@dataclass
class Solved:
    cost: int
    plan: Plan
    largest: int  # ships in the largest group
    work: float  # deterministic solver time
    seconds: float


def solve(task: Task, work: float) -> Solved:
    """Optimal cost and plan; NotProven when `work` (deterministic time) does not suffice."""
    began = time.monotonic()
    budget = Budget(work)
    groups = [_optimal_group(task, [s.id], 0, budget, {}) for s in task.ships]
    while True:
        plan = {i: slot for group in groups for i, slot in group.plan.items()}
        clashes = _clashes(task, plan)
        if not clashes:
            break
        for clash in clashes:
            hit = [g for g in groups if set(clash) & set(g.ids)]
            if len(hit) > 1:
                groups = [g for g in groups if g not in hit]
                ids = sorted(i for g in hit for i in g.ids)
                groups.append(Group(ids, max(20, *(g.gap for g in hit), sum(g.gap for g in hit)), -1, {}))
        for n, group in enumerate(groups):
            if group.cost < 0:
                groups[n] = _optimal_group(task, group.ids, group.gap, budget, {})
    cost = sum(g.cost for g in groups)
    for final in (plan, _tidy(task, plan)):
        result = check(task, final)
        if not result.feasible or result.cost != cost:
            raise AssertionError(f"{task.task_id}: solver says {cost}, check says {result.cost} {result.problems}")
    return Solved(cost, dict(sorted(final.items())), max(len(g.ids) for g in groups), budget.spent, time.monotonic() - began)
