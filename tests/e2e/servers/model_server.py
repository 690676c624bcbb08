"""A scripted model service: Anthropic Messages, OpenAI Responses and chat completions, with answers laid down beforehand
and CORS as the real services have it. Nothing but the standard library.

    python3 tests/e2e/servers/model_server.py --port 8030

Prints its address on a line of its own once it listens. `http://127.0.0.1:8030/NAME/v1` is the address to give the page:
the first part of the path names the script, the end of it (`/v1/messages`, `/v1/responses`, `/v1/chat/completions`,
`/v1/models`) is the service's. A NAME that is a file in tests/cases/episodes plays the answers of that case, one for
each request. Any other NAME is laid down first; laying down again starts anew:

    POST /__script/NAME     a script, as JSON
    POST /__release/NAME    lets the answer that is held go on
    GET  /__log/NAME        every request, in order of arrival; /__log tells of all scripts
    GET  /__log/NAME?after=N&wait=SECONDS   answers once there are more than N, or the time is up

A script: `case` (play that file) or `answers` (a list); `cors` (a word of WAYS; by itself the one that fits the path);
`key` (any other, or none, gets the service's 401); `models` (what the list of models says). An answer:

    path, status, content_type, headers, body, stream_body    as in the cases; a `{key}` in a body becomes the key that came
    delay     milliseconds between two events of a stream
    piece     bytes a chunk, wherever that cuts; by itself a chunk is an event
    hold      after so many chunks it waits for /__release
    drop      after so many chunks (and the hold) the connection ends, without the last chunk; 0: it is reset before the
              head. A browser throws away what the page has not read when that happens: hold first, to be sure of it
    silent    never says a word
    flood     so many deltas of text at full speed, instead of a body
    cors      false: this answer goes without CORS headers
    again     true: the answer stays, for all requests to come

The log tells of each request `n`, `method`, `path` (below NAME), `headers`, `body`, `at` (milliseconds since the server
began), then `status`, `chunks` (sent so far) and `end`: null while it goes on, `whole`, `dropped`, or `left` when the
page went away first.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import select
import socket
import struct
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

CASES = Path(__file__).resolve().parents[2] / "cases" / "episodes"
LOCAL = re.compile(r"https?://(localhost|127\.0\.0\.1|0\.0\.0\.0)(:\d+)?$")
#: A preflight's and an answer's headers, service by service. `*` and `reflect` mean what they do in a server's settings;
#: `bare_401`: the key is checked outside the layer that adds the headers.
WAYS: dict[str, dict[str, Any]] = {
    "anthropic": {"origin": "*", "headers": "reflect", "expose": "*", "opt_in": True},
    "openai": {"origin": "*", "headers": "authorization, content-type"},
    "vllm": {"origin": "*", "headers": "reflect", "bare_401": True},
    "litellm": {"origin": "*", "headers": "reflect", "expose": "x-litellm-model-id"},
    "llamacpp": {"origin": "reflect", "headers": "*", "credentials": True},
    "ollama": {
        "origin": "local",
        "headers": "Authorization, Content-Type, User-Agent, Accept, X-Requested-With, OpenAI-Beta",
    },
    "closed": {"origin": None},
}
OPT_IN = "anthropic-dangerous-direct-browser-access"
BEGAN = time.monotonic()


class Script:
    """The answers of one NAME, the requests that came, and how far it is."""

    def __init__(self, name: str, laid: dict[str, Any]) -> None:
        self.name = name
        self.laid = laid
        self.answers = laid.get("answers", [])
        self.models = laid.get("models", [])
        if "case" in laid:
            case = json.loads((CASES / f"{laid['case']}.json").read_text("utf-8"))
            self.answers = case["model"]
            self.models = self.models or [{"id": case["asked"][0]["model"], "object": "model"}]
        self.at = 0
        self.released = 0
        self.log: list[dict[str, Any]] = []

    def next_answer(self) -> dict[str, Any]:
        if self.at >= len(self.answers):
            return {"status": 500, "body": json.dumps({"error": {"message": "the script has no answer left"}})}
        answer = self.answers[self.at]
        if not answer.get("again"):
            self.at += 1
        return answer


class Desk:
    """All scripts. `changed` is notified whenever one of them moves on."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.scripts: dict[str, Script] = {}
        self.count = 0

    def lay(self, name: str, laid: dict[str, Any]) -> None:
        with self.changed:
            self.scripts[name] = Script(name, laid)

    def find(self, name: str) -> Script | None:
        with self.changed:
            if name not in self.scripts and (CASES / f"{name}.json").is_file():
                self.scripts[name] = Script(name, {"case": name})
            return self.scripts.get(name)

    def note(self, script: Script, entry: dict[str, Any]) -> None:
        with self.changed:
            entry["n"] = self.count
            self.count += 1
            script.log.append(entry)
            self.changed.notify_all()

    def mark(self, entry: dict[str, Any], **facts: Any) -> None:
        with self.changed:
            entry.update(facts)
            self.changed.notify_all()


