"""A real LiteLLM proxy with answers of our own, for tests of the page against its three endpoints.

    target/venv/litellm/bin/python tests/e2e/servers/litellm_proxy.py --port 8040 --upstream http://127.0.0.1:8030/NAME/v1

Prints its address on a line of its own once it answers. Its key is `sk-quay`. Its models:

    said      "There is nothing to plan." each time, by LiteLLM's own `mock_response`
    loader    asks the chat completions of --upstream (model_server.py), and translates for the other two endpoints

It asks nothing of the network by itself: the price map is the one in the package.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import sys
import tempfile
from pathlib import Path
from unittest.mock import MagicMock

# Read at import.
os.environ |= {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False", "NO_DOCS": "True", "LITELLM_LOG": "ERROR"}
# It loads a reader of sound files whether or not there is to be sound, and that one brings numpy along.
sys.modules["soundfile"] = MagicMock(__name__="soundfile")

import uvicorn

SAID = "There is nothing to plan."


def config(upstream: str) -> dict[str, object]:
    """The configuration file, as an object. JSON is YAML."""
    mocked = {"model": "hosted_vllm/said", "api_base": upstream, "api_key": "none", "mock_response": SAID}
    asked = {"model": "openai/loader", "api_base": upstream, "api_key": "none", "use_chat_completions_api": True}
    return {
        "model_list": [
            {"model_name": "said", "litellm_params": mocked},
            {"model_name": "loader", "litellm_params": asked},
        ],
        "general_settings": {"master_key": "sk-quay"},
        "litellm_settings": {"num_retries": 0},
        # Else a failure of --upstream closes it for seconds, for whichever test comes next.
        "router_settings": {"disable_cooldowns": True},
    }


class Server(uvicorn.Server):
    """Tells its address when it has started; the proxy reads its configuration only then."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        host, port = sockets[0].getsockname()
        print(f"http://{host}:{port}/", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="A LiteLLM proxy with answers of our own.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8040)
    parser.add_argument("--upstream", default="http://127.0.0.1:9/v1", metavar="URL")
    settings = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "config.yaml"
        path.write_text(json.dumps(config(settings.upstream)), "utf-8")
        os.environ["CONFIG_FILE_PATH"] = str(path)
        from litellm.proxy.proxy_server import app

        listener = socket.create_server((settings.host, settings.port))
        Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listener])


if __name__ == "__main__":
    main()
