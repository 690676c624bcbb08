"""A berth-planning environment as a real OpenEnv server, for tests of the page against the real protocol.

    target/venv/current/bin/python tests/e2e/servers/berth_env.py --port 8000
    target/venv/oldest/bin/python  tests/e2e/servers/berth_env.py --port 8001

One and the same file runs with the newest `openenv` and with the oldest one that carries metadata over the wire, in
which an environment hands out its instructions. Prints its address on a line of its own once it listens.

    --slow SECONDS      every tool call takes that long
    --max-sessions N    how many sockets at a time (8); one more gets CAPACITY_REACHED
    --prompt-missing    reset tells the task's id only: no instructions, no situation
    --page FOLDER       serves that folder too, so that the Task API has the page's own origin
    --cors              lets pages of any origin read the Task API, as no OpenEnv server does by itself
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import sys
from typing import Any, Optional, Union
from unittest.mock import MagicMock
from uuid import uuid4

# OpenEnv loads the toolkit of its built-in web page whether or not there is to be one. This server has none, so it need
# not wait seconds for the toolkit, nor have it installed. Nothing on the wire depends on it.
sys.modules["gradio"] = MagicMock(__name__="gradio")

import uvicorn
from berth import INSTRUCTIONS, MAX_CALLS, MAX_CHECKS, Task, check_answer, grade, load_tasks, situation
from fastmcp import FastMCP
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.mcp_environment import MCPEnvironment
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation
from openenv.core.env_server.types import Observation, State
from pydantic import BaseModel

TASKS = load_tasks()
SETTINGS = argparse.Namespace(slow=0.0, prompt_missing=False)


class Entry(BaseModel):
    """One ship's place in a plan."""

    ship: int
    berth_hour: int
    section: int
    cranes: Optional[int] = None