DESK = Desk()


class Left(Exception):
    """The page went away."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, *_: Any) -> None:
        pass

    # --- the ways in ---

    def do_GET(self) -> None:
        self._serve()

    do_POST = do_OPTIONS = do_PUT = do_DELETE = do_GET

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode("utf-8", "replace")
        try:
            parts = urlsplit(self.path)
            first, _, rest = parts.path.lstrip("/").partition("/")
            if first in ("__script", "__release", "__log"):
                self._control(first, rest, parse_qs(parts.query), body)
            else:
                self._service(first, f"/{rest}", body)
        except (Left, ConnectionError):
            self.close_connection = True

    def _control(self, order: str, name: str, query: dict[str, list[str]], body: str) -> None:
        if order == "__script":
            DESK.lay(name, json.loads(body))
            self._json(200, {})
        elif order == "__release":
            with DESK.changed:
                DESK.scripts[name].released += 1
                DESK.changed.notify_all()
            self._json(200, {})
        else:
            with DESK.changed:

                def entries() -> list[dict[str, Any]]:
                    found = [s for s in DESK.scripts.values() if name in ("", s.name)]
                    return sorted((entry for s in found for entry in s.log), key=lambda entry: entry["n"])

                after = int(query.get("after", ["-1"])[0])
                DESK.changed.wait_for(lambda: len(entries()) > after, float(query.get("wait", ["0"])[0]))
                text = json.dumps(entries())
            self._whole(200, "application/json", text.encode(), {})

    # --- the service ---

    def _service(self, name: str, path: str, body: str) -> None:
        script = DESK.find(name)
        if script is None:
            self._json(404, {"error": {"message": f"there is no script {name}"}})
            return
        try:
            said = json.loads(body) if body else None
        except ValueError:
            said = body
        entry = {
            "script": name,
            "method": self.command,
            "path": path,
            "headers": {key.lower(): value for key, value in self.headers.items()},
            "body": said,
            "at": round((time.monotonic() - BEGAN) * 1000),
            "status": None,
            "chunks": 0,
            "end": None,
        }
        way = WAYS[script.laid.get("cors") or by_path(path)]
        DESK.note(script, entry)
        if self.command == "OPTIONS":
            allowed = self._preflight(way)
            self._answer(entry, 200 if allowed else 400, "text/plain", b"", allowed)
            return
        cors = self._cors(way)
        key = key_of(self.headers)
        if way.get("opt_in") and self.headers.get("origin") and self.headers.get(OPT_IN) != "true":
            self._refuse(entry, path, 401, "authentication_error", f"CORS requests must set '{OPT_IN}' header", {})
        elif script.laid.get("key") not in (None, key):
            bare = {} if way.get("bare_401") else cors
            self._refuse(entry, path, 401, "authentication_error", "this key is not known here", bare)
        elif self.command == "GET":
            self._list(entry, script, path, cors)
        else:
            with DESK.changed:
                answer = script.next_answer()
            wanted = answer.get("path")
            if wanted and not path.endswith(wanted):
                self._refuse(entry, path, 404, "not_found_error", f"the script expects {wanted}", cors)
            else:
                self._play(entry, script, answer, said, key or "", cors)

    def _list(self, entry: dict[str, Any], script: Script, path: str, cors: dict[str, str]) -> None:
        if path.endswith("/models"):
            told = {"object": "list", "data": script.models, "has_more": False}
        elif path.endswith("/key"):
            told = {"data": {"label": "a key", "usage": 0, "limit": None}}
        else:
            self._refuse(entry, path, 404, "not_found_error", "there is nothing at this path", cors)
            return
        self._answer(entry, 200, "application/json", json.dumps(told).encode(), cors)

    def _refuse(self, entry: dict[str, Any], path: str, status: int, kind: str, why: str, cors: dict[str, str]) -> None:
        told: dict[str, Any] = {"error": {"type": kind, "message": why}}
        if path.endswith("/messages"):
            told = {"type": "error"} | told
        else:
            told["error"] |= {"param": None, "code": None}
        self._answer(entry, status, "application/json", json.dumps(told).encode(), cors)

    # --- CORS ---

    def _origin(self, way: dict[str, Any]) -> dict[str, str]:
        origin = self.headers.get("origin")
        if origin is None or way["origin"] is None:
            return {}
        if way["origin"] == "*":
            return {"access-control-allow-origin": "*"}
        if way["origin"] == "local" and not LOCAL.match(origin):
            return {}
        told = {"access-control-allow-origin": origin, "vary": "Origin"}
        return told | ({"access-control-allow-credentials": "true"} if way.get("credentials") else {})

    def _cors(self, way: dict[str, Any]) -> dict[str, str]:
        told = self._origin(way)
        if told and "expose" in way:
            told["access-control-expose-headers"] = way["expose"]
        return told

    def _preflight(self, way: dict[str, Any]) -> dict[str, str]:
        told = self._origin(way)
        if told:
            asked = self.headers.get("access-control-request-headers", "")
            told["access-control-allow-methods"] = "GET, POST, OPTIONS"
            told["access-control-allow-headers"] = asked if way["headers"] == "reflect" else way["headers"]
        return told

    # --- what goes out ---

    def _json(self, status: int, value: Any) -> None:
        self._whole(status, "application/json", json.dumps(value).encode(), {})

    def _whole(self, status: int, kind: str, body: bytes, headers: dict[str, str]) -> None:
        self._head(status, kind, headers | {"content-length": str(len(body))})
        self.wfile.write(body)
        self.wfile.flush()

    def _head(self, status: int, kind: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        # A browser sends a request again, by itself, when a connection that it has used before breaks. So none is used
        # twice: what the log shows is what the page asked.
        for name, value in ({"content-type": kind, "connection": "close"} | headers).items():
            self.send_header(name, value)
        self.end_headers()

    def _answer(self, entry: dict[str, Any], status: int, kind: str, body: bytes, headers: dict[str, str]) -> None:
        # Noted first: who has the answer finds it in the log.
        DESK.mark(entry, status=status, chunks=1, end="whole")
        self._whole(status, kind, body, headers)

    def _play(
        self, entry: dict[str, Any], script: Script, answer: dict[str, Any], said: Any, key: str, cors: dict[str, str]
    ) -> None:
        status = answer.get("status", 200)
        streams = isinstance(said, dict) and said.get("stream") is True
        body, kind = answer.get("body", ""), answer.get("content_type", "application/json")
        if streams and "stream_body" in answer:
            body, kind = answer["stream_body"], "text/event-stream"
        if "flood" in answer:
            chunks, kind = flood(entry["path"], answer["flood"]), "text/event-stream"
        else:
            chunks = cut(body.replace("{key}", key), kind, answer.get("piece"))
        headers = answer.get("headers", {}) | ({} if answer.get("cors") is False else cors)
        try:
            if answer.get("silent"):
                self._pause(None)
            if answer.get("drop") == 0:
                DESK.mark(entry, end="dropped")
                self._reset()
                return
            self._head(status, kind, headers | {"transfer-encoding": "chunked"})
            self.wfile.flush()
            DESK.mark(entry, status=status)
            for count, chunk in enumerate(chunks, 1):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                self.wfile.flush()
                DESK.mark(entry, chunks=count)
                if count == answer.get("hold"):
                    self._held(script)
                if count == answer.get("drop"):
                    DESK.mark(entry, end="dropped")
                    return
                if answer.get("delay"):
                    self._pause(answer["delay"] / 1000)
            # Noted first, as above.
            DESK.mark(entry, end="whole")
            self.wfile.write(b"0\r\n\r\n")
            self.wfile.flush()
        except (Left, ConnectionError):
            DESK.mark(entry, end="left")
            raise

    def _pause(self, seconds: float | None) -> None:
        """Waits, but no longer than the page is there."""
        if select.select([self.connection], [], [], seconds)[0] and not self.connection.recv(1, socket.MSG_PEEK):
            raise Left

    def _held(self, script: Script) -> None:
        with DESK.changed:
            mine = script.released
        while True:
            with DESK.changed:
                if DESK.changed.wait_for(lambda: script.released > mine, 0.02):
                    return
            self._pause(0)

    def _reset(self) -> None:
        """A crash: the system answers for the process, without a farewell."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())
        self.close_connection = True


