"""Environment servers that misbehave, one for each path of one port, for tests of what the page then says and does.

    target/venv/current/bin/python tests/e2e/servers/fake_env.py --port 8010

Prints its address on a line of its own once it listens. `http://127.0.0.1:8010/drop-3` is the address to give the page;
it then opens `/drop-3/ws`. Apart from the one thing each does wrong, all answer like an OpenEnv 0.10 server with one
small berth task (reset, list_tools, get_situation, check_plan, submit_plan, state, close, mcp tools/list).

N counts requests of one socket from 1; S is seconds, fractions allowed.

    ok              nothing wrong, for comparison
    drop-N          answers N requests, then the connection is cut without a close frame (a page sees 1006)
    stop-N          answers N requests, then closes with 1012, as a server that is being stopped
    full            CAPACITY_REACHED unasked, then close 1000
    factory-error   FACTORY_ERROR unasked, then close 1000
    session-error   answers the first request with SESSION_ERROR, then close 1000
    silent          accepts the socket and never says a word
    silent-N        answers N requests, then never again
    slow-S          every answer comes S seconds late
    not-json        answers with a text that is not JSON
    not-json-N      answers N requests, the others with a text that is not JSON
    array           answers with JSON that is no object
    html            a web site: 200 and HTML for every request, the WebSocket handshake included
    refuse          403 for the handshake, as OpenEnv does for a wrong path
    echo            a WebSocket server, but not OpenEnv: every frame comes back as it is
    stray           frames of unknown type before every answer, and one unasked at the start
    huge            every tool result holds 5 MB of text, three times over as OpenEnv sends it
    bare            as servers written by hand send it: `result` is bare text, no `metadata`, no `reward` in `data`
    mcp-only        list_tools by step is a VALIDATION_ERROR; `mcp` tools/list works, and calls by step do
    no-tools        an environment with an action class of its own: list_tools, call_tool and mcp are refused
    no-prompt       reset tells neither instructions nor situation
    reset-fails     reset is answered by EXECUTION_ERROR
    reaped          as after an idle timeout: reset and state answer, every tool call fails, "environment is closed"
    tool-error      every tool call fails with an execution error
    ends            the first tool call ends the episode, by the server's own limit
"""

from __future__ import annotations

import argparse
import asyncio
import http
import json
import re
from collections.abc import AsyncIterator
from typing import Any

from berth import INSTRUCTIONS, MAX_CHECKS, SMALL, Task, check_answer, grade, situation
from websockets.asyncio.server import Request, Response, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

HUGE = "x" * 5_000_000
PLAN = {
    "type": "object",
    "properties": {"plan": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "object"}}]}},
    "required": ["plan"],
    "additionalProperties": False,
}
TOOLS = [
    ("get_situation", "The task in words.", {"type": "object", "properties": {}, "additionalProperties": False}),
    ("check_plan", "Try a plan.", PLAN),
    ("submit_plan", "Hand the plan in.", PLAN),
]


def error(code: str, message: str, **more: Any) -> dict[str, Any]:
    return {"type": "error", "data": {"message": message, "code": code, **more}}


def observation(fields: dict[str, Any], reward: float | None, done: bool, metadata: dict[str, Any]) -> dict[str, Any]:
    data = {"observation": {"metadata": metadata, **fields}, "reward": reward, "done": done}
    if metadata:
        data["metadata"] = metadata
    return {"type": "observation", "data": data}