class BerthEnvironment(MCPEnvironment):
    """One episode: a task, ten checks, 24 calls, one submission."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        server = FastMCP("quayside-berths")
        self.row: dict[str, Any] | None = None
        self.task: Task | None = None
        self.episode_id = ""
        self.checks = self.calls = 0
        self.reward = 0.0
        self.end_reason: str | None = None
        self.graded: dict[str, Any] = {}

        async def get_situation() -> str:
            """The task in words: quay, notices, closures, cranes, ships. Costs nothing but a call."""
            return situation(await self._ready())

        async def check_plan(plan: Union[str, list[Entry]]) -> dict[str, Any]:
            """Try a plan without handing it in. Tells every broken rule and the cost; limited in number."""
            task = await self._ready()
            if self.end_reason:
                return {"error": "the episode is over"}
            if self.checks >= MAX_CHECKS:
                return {"error": "no check is left: call submit_plan"}
            self.checks += 1
            return check_answer(task, self._raw(plan), MAX_CHECKS - self.checks)

        async def submit_plan(plan: Union[str, list[Entry]]) -> dict[str, Any]:
            """Hand in the plan. Grades it, once, and ends the episode."""
            task = await self._ready()
            if self.end_reason:
                return {"error": "the episode is over"}
            said, graded, rubric = grade(task, self.row.get("reference", {}), self._raw(plan))
            self.end_reason = "submitted"
            self.reward = graded["reward"]
            self.graded = {"grade": graded, "rubric": rubric}
            return said

        for tool in (get_situation, check_plan, submit_plan):
            server.tool(tool)
        super().__init__(server)

    @staticmethod
    def _raw(plan: Union[str, list[Entry]]) -> Any:
        return plan if isinstance(plan, str) else [entry.model_dump() for entry in plan]

    async def _ready(self) -> Task:
        if SETTINGS.slow:
            await asyncio.sleep(SETTINGS.slow)
        if self.task is None:
            raise RuntimeError("there is no task yet: reset first")
        return self.task

    def reset(
        self,
        seed: Optional[int] = None,
        episode_id: Optional[str] = None,
        task_id: Optional[str] = None,
        split: Optional[str] = None,
        index: Optional[int] = None,
        **_: Any,
    ) -> Observation:
        if task_id is not None:
            found = [row for row in TASKS if row["task_id"] == task_id]
        elif index is not None:
            found = in_split(split)[index : index + 1] if index >= 0 else []
        else:
            rows = in_split(split)
            found = [rows[(seed or 0) % len(rows)]] if rows else []
        if not found:
            raise ValueError(f"there is no such task: task_id={task_id!r} split={split!r} index={index!r}")
        self.row = found[0]
        self.task = Task.from_json(self.row)
        self.episode_id = episode_id or uuid4().hex
        self.checks = self.calls = 0
        self.reward, self.end_reason, self.graded = 0.0, None, {}
        metadata = {"task_id": self.task.task_id, "split": self.task.split, "episode_id": self.episode_id}
        if not SETTINGS.prompt_missing:
            metadata |= {"instructions": INSTRUCTIONS, "situation": situation(self.task)}
            metadata |= {"max_checks": MAX_CHECKS, "max_calls": MAX_CALLS}
        return Observation(done=False, reward=None, metadata=metadata)

    # A call counts whatever becomes of it, so it is counted here, around the tools: the base class answers unknown
    # tools and wrong arguments before any of ours is reached.
    def _counts(self, action: Any) -> bool:
        if not isinstance(action, CallToolAction) or self.task is None or self.end_reason:
            return False
        self.calls += 1
        return True

    def _finish(self, counted: bool, observation: Observation) -> Observation:
        if not isinstance(observation, CallToolObservation):
            return observation
        if counted and not self.end_reason and self.calls >= MAX_CALLS:
            self.end_reason = "tool_call_limit"
        observation.reward = self.reward
        observation.done = self.end_reason is not None
        observation.metadata = {
            "step": self.calls,
            "checks_left": MAX_CHECKS - self.checks,
            "calls_left": max(0, MAX_CALLS - self.calls),
        }
        if self.end_reason:
            observation.metadata |= {"end_reason": self.end_reason, **self.graded}
        return observation

    def step(self, action: Any, timeout_s: Optional[float] = None, **kwargs: Any) -> Observation:
        counted = self._counts(action)
        return self._finish(counted, super().step(action, timeout_s=timeout_s, **kwargs))

    async def step_async(self, action: Any, timeout_s: Optional[float] = None, **kwargs: Any) -> Observation:
        counted = self._counts(action)
        return self._finish(counted, await super().step_async(action, timeout_s=timeout_s, **kwargs))

    def _step_impl(self, action: Any, timeout_s: Optional[float] = None, **kwargs: Any) -> Observation:
        raise ValueError("this environment knows tool calls only")

    @property
    def state(self) -> State:
        return State(episode_id=self.episode_id or None, step_count=self.calls)

    # The Task API. Versions before 0.4.1 have no routes for it and never ask.

    def list_splits(self) -> list[dict[str, str]]:
        kinds = {"train": "train", "test": "test"}
        return [{"name": name, "type": kinds.get(name, "validation")} for name in dict.fromkeys(r["split"] for r in TASKS)]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        return [describe(index, row) for index, row in enumerate(in_split(split))]

    def num_tasks(self, split: str) -> int:
        return len(in_split(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        if not 0 <= index < len(in_split(split)):
            raise IndexError(index)
        return self.list_tasks(split)[index]

    def get_task_range(self, split: str, start: Optional[int] = None, stop: Optional[int] = None) -> list[Any]:
        return self.list_tasks(split)[start:stop]


def in_split(split: Optional[str]) -> list[dict[str, Any]]:
    return [row for row in TASKS if split in (None, row["split"])]


def describe(index: int, row: dict[str, Any]) -> dict[str, Any]:
    """What a list of tasks shows of one: never a plan or an optimum."""
    return {
        "id": row["task_id"],
        "split": row["split"],
        "index": index,
        "difficulty": row.get("difficulty", ""),
        "ships": len(row["ships"]),
        "terminal": row["terminal"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="A berth-planning environment as an OpenEnv server.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--slow", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--max-sessions", type=int, default=8, metavar="N")
    parser.add_argument("--prompt-missing", action="store_true")
    parser.add_argument("--page", metavar="FOLDER")
    parser.add_argument("--cors", action="store_true")
    parser.parse_args(namespace=SETTINGS)
    app = create_fastapi_app(
        BerthEnvironment,
        CallToolAction,
        CallToolObservation,
        max_concurrent_envs=SETTINGS.max_sessions,
    )
    if SETTINGS.cors:
        from starlette.middleware.cors import CORSMiddleware

        app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["*"], allow_headers=["*"])
    if SETTINGS.page:
        from starlette.staticfiles import StaticFiles

        app.mount("/", StaticFiles(directory=SETTINGS.page, html=True))
    listener = socket.create_server((SETTINGS.host, SETTINGS.port))
    print(f"http://{SETTINGS.host}:{listener.getsockname()[1]}/", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listener])


if __name__ == "__main__":
    main()
