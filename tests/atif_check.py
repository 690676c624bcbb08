"""Checks trajectories in the Agent Trajectory Interchange Format, version 1.7.

Run by tests/atif.rs with the Python of target/venv/current. Each argument is a folder as Harbor leaves one after a
trial, with `agent/trajectory.json`, and beside that `record.json`, the rollout it was made from. For each a line of JSON
is printed: the folder's name and what is wrong, in words. Three checks:

1. openenv's own reader (`openenv.harbor.atif`) finds the trajectory.
2. openenv reconciles it with the rollout: as many calls of the model here as there, nothing fatal.
3. The form: fields, types, numbers and references as the format's description has them. Unknown fields are faults.
"""

import datetime
import json
import pathlib
import sys
import types

# openenv imports its model client on the way, which wants a package that no check needs.
client = types.ModuleType("openai")
client.AsyncOpenAI = object
sys.modules.setdefault("openai", client)

from openenv.harbor import atif  # noqa: E402

TEXT, COUNT, NUMBER, OBJECT, LIST = "text", "whole number", "number", "object", "list"
KINDS = {TEXT: str, COUNT: int, NUMBER: (int, float), OBJECT: dict, LIST: list}

# Field: kind, and "!" where it must be there.
TRAJECTORY = {
    "schema_version": "!" + TEXT, "session_id": TEXT, "trajectory_id": TEXT, "agent": "!" + OBJECT, "steps": "!" + LIST,
    "notes": TEXT, "final_metrics": OBJECT, "continued_trajectory_ref": TEXT, "extra": OBJECT,
    "subagent_trajectories": LIST,
}
AGENT = {"name": "!" + TEXT, "version": "!" + TEXT, "model_name": TEXT, "tool_definitions": LIST, "extra": OBJECT}
STEP = {
    "step_id": "!" + COUNT, "timestamp": TEXT, "source": "!" + TEXT, "model_name": TEXT, "reasoning_effort": TEXT,
    "message": "!" + TEXT, "reasoning_content": TEXT, "tool_calls": LIST, "observation": OBJECT, "metrics": OBJECT,
    "is_copied_context": OBJECT, "llm_call_count": COUNT, "extra": OBJECT,
}
CALL = {"tool_call_id": "!" + TEXT, "function_name": "!" + TEXT, "arguments": "!" + OBJECT, "extra": OBJECT}
OBSERVATION = {"results": "!" + LIST}
RESULT = {"source_call_id": TEXT, "content": TEXT, "subagent_trajectory_ref": LIST, "extra": OBJECT}
TOTALS = {
    "total_prompt_tokens": COUNT, "total_completion_tokens": COUNT, "total_cached_tokens": COUNT,
    "total_cost_usd": NUMBER, "total_steps": COUNT, "extra": OBJECT,
}
ONLY_OF_AGENTS = ("model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics")


def fields(where, value, known):
    if not isinstance(value, dict):
        yield f"{where} is no object"
        return
    for name in value.keys() - known.keys():
        yield f"{where}.{name} is not in the format"
    for name, kind in known.items():
        if name not in value:
            if kind.startswith("!"):
                yield f"{where}.{name} is missing"
        elif not isinstance(value[name], KINDS[kind.strip("!")]) or isinstance(value[name], bool):
            yield f"{where}.{name} is no {kind.strip('!')}"


def step_faults(where, number, step, ids):
    yield from fields(where, step, STEP)
    if step.get("step_id") != number:
        yield f"{where}.step_id is not {number}"
    if step.get("source") not in ("system", "user", "agent"):
        yield f"{where}.source is none of the three"
    if "timestamp" in step:
        try:
            datetime.datetime.fromisoformat(step["timestamp"].replace("Z", "+00:00"))
        except (ValueError, AttributeError):
            yield f"{where}.timestamp is no ISO 8601"
    if step.get("source") != "agent":
        for name in ONLY_OF_AGENTS:
            if name in step:
                yield f"{where}.{name} is only for steps of the agent"
    here = set()
    for at, call in enumerate(step.get("tool_calls", [])):
        yield from fields(f"{where}.tool_calls[{at}]", call, CALL)
        here.add(call.get("tool_call_id"))
        if call.get("tool_call_id") in ids or not call.get("tool_call_id"):
            yield f"{where}.tool_calls[{at}].tool_call_id is empty or was used before"
        ids.add(call.get("tool_call_id"))
    if "observation" in step:
        yield from fields(f"{where}.observation", step["observation"], OBSERVATION)
        for at, result in enumerate(step["observation"].get("results", [])):
            yield from fields(f"{where}.observation.results[{at}]", result, RESULT)
            if "source_call_id" in result and result["source_call_id"] not in here:
                yield f"{where}.observation.results[{at}].source_call_id names no call of this step"
    if step.get("llm_call_count") == 0 and ("metrics" in step or "reasoning_content" in step):
        yield f"{where} has words of a model and no call of one"


def form_faults(trajectory):
    yield from fields("trajectory", trajectory, TRAJECTORY)
    if trajectory.get("schema_version") != "ATIF-v1.7":
        yield "trajectory.schema_version is not ATIF-v1.7"
    yield from fields("agent", trajectory.get("agent", {}), AGENT)
    yield from fields("final_metrics", trajectory.get("final_metrics", {}), TOTALS)
    steps = trajectory.get("steps") or []
    if not steps:
        yield "trajectory.steps is empty"
    ids = set()
    for number, step in enumerate(steps, 1):
        yield from step_faults(f"steps[{number - 1}]", number, step, ids)
    total = trajectory.get("final_metrics", {}).get("total_steps", len(steps))
    if total != len(steps):
        yield "final_metrics.total_steps is not the number of steps"


def reconciliation_faults(trajectory, record):
    answers = [message for message in record["messages"] if isinstance(message, dict) and message.get("role") == "assistant"]
    if not record["messages"]:
        answers = record["steps"]
    turns = [{"root_id": 0, "n_sampled": 1, "response_message": {}} for _ in answers]
    report = atif.reconcile({"rollout_type": "eval", "turns": turns}, trajectory)
    expected = {"atif_version", "eval_reconcile_counts_only"} if answers else {"atif_version", "atif_no_agent_steps"}
    for finding in report.findings:
        if finding.code not in expected:
            yield f"openenv: {finding}"
    if answers:
        sequence = {"role": "agent", "root_id": 0, "prompt_len": 1, "turn_lengths": [1] * len(turns)}
        report = atif.reconcile({"sequences": [sequence], "turns": turns, "stats": {"n_discarded": 0, "n_roots": 1}}, trajectory)
        if not report.ok:
            yield f"openenv: {report.text()}"


def faults(folder):
    trajectory, source = atif.load_trace(folder)
    if source != "atif":
        yield "openenv finds no trajectory"
        return
    record = json.loads((folder / "record.json").read_text(encoding="utf-8"))
    yield from form_faults(trajectory)
    yield from reconciliation_faults(trajectory, record)


for argument in sys.argv[1:]:
    folder = pathlib.Path(argument)
    try:
        found = list(faults(folder))
    except Exception as error:  # a file that stops the check is a fault of that file
        found = [f"the check stopped: {error!r}"]
    print(json.dumps({"folder": folder.name, "faults": found}))
