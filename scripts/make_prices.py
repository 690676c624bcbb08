"""Make the price list of the page: data/prices/prices.json.

    python3.11 scripts/make_prices.py             # fetch the pinned package, write the file
    python3.11 scripts/make_prices.py FILE.whl    # from a wheel that is here already
    python3.11 scripts/make_prices.py --verify    # test the file, no network needed

The prices are an extract of LiteLLM's public price map, which travels in the
package `litellm`. Needed are Python and pip, nothing else; nothing of the
package is run. The map is the same in the wheels of all platforms, and its
hash is pinned below, so a second run gives the same bytes. To take in newer
prices, put another version, its day and the hash that is then asked for here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

VERSION = "1.110.2"
DAY = "2026-12-01"  # on that day this was the newest version
SHA256 = "8943af58bf9f979c6a4bef815687117ffa341e462a41faed9be17b5c33d3dcc2"

MAP = "litellm/model_prices_and_context_window_backup.json"
LICENCE = "licenses/LICENSE"
OUT = Path(__file__).resolve().parent.parent / "data" / "prices" / "prices.json"
PROVIDERS = ("anthropic", "openai")
MODES = ("chat", "responses")
COLUMNS = [
    "input", "output", "cache_read", "cache_write", "max_input", "max_output", "adaptive_thinking",
    "long_from", "long_input_factor", "long_output_factor",
]  # fmt: skip
LONG = re.compile(r"input_cost_per_token_above_(\d+)k_tokens$")
DATE = re.compile(r"-(\d{8}|\d{4}-\d\d-\d\d)$")


def wheel(folder: str) -> Path:
    """The wheel of the pinned version."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary=:all:", "--dest", folder, f"litellm=={VERSION}"]
    subprocess.run(command, check=True)
    return next(Path(folder).glob("litellm-*.whl"))


def read(path: Path) -> tuple[dict[str, Any], str]:
    """The price map and its licence notice."""
    with zipfile.ZipFile(path) as archive:
        data = archive.read(MAP)
        found = hashlib.sha256(data).hexdigest()
        if found != SHA256:
            sys.exit(f"{path.name} holds another price map: sha256 {found}, not {SHA256}")
        name = next(n for n in archive.namelist() if n.endswith(LICENCE))
        licence = archive.read(name).decode()
    return json.loads(data), licence[licence.index("MIT License") :].strip()


def number(value: float) -> float | int:
    """As short as JSON can say it."""
    value = round(value, 6)
    return int(value) if value == int(value) else value


def per_million(entry: dict[str, Any], key: str) -> float | int | None:
    """A price, in USD for a million tokens."""
    return number(entry[key] * 1e6) if isinstance(entry.get(key), (int, float)) else None


def row(entry: dict[str, Any]) -> list[Any]:
    """The columns of a model; what is missing at the end is left out."""
    names = ("input_cost_per_token", "output_cost_per_token")
    names += ("cache_read_input_token_cost", "cache_creation_input_token_cost")
    values: list[Any] = [per_million(entry, name) for name in names]
    values += [entry.get("max_input_tokens"), entry.get("max_output_tokens")]
    values.append(1 if entry.get("supports_adaptive_thinking") else None)
    long = next((match for match in map(LONG.match, entry) if match), None)
    if long:
        above = f"_above_{long[1]}k_tokens"
        factors = [number(entry[name + above] / entry[name]) for name in names if name + above in entry]
        # one factor for all that is read; the page relies on it
        assert len(set(factors[:1] + factors[2:])) == 1, entry
        values += [int(long[1]) * 1000, factors[0], factors[1]]
    while values and values[-1] is None:
        values.pop()
    return values


def extract(prices: dict[str, Any]) -> dict[str, dict[str, list[Any]]]:
    """The rows of each provider, by model name."""
    models: dict[str, dict[str, list[Any]]] = {}
    for provider in PROVIDERS:
        rows = {}
        for name, entry in prices.items():
            entry = prices.get(entry.get("alias_of"), entry)
            ours = entry.get("litellm_provider") == provider and entry.get("mode") in MODES
            if ours and "/" not in name and per_million(entry, "input_cost_per_token") is not None:
                rows[name] = row(entry)
        # a dated name that says nothing new is found by the name without its date
        plain = {name: DATE.sub("", name) for name in rows}
        models[provider] = {
            name: rows[name] for name in sorted(rows) if plain[name] == name or rows.get(plain[name]) != rows[name]
        }
    return models


def text(models: dict[str, Any], notice: str) -> str:
    """The file: one model a line."""
    head = {
        "version": 1,
        "day": DAY,
        "source": f"price map of LiteLLM, from the package litellm {VERSION}",
        "notice": notice,
        "unit": "USD per million tokens",
        "columns": COLUMNS,
    }
    short = {"ensure_ascii": False, "separators": (",", ":")}
    lines = [json.dumps(head, **short)[:-1] + ',"models":{']
    for provider, rows in models.items():
        lines.append(f'"{provider}":{{')
        lines += [f"{json.dumps(name)}:{json.dumps(row, **short)}," for name, row in rows.items()]
        lines[-1] = lines[-1][:-1]
        lines.append("},")
    lines[-1] = "}"
    return "\n".join([*lines, "}}", ""])


def verify() -> None:
    """Tests what stands in the file."""
    data = OUT.read_bytes()
    listed = json.loads(data)
    assert len(data) <= 31_000, len(data)
    assert listed["version"] == 1 and listed["columns"] == COLUMNS and "MIT License" in listed["notice"]
    for provider in PROVIDERS:
        for name, values in listed["models"][provider].items():
            assert 2 <= len(values) <= len(COLUMNS), name
            assert all(value is None or value >= 0 for value in values), name
            assert values[0] is not None and values[1] is not None, name
    print(f"{sum(map(len, listed['models'].values()))} models, {len(data)} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", nargs="?", type=Path)
    parser.add_argument("--verify", action="store_true")
    arguments = parser.parse_args()
    if not arguments.verify:
        with tempfile.TemporaryDirectory() as folder:
            prices, notice = read(arguments.wheel or wheel(folder))
        OUT.parent.mkdir(parents=True, exist_ok=True)
        OUT.write_text(text(extract(prices), notice), encoding="utf-8", newline="\n")
    verify()


if __name__ == "__main__":
    main()
