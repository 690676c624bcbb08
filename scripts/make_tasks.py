"""Make the built-in task pack: data/tasks/first.json and data/tasks/pack.json.

    python3.11 -m venv /tmp/tasks-venv
    /tmp/tasks-venv/bin/pip install -r scripts/tasks/requirements.txt
    /tmp/tasks-venv/bin/python scripts/make_tasks.py            # make what the cache lacks, write both files
    /tmp/tasks-venv/bin/python scripts/make_tasks.py --only storm-03
    python3.11 scripts/make_tasks.py --verify                   # test the files, no solver needed
    python3.11 scripts/make_tasks.py --selftest FOLDER          # compare the checker with recorded cases

Each task of the table below is tried with attempt 0, 1, 2, ...; the first
attempt is kept that has an optimum proven within a fixed amount of solver work
(deterministic time, not seconds), and that meets the limits in `judge`.
Nothing depends on the clock, so a second run gives the same bytes. Attempts
are cached in a folder outside the tree, so an interrupted run resumes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import Any

from tasks import generate, model, pack
from tasks.generate import Wish

HERE = Path(__file__).resolve().parent
DATA = HERE.parent / "data" / "tasks"
WORK = 8.0  # deterministic solver time for one attempt
ATTEMPTS = 400
# what the ships must at least cost one another: optimum less floor
LEAST_CONFLICT = {"standard": 20, "busy": 30, "storm": 40, "extreme": 60}

# fmt: off
WISHES = (
    Wish("first", "busy", "train", "gannet", 17, 1, 9, late=3, extra=1, emergency=1, priority=1, outages=1, wind="b", lively=True),

    Wish("standard-01", "standard", "train", "north", 12, 1, late=3, reward=1),
    Wish("standard-02", "standard", "eval", "gannet", 20, 1, late=4, extra=1, reward=2),
    Wish("standard-03", "standard", "train", "north", 13, 1, 7, late=3),
    Wish("standard-04", "standard", "eval", "gannet", 16, 1, 8, late=2, priority=1, outages=1),
    Wish("standard-05", "standard", "train", "saltpan", 18, 1, 9, late=3, emergency=1),
    Wish("standard-06", "standard", "train", "north", 22, 2, 7, late=3, extra=1, reward=2),
    Wish("standard-07", "standard", "eval", "saltpan", 24, 2, 8, late=3, outages=1, priority=1, reward=1),

    Wish("busy-01", "busy", "train", "saltpan", 20, 1, 9, bunch=4, outages=1, priority=1),
    Wish("busy-02", "busy", "eval", "gannet", 22, 1, 10, late=2, bunch=3, extra=1, closures=2),
    Wish("busy-03", "busy", "train", "saltpan", 25, 1, 10, late=2, bunch=3, extra=2, priority=2),
    Wish("busy-04", "busy", "eval", "gannet", 30, 2, 9, late=3, bunch=4, extra=1, outages=2, emergency=1),
    Wish("busy-05", "busy", "train", "north", 32, 2, 9, late=3, bunch=3, extra=2, closures=2, outages=1, priority=1),
    Wish("busy-06", "busy", "train", "saltpan", 38, 2, 10, late=4, bunch=4, extra=2, closures=2, outages=2, priority=2),

    Wish("storm-01", "storm", "train", "north", 15, 1, 7, wind="b", closures=1),
    Wish("storm-02", "storm", "eval", "saltpan", 18, 1, 9, late=2, wind="ba", outages=1, emergency=1),
    Wish("storm-03", "storm", "train", "gannet", 22, 1, 10, late=3, wind="b", extra=1, priority=1),
    Wish("storm-04", "storm", "eval", "north", 28, 2, 8, late=3, wind="bl", outages=1, extra=1, reward=2),
    Wish("storm-05", "storm", "train", "gannet", 34, 2, 9, late=3, wind="bla", outages=1, extra=2, emergency=1, priority=1),
    Wish("storm-06", "storm", "eval", "saltpan", 45, 3, 9, late=4, wind="blab", closures=2, outages=2, extra=2, emergency=1),

    Wish("extreme-01", "extreme", "train", "saltpan", 25, 1, 11, late=3, bunch=3, extra=2, wind="b", outages=1, emergency=1, priority=1),
    Wish("extreme-02", "extreme", "eval", "gannet", 32, 2, 9, late=4, bunch=3, extra=2, wind="bl", closures=2, outages=1, emergency=1, priority=1),
    Wish("extreme-03", "extreme", "train", "saltpan", 40, 2, 11, late=4, bunch=4, extra=2, wind="ba", closures=2, outages=2, emergency=2, priority=2),
    Wish("extreme-04", "extreme", "eval", "north", 42, 3, 8, late=5, bunch=3, extra=2, wind="bla", closures=2, outages=2, emergency=1, priority=2, reward=2),
    Wish("extreme-05", "extreme", "train", "gannet", 50, 3, 9, late=5, bunch=4, extra=3, wind="bla", closures=3, outages=2, emergency=2, priority=2),
    Wish("extreme-06", "extreme", "eval", "saltpan", 60, 3, 11, late=6, bunch=4, extra=4, wind="blab", closures=3, outages=3, emergency=2, priority=3, limit=3),
)
# fmt: on


def judge(data: dict[str, Any], lively: bool) -> str:
    """Why a task is not kept; empty when it is."""
    task, ref = model.Task.from_json(data), data["reference"]
    optimum, low, simple, quick = (ref[k] for k in ("optimal_cost", "floor", "naive_cost", "greedy_cost"))
    moves = model.check(task, pack.unpack_plan(ref["optimal_plan"])).moves
    if optimum < 50 or optimum - low < LEAST_CONFLICT[task.difficulty]:
        return "too little to lose"
    if simple > 8 * optimum or quick > 5 * optimum:
        return "the simple plans are hopeless"
    if lively and (moves < 3 or optimum - low < 80 or simple > 3.5 * optimum or quick > 2.5 * optimum):
        return "not lively"
    if model.own_reward(task, simple, simple, optimum) > pack.NAIVE_MOST:
        return "the naive plan is too good"
    if model.own_reward(task, quick, simple, optimum) > pack.GREEDY_MOST:
        return "the greedy plan is too good"
    if model.check(task, model.published(task)).feasible:
        return "the published plan still holds"
    return ""


def attempt(wish: Wish, number: int, work: float) -> dict[str, Any]:
    """One attempt: the task with its reference, or why there is no proven optimum."""
    task = generate.generate(wish, number)
    if task is None:
        return {"why": "does not work out"}
    # where even the greedy plan piles up delay, a proof takes long: not tried
    if model.check(task, model.greedy(task)).cost > 3 * model.floor(task) + 300:
        return {"why": "too congested"}
    from tasks import solve

    try:
        solved = solve.solve(task, work)
    except solve.NotProven:
        return {"why": "not proven within the budget"}
    return {
        "task": pack.with_reference(task, solved.cost, solved.plan),
        "note": f"{solved.seconds:.1f} s, work {solved.work:.2f}, largest group {solved.largest}",
    }


def cache_name(wish: Wish, number: int, work: float) -> str:
    from importlib.metadata import version

    seed = hashlib.sha256(repr((astuple(wish), number, work, version("ortools"))).encode())
    for part in ("model", "generate", "solve"):
        seed.update((HERE / "tasks" / f"{part}.py").read_bytes())
    return f"{wish.name}-{number}-{seed.hexdigest()[:16]}.json"


def make(wish: Wish, cache: Path, work: float) -> dict[str, Any]:
    for number in range(ATTEMPTS):
        kept = cache / cache_name(wish, number, work)
        if kept.exists():
            result = json.loads(kept.read_text())
        else:
            result = attempt(wish, number, work)
            half = kept.with_suffix(".part")
            half.write_text(json.dumps(result))
            half.rename(kept)
        why = result.get("why") or judge(result["task"], wish.lively)
        print(f"{wish.name} attempt {number}: {why or 'kept'} {result.get('note', '')}", file=sys.stderr, flush=True)
        if not why:
            return result["task"]
    raise SystemExit(f"{wish.name}: nothing to keep in {ATTEMPTS} attempts")


def main() -> None:
    parser = argparse.ArgumentParser(description="Make or test the built-in task pack.")
    parser.add_argument("--only", metavar="NAME", help="make one task, print its row and write nothing")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="tasks worked on at a time")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "quayside-tasks", metavar="FOLDER")
    parser.add_argument("--verify", action="store_true", help="test the files with the checker, without solving")
    parser.add_argument("--selftest", metavar="FOLDER", help="compare the checker with recorded cases")
    args = parser.parse_args()
    if args.selftest:
        print(f"{model.selftest(args.selftest)} plans agree")
        return
    if args.verify:
        bad = pack.verify(DATA)
        print(pack.TABLE_HEAD)
        for data in json.loads((DATA / "pack.json").read_text("ascii"))["tasks"]:
            print(pack.table_row(data))
        print(pack.sizes(DATA))
        if bad:
            raise SystemExit("\n".join(bad))
        return
    wishes = [w for w in WISHES if args.only in (None, w.name)]
    if not wishes:
        raise SystemExit(f"no task is called {args.only}")
    args.cache.mkdir(parents=True, exist_ok=True)
    one = partial(make, cache=args.cache, work=WORK)
    if args.jobs > 1:
        with ProcessPoolExecutor(args.jobs) as workers:
            tasks = list(workers.map(one, wishes))
    else:
        tasks = [one(wish) for wish in wishes]
    bad = [fault for data in tasks for fault in pack.faults(data)]
    if bad:
        raise SystemExit("\n".join(bad))
    print(pack.TABLE_HEAD)
    for data in tasks:
        print(pack.table_row(data))
    if args.only is None:
        pack.write(DATA, tasks)
        print(pack.sizes(DATA))


if __name__ == "__main__":
    main()
