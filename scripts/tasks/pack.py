"""The files the tasks are kept in, and the test of what they hold."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from .generate import PORT, standard_cranes
from .model import Plan, Slot, Task, check, floor, greedy, naive, own_reward, published

TIERS = ("standard", "busy", "storm", "extreme")
NAIVE_MOST, GREEDY_MOST = 0.6, 0.85
PACK_MOST = 60_000  # bytes after gzip


def to_json(value: Any) -> dict[str, Any]:
    """A dataclass as JSON, fields that hold their default left out."""
    out: dict[str, Any] = {}
    for f in fields(value):
        here = getattr(value, f.name)
        if f.name != "imo" and f.default is not MISSING and here == f.default:
            continue
        out[f.name] = [to_json(x) for x in here] if f.name in ("ships", "blocks") else here
    return out


def pack_plan(plan: Plan) -> list[list[int]]:
    return [[s.hour, s.section, s.cranes] for _, s in sorted(plan.items())]


def unpack_plan(rows: list[list[int]]) -> Plan:
    return {i: Slot(*row) for i, row in enumerate(rows)}


def with_reference(task: Task, optimal_cost: int, optimal_plan: Plan) -> dict[str, Any]:
    simple = naive(task)
    return to_json(task) | {
        "reference": {
            "naive_cost": check(task, simple).cost,
            "optimal_cost": optimal_cost,
            "greedy_cost": check(task, greedy(task)).cost,
            "floor": floor(task),
            "proven_optimal": True,
            "optimal_plan": pack_plan(optimal_plan),
            "naive_plan": pack_plan(simple),
        }
    }


def dump(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=True)


def write(folder: Path, tasks: list[dict[str, Any]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if tasks[0]["task_id"] == "first":
        (folder / "first.json").write_text(dump(tasks[0]) + "\n", "ascii")
    lines = ",\n".join(dump(task) for task in tasks)
    (folder / "pack.json").write_text(f'{{"version":1,"port":{dump(PORT)},"tasks":[\n{lines}\n]}}\n', "ascii")


def faults(data: dict[str, Any]) -> list[str]:
    """What is wrong with a stored task; the solver is not asked."""
    task, ref = Task.from_json(data), data["reference"]
    bad: list[str] = []

    def must(fine: bool, what: str) -> None:
        if not fine:
            bad.append(f"{task.task_id}: {what}")

    # the reference
    best = check(task, unpack_plan(ref["optimal_plan"]))
    simple = naive(task)
    must(best.feasible and best.cost == ref["optimal_cost"], f"optimal plan: {best.cost} {best.problems}")
    must(len(ref["optimal_plan"]) == len(task.ships), "optimal plan: ships")
    must(pack_plan(simple) == ref["naive_plan"], "naive plan")
    must(check(task, simple).cost == ref["naive_cost"], "naive cost")
    must(check(task, greedy(task)).cost == ref["greedy_cost"], "greedy cost")
    must(floor(task) == ref["floor"], "floor")
    must(ref["proven_optimal"] is True, "not proven")
    must(ref["floor"] <= ref["optimal_cost"] <= min(ref["naive_cost"], ref["greedy_cost"]), "order of costs")
    must(ref["optimal_cost"] > 0, "nothing to lose")
    must(own_reward(task, ref["naive_cost"], ref["naive_cost"], ref["optimal_cost"]) <= NAIVE_MOST, "naive reward")
    must(own_reward(task, ref["greedy_cost"], ref["naive_cost"], ref["optimal_cost"]) <= GREEDY_MOST, "greedy reward")
    must(not check(task, published(task)).feasible, "the published plan still holds")

    # the shape
    names = [s.name for s in task.ships] + [b.label for b in task.blocks if b.kind == "alongside"]
    must(len(set(names)) == len(names), "names repeat")
    must(all(re.fullmatch(r"[A-Z]+ [A-Z]+", n) for n in names), "names")
    must([s.id for s in task.ships] == list(range(len(task.ships))), "ids")
    must(task.difficulty in TIERS and task.split in ("train", "eval"), "tier or split")
    for n, block in enumerate(task.blocks):
        must(task.first_section <= block.first <= block.last <= task.last_section, "block outside the quay")
        must(block.start < block.end, "empty block")
        for other in task.blocks[:n]:
            must(not block.meets(other.first, other.last, other.start, other.end), "blocks overlap")
    alongside = [b for b in task.blocks if b.kind == "alongside"]
    must(task.blocks[: len(alongside)] == alongside, "alongside blocks come first")
    must(all(b.start == 0 for b in alongside) and len({b.cranes for b in alongside}) <= 1, "alongside blocks")
    for s in task.ships:
        must(s.length_m == int(s.length_m), f"ship {s.id}: length")
        must((s.planned_hour is None) == (s.planned_section is None), f"ship {s.id}: plan")
        if task.pool:
            must(1 <= s.min_cranes <= s.std_cranes <= s.max_cranes <= task.pool, f"ship {s.id}: cranes")
            must(s.std_cranes == standard_cranes(s.length_m), f"ship {s.id}: standard cranes")
            must(s.handling == -(-s.workload // s.std_cranes), f"ship {s.id}: handling")
        else:
            must(s.workload is s.min_cranes is s.max_cranes is s.std_cranes is None, f"ship {s.id}: cranes")

    # disruptions and the rest say the same
    must(len(task.notices) == len(task.disruptions), "notices")
    late: set[int] = set()
    kinds = Counter(d["type"] for d in task.disruptions)
    for d in task.disruptions:
        ship = task.ships[d["ship"]] if "ship" in d else None
        match d["type"]:
            case "late":
                must(ship.arrival == ship.planned_hour + d["hours"], "late")
                late.add(ship.id)
            case "bunch":
                must(all(task.ships[i].arrival == d["hour"] for i in d["ships"]), "bunch")
                late |= set(d["ships"])
            case "extra":
                must(ship.planned_hour is None, "extra")
            case "closure":
                key = (d["first"], d["last"], d["start"], d["end"], d["reason"])
                must(any(key == (b.first, b.last, b.start, b.end, b.label) for b in task.blocks), "closure")
            case "crane_outage":
                key = {k: d[k] for k in ("start", "end", "cranes")}
                must(key in task.rules["crane_outages"], "outage")
            case "gale":
                found = [(w["start"], w["end"], w["min_length"]) for w in task.rules["no_moves"]]
                must((d["start"], d["end"], d.get("min_length", 0)) in found, "wind")
                must("core_start" not in d or (d["core_start"], d["core_end"], 0) in found, "gale")
            case "emergency":
                must((ship.berth_deadline, ship.deadline_penalty) == (d["deadline"], d["penalty"]), "emergency")
            case "priority":
                must(ship.weight == d["weight"], "priority")
            case other:
                must(False, f"disruption {other}")
    must(kinds["extra"] == sum(s.planned_hour is None for s in task.ships), "unscheduled calls")
    must(kinds["closure"] == len(task.blocks) - len(alongside), "closures")
    must(kinds["crane_outage"] == len(task.rules.get("crane_outages", [])), "outages")
    must(kinds["emergency"] == sum(s.berth_deadline is not None for s in task.ships), "emergencies")
    must(kinds["priority"] == sum(s.weight != 1 for s in task.ships), "priorities")
    for s in task.ships:
        must(s.planned_hour is None or s.id in late or s.arrival <= s.planned_hour, f"ship {s.id}: late unsaid")
    return bad


def sizes(folder: Path) -> str:
    raw = (folder / "pack.json").read_bytes()
    text = f"pack.json: {len(raw)} bytes, gzip -9 {len(gzip.compress(raw, 9, mtime=0))}"
    try:
        import brotli  # optional
    except ImportError:
        return text
    return f"{text}, brotli {len(brotli.compress(raw, quality=11))}"


def table_row(data: dict[str, Any]) -> str:
    task, ref = Task.from_json(data), data["reference"]
    n, g, o = ref["naive_cost"], ref["greedy_cost"], ref["optimal_cost"]
    weeks = -(-max(s.wanted_hour for s in task.ships) // 168)
    return (
        f"{task.task_id:12} {task.difficulty:9} {task.split:6} {len(task.ships):3} {weeks:2} {n:6} {g:6} {o:6} "
        f"{ref['floor']:6} {own_reward(task, n, n, o):7.3f} {own_reward(task, g, n, o):7.3f}"
    )


TABLE_HEAD = "task         tier      split  ships weeks naive greedy optimal floor  r(naive) r(greedy)"


def verify(folder: Path) -> list[str]:
    """What is wrong with the files."""
    pack = json.loads((folder / "pack.json").read_text("ascii"))
    tasks = pack["tasks"]
    bad = [fault for data in tasks for fault in faults(data)]
    first = json.loads((folder / "first.json").read_text("ascii"))
    if first != tasks[0] or first["task_id"] != "first":
        bad.append("first.json is not the first task of pack.json")
    if pack["version"] != 1 or pack["port"] != PORT:
        bad.append("head of pack.json")
    if len({t["task_id"] for t in tasks}) != len(tasks):
        bad.append("task ids repeat")
    tiers = Counter(t["difficulty"] for t in tasks)
    bad += [f"only {tiers[tier]} tasks of tier {tier}" for tier in TIERS if tiers[tier] < 6]
    packed = len(gzip.compress((folder / "pack.json").read_bytes(), 9, mtime=0))
    if packed > PACK_MOST:
        bad.append(f"pack.json has {packed} bytes after gzip")
    return bad