class Environment:
    """The well-behaved part: one small task. `way` is what goes wrong; only what is said differs here."""

    def __init__(self, way: str) -> None:
        self.way = way
        self.task = Task.from_json(SMALL)
        self.episode_id: str | None = None
        self.calls = self.checks = 0
        self.reward = 0.0
        self.end: dict[str, Any] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        kind, data = request.get("type"), request.get("data") or {}
        if kind == "reset":
            return self.reset(data)
        if kind == "state":
            return {"type": "state", "data": {"episode_id": self.episode_id, "step_count": self.calls}}
        if kind == "mcp":
            return {"type": "mcp", "data": {"jsonrpc": "2.0", "id": data.get("id"), **self.mcp(data)}}
        if kind != "step":
            return error("UNKNOWN_TYPE", f"Unknown message type: {kind}")
        if self.way == "no-tools" or (self.way == "mcp-only" and data.get("type") == "list_tools"):
            return error("VALIDATION_ERROR", "Invalid message", errors=[{"loc": ["type"], "msg": "Extra inputs"}])
        if data.get("type") == "list_tools":
            tools = [{"name": name, "description": text, "input_schema": form} for name, text, form in TOOLS]
            return observation({"tools": tools}, None, False, {})
        return self.call(data.get("tool_name"), data.get("arguments") or {})

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        if self.way == "reset-fails":
            return error("EXECUTION_ERROR", "there is no such task")
        self.__init__(self.way)
        self.episode_id = data.get("episode_id")
        metadata: dict[str, Any] = {"task_id": self.task.task_id}
        if self.way not in ("no-prompt", "bare"):
            metadata |= {"instructions": INSTRUCTIONS, "situation": situation(self.task)}
        if self.way == "bare":
            return {"type": "observation", "data": {"observation": {"text": situation(self.task)}, "done": False}}
        return observation({}, None, False, metadata)

    def mcp(self, data: dict[str, Any]) -> dict[str, Any]:
        if self.way == "no-tools":
            return {"error": {"code": -32603, "message": "Environment does not support MCP"}}
        if data.get("method") != "tools/list":
            return {"error": {"code": -32601, "message": "Method not found"}}
        empty = {"title": None, "outputSchema": None, "annotations": None}
        return {"result": {"tools": [{"name": n, "description": t, "inputSchema": f, **empty} for n, t, f in TOOLS]}}

    def call(self, name: Any, arguments: dict[str, Any]) -> dict[str, Any]:
        self.calls += 1
        if self.way == "reaped":
            return self.failed(name, "MCP client is not available; environment is closed")
        if self.way == "tool-error":
            return self.failed(name, f"Error calling tool '{name}': disk full")
        if name == "get_situation":
            return self.said(name, situation(self.task))
        if name not in ("check_plan", "submit_plan"):
            return self.failed(name, f"Unknown tool: {name!r}", "tool_not_found")
        if "plan" not in arguments:
            return self.failed(name, "1 validation error: plan: missing argument", "invalid_args")
        if self.end:
            return self.said(name, {"error": "the episode is over"})
        if self.way == "ends":
            self.end = {"end_reason": "tool_call_limit"}
        if name == "check_plan":
            self.checks += 1
            return self.said(name, check_answer(self.task, arguments["plan"], MAX_CHECKS - self.checks))
        answer, graded, rubric = grade(self.task, SMALL["reference"], arguments["plan"])
        self.reward = graded["reward"]
        self.end = {"end_reason": "submitted", "grade": graded, "rubric": rubric}
        return self.said(name, answer)

    def said(self, name: str, value: Any) -> dict[str, Any]:
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
        if self.way == "huge":
            text = value = text + HUGE
        if self.way == "bare":
            fields = {"result": text, "reward": self.reward, "done": bool(self.end)}
            return {"type": "observation", "data": {"observation": fields}}
        result = {
            "content": [{"type": "text", "text": text, "annotations": None, "meta": None}],
            "structured_content": {"result": value} if isinstance(value, str) else value,
            "meta": None,
            "data": value,
            "is_error": False,
        }
        return self.observed({"tool_name": name, "result": result, "error": None})

    def failed(self, name: Any, message: str, kind: str = "execution_error") -> dict[str, Any]:
        return self.observed({"tool_name": name, "result": None, "error": {"error_type": kind, "message": message}})

    def observed(self, fields: dict[str, Any]) -> dict[str, Any]:
        metadata = {"step": self.calls, "checks_left": MAX_CHECKS - self.checks, **self.end}
        return observation(fields, self.reward, bool(self.end), metadata)


async def frames(socket: ServerConnection, way: str, number: float) -> AsyncIterator[str]:
    """What the server sends, frame by frame; the socket is closed where this ends, unless it was cut before."""
    if way == "full":
        yield json.dumps(
            error(
                "CAPACITY_REACHED",
                "Server at capacity: 1/1 sessions active. Cannot accept new connections.",
                active_sessions=1,
                max_sessions=1,
            )
        )
        return
    if way == "factory-error":
        yield json.dumps(error("FACTORY_ERROR", "Failed to create environment", factory_name="Berths"))
        return
    if way == "stray":
        yield json.dumps({"type": "hello", "data": {"version": "from the future"}})
    environment = Environment(way)
    count = 0
    async for text in socket:
        count += 1
        beyond = count > number
        if way == "echo":
            yield text if isinstance(text, str) else ""
            continue
        if way == "silent" and beyond:
            continue
        if way == "drop" and beyond:
            socket.transport.abort()
            return
        if way == "not-json" and beyond:
            yield "<h1>502 Bad Gateway</h1>"
            continue
        if way == "array":
            yield "[1, 2]"
            continue
        if way == "session-error":
            yield json.dumps(error("SESSION_ERROR", "'text'"))
            return
        try:
            request = json.loads(text)
        except ValueError:
            yield json.dumps(error("INVALID_JSON", "Invalid JSON"))
            continue
        if request.get("type") == "close":
            return
        if way == "slow":
            await asyncio.sleep(number)
        if way == "stray":
            yield json.dumps({"type": "progress", "data": {"percent": 50}})
            yield json.dumps({"type": "log", "data": "still working"})
        yield json.dumps(environment.answer(request))
        if count >= number and way == "drop":
            socket.transport.abort()
            return
        if count >= number and way == "stop":
            await socket.close(1012, "service restart")
            return


def way_of(path: str) -> tuple[str, float]:
    """`/drop-3/ws` is `("drop", 3)`; a way without a number has 0."""
    found = re.fullmatch(r"/([a-z-]+?)(?:-([0-9.]+))?/ws", path)
    return (found[1], float(found[2] or 0)) if found else ("", 0)


WAYS = set(re.findall(r"^    ([a-z-]+?)(?:-[NS])? {2,}", __doc__ or "", re.MULTILINE))


def before_handshake(socket: ServerConnection, request: Request) -> Response | None:
    way, _ = way_of(request.path)
    if way == "html" or request.path.startswith("/html"):
        page = socket.respond(http.HTTPStatus.OK, "<!doctype html><title>Harbour news</title><h1>Harbour news</h1>")
        page.headers["Content-Type"] = "text/html; charset=utf-8"
        return page
    if way in WAYS - {"refuse"}:
        return None
    return socket.respond(http.HTTPStatus.FORBIDDEN, "")


async def talk(socket: ServerConnection) -> None:
    way, number = way_of(socket.request.path)
    try:
        async for frame in frames(socket, way, number):
            await socket.send(frame)
    except ConnectionClosed:
        pass


async def main() -> None:
    parser = argparse.ArgumentParser(description="Environment servers that misbehave.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8010)
    options = parser.parse_args()
    async with serve(talk, options.host, options.port, process_request=before_handshake, max_size=None) as server:
        print(f"http://{options.host}:{server.sockets[0].getsockname()[1]}/", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