def by_path(path: str) -> str:
    """The way of the service that is likely meant."""
    if path.endswith("/messages"):
        return "anthropic"
    return "openai" if path.endswith("/responses") else "vllm"


def key_of(headers: Any) -> str | None:
    """The key of a request, under either header."""
    bearer = headers.get("authorization", "")
    return bearer[7:] if bearer.startswith("Bearer ") else headers.get("x-api-key")


def cut(body: str, kind: str, piece: int | None) -> Iterator[bytes]:
    """The chunks of a body: events of a stream, pieces of so many bytes, or all of it."""
    data = body.encode()
    if piece:
        return (data[at : at + piece] for at in range(0, len(data), piece))
    if kind.startswith("text/event-stream"):
        return (event for event in re.split(rb"(?<=\n\n)", data) if event)
    return iter([data] if data else [])


def event(value: dict[str, Any], named: bool) -> bytes:
    name = f"event: {value['type']}\n" if named else ""
    return f"{name}data: {json.dumps(value, separators=(',', ':'))}\n\n".encode()


def flood(path: str, count: int) -> Iterator[bytes]:
    """A turn of text in so many deltas, many to a chunk."""
    deltas = (f"word {at} " for at in range(count))
    if path.endswith("/messages"):
        yield event({"type": "message_start", "message": {
            "id": "msg_flood", "type": "message", "role": "assistant", "model": "flood", "content": [],
            "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 1}}}, True)
        yield event({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}, True)
        yield from gathered(event({"type": "content_block_delta", "index": 0,
                                   "delta": {"type": "text_delta", "text": text}}, True) for text in deltas)
        yield event({"type": "content_block_stop", "index": 0}, True)
        yield event({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None},
                     "usage": {"output_tokens": count}}, True)
        yield event({"type": "message_stop"}, True)
    elif path.endswith("/responses"):
        item = {"id": "msg_flood", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
        response = {"id": "resp_flood", "object": "response", "status": "in_progress", "output": []}
        yield event({"type": "response.created", "sequence_number": 0, "response": response}, True)
        yield event({"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": item}, True)
        yield from gathered(
            event({"type": "response.output_text.delta", "sequence_number": at + 2, "item_id": "msg_flood",
                   "output_index": 0, "content_index": 0, "delta": text}, True)
            for at, text in enumerate(deltas)
        )
        whole = "".join(f"word {at} " for at in range(count))
        item |= {"status": "completed", "content": [{"type": "output_text", "text": whole, "annotations": []}]}
        yield event({"type": "response.output_item.done", "sequence_number": count + 2, "output_index": 0,
                     "item": item}, True)
        usage = {"input_tokens": 10, "output_tokens": count, "total_tokens": count + 10}
        response |= {"status": "completed", "output": [item], "usage": usage}
        yield event({"type": "response.completed", "sequence_number": count + 3, "response": response}, True)
    else:
        def chunk(choices: list[Any], usage: Any = None) -> bytes:
            return event({"id": "chatcmpl-flood", "object": "chat.completion.chunk", "created": 0, "model": "flood",
                          "choices": choices, "usage": usage}, False)

        yield from gathered(chunk([{"index": 0, "delta": {"content": text}, "finish_reason": None}]) for text in deltas)
        yield chunk([{"index": 0, "delta": {}, "finish_reason": "stop"}])
        yield chunk([], {"prompt_tokens": 10, "completion_tokens": count, "total_tokens": count + 10})
        yield b"data: [DONE]\n\n"


def gathered(events: Iterator[bytes], size: int = 65_536) -> Iterator[bytes]:
    pending = bytearray()
    for one in events:
        pending += one
        if len(pending) >= size:
            yield bytes(pending)
            pending.clear()
    if pending:
        yield bytes(pending)


def main() -> None:
    parser = argparse.ArgumentParser(description="A scripted model service.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8030)
    settings = parser.parse_args()
    server = ThreadingHTTPServer((settings.host, settings.port), Handler)
    server.daemon_threads = True
    print(f"http://{settings.host}:{server.server_port}/", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
