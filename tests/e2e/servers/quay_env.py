"""The quay environment of tests/cases/episodes as a real OpenEnv server: every call that a case holds is answered as it
was recorded, framed by OpenEnv itself.

    target/venv/current/bin/python tests/e2e/servers/quay_env.py --port 8020

Prints its address on a line of its own once it listens. One server plays all cases, as many sessions at a time as are
asked for. `reset` chooses by task id; several cases may share a task, and the calls made so far tell them apart. A call
that no case makes at that point is an error which says so. Tools, unknown tools, frames and errors are OpenEnv's own.

    --cases FOLDER      other episodes than the project's
    --max-sessions N    how many sockets at a time (32)
"""

from __future__ import annotations

import argparse
import json
import socket
import sys
from pathlib import Path
from typing import Any, Optional, Union
from unittest.mock import MagicMock
from uuid import uuid4

# As in berth_env.py: there is no built-in web page, so its toolkit need not be there.
sys.modules["gradio"] = MagicMock(__name__="gradio")

import uvicorn
from fastmcp import FastMCP
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.mcp_environment import MCPEnvironment
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation
from openenv.core.env_server.types import Observation, State

CASES = Path(__file__).resolve().parents[2] / "cases" / "episodes"
#: Calls and answers, in order, of each case that plays a task.
Dialogue = list[tuple[dict[str, Any], dict[str, Any]]]
DIALOGUES: dict[str, list[Dialogue]] = {}


def load(folder: Path) -> None:
    """Reads every case. The reset and the list of tools are kept apart from the calls."""
    for path in sorted(folder.glob("*.json")):
        case = json.loads(path.read_text("utf-8"))
        frames = [(frame["send"]["data"], frame["answer"]["data"]) for frame in case["env"]]
        calls = [frame for frame in frames if frame[0].get("type") != "list_tools"]
        DIALOGUES.setdefault(case["task_id"], []).append(calls)


class QuayEnvironment(MCPEnvironment):
    """One episode of one task. What is said lies in the cases; nothing is reckoned here."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        server = FastMCP("quay")
        self.open: list[Dialogue] = []
        self.asked: list[tuple[str, Any]] = []
        self.answer: dict[str, Any] = {}
        self.episode_id = ""
        self.over = False

        @server.tool(description="The quay, its closed stretches and the ships, as data and as text.")
        async def get_situation() -> dict[str, Any]:
            return self._result()

        @server.tool(
            description="Test a draft plan. Answers with the rule breaks and the weighted waiting time; the number of"
            " checks is limited."
        )
        async def check_plan(plan: Union[list[dict[str, Any]], str]) -> dict[str, Any]:
            return self._result()

        @server.tool(description="Hand in the final plan. This ends the episode and gives the score.")
        async def submit_plan(plan: Union[list[dict[str, Any]], str], note: str = "") -> dict[str, Any]:
            return self._result()

        super().__init__(server)

    def _result(self) -> dict[str, Any]:
        """What the tool that is running returns: the object that the recorded answer carries."""
        result = self.answer.get("observation", {}).get("result")
        if result is None:
            raise ValueError("no case makes this call at this point")
        return result["data"]

    def reset(self, episode_id: Optional[str] = None, task_id: Optional[str] = None, **_: Any) -> Observation:
        task_id = task_id or next(iter(DIALOGUES))
        if task_id not in DIALOGUES:
            raise ValueError(f"there is no such task: {task_id!r}")
        self.open = DIALOGUES[task_id]
        self.asked, self.answer, self.over = [], {}, False
        self.episode_id = episode_id or uuid4().hex
        metadata = self.open[0][0][1]["metadata"] | {"episode_id": self.episode_id}
        return Observation(done=False, reward=None, metadata=metadata)

    def _find(self, action: CallToolAction) -> None:
        """Follows the cases that go on with this call, and keeps what they say to it."""
        if self.over:
            raise ValueError("the episode is over")
        at = len(self.asked) + 1
        call = {"type": "call_tool", "tool_name": action.tool_name, "arguments": action.arguments}
        self.open = [calls for calls in self.open if len(calls) > at and calls[at][0] == call]
        self.asked.append((action.tool_name, action.arguments))
        self.answer = self.open[0][at][1] if self.open else {}
        self.over = bool(self.answer.get("done"))

    def _tell(self, observation: Observation) -> Observation:
        """Reward, end and metadata as recorded. They also come with a call that OpenEnv refused by itself."""
        if isinstance(observation, CallToolObservation):
            observation.reward = self.answer.get("reward")
            observation.done = self.over
            observation.metadata = self.answer.get("metadata", {})
        return observation

    def step(self, action: Any, timeout_s: Optional[float] = None, **kwargs: Any) -> Observation:
        if isinstance(action, CallToolAction):
            self._find(action)
        return self._tell(super().step(action, timeout_s=timeout_s, **kwargs))

    async def step_async(self, action: Any, timeout_s: Optional[float] = None, **kwargs: Any) -> Observation:
        if isinstance(action, CallToolAction):
            self._find(action)
        return self._tell(await super().step_async(action, timeout_s=timeout_s, **kwargs))

    def _step_impl(self, action: Any, timeout_s: Optional[float] = None, **kwargs: Any) -> Observation:
        raise ValueError("this environment knows tool calls only")

    @property
    def state(self) -> State:
        return State(episode_id=self.episode_id or None, step_count=len(self.asked))


def main() -> None:
    parser = argparse.ArgumentParser(description="The quay environment of the recorded episodes as an OpenEnv server.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8020)
    parser.add_argument("--max-sessions", type=int, default=32, metavar="N")
    parser.add_argument("--cases", type=Path, default=CASES, metavar="FOLDER")
    settings = parser.parse_args()
    load(settings.cases)
    app = create_fastapi_app(
        QuayEnvironment,
        CallToolAction,
        CallToolObservation,
        max_concurrent_envs=settings.max_sessions,
    )
    listener = socket.create_server((settings.host, settings.port))
    print(f"http://{settings.host}:{listener.getsockname()[1]}/", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listener])


if __name__ == "__main__":
    main()
