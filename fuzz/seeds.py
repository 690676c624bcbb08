"""Writes what the fuzz targets begin with: the cases of tests/cases, in the form each target takes.

    python3 fuzz/seeds.py FOLDER    FOLDER/<target>/<SHA-1 of the content>
"""

import base64
import hashlib
import json
import sys
import zlib
from pathlib import Path

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases"
# The longest input that scripts/fuzz lets libFuzzer make.
MOST = 16_384


def main():
    for target, make in {"link": links, "record": records, "plan": plans, "situation": situations}.items():
        folder = Path(sys.argv[1]) / target
        folder.mkdir(parents=True, exist_ok=True)
        for content in make():
            if len(content) <= MOST:
                (folder / hashlib.sha1(content).hexdigest()).write_bytes(content)


def cases(folder):
    return [json.loads(path.read_text()) for path in sorted((CASES / folder).glob("*.json"))]


def links():
    """The text of each, and what is in it."""
    for case in cases("share"):
        code = case["code"]
        yield code.encode()
        try:
            payload = base64.urlsafe_b64decode(code.split(".")[1] + "==")
            yield zlib.decompress(payload, -15) if code[2] == "d" else payload
        except (IndexError, ValueError, zlib.error):
            pass  # some are cut or damaged, for that is their point


def records():
    """A name, a line end and the bytes; 00 FF 00 between files."""
    for case in cases("files"):
        files = [file["name"].encode() + b"\n" + content(file) for file in case["files"]]
        yield b"\x00\xff\x00".join(files)
        yield from files
    for case in cases("episodes"):
        yield b"run.json\n" + json.dumps(case["record"]).encode()


def content(file):
    if "hex" in file:
        return bytes.fromhex(file["hex"])
    if "text" in file:
        return file["text"].encode("utf-8", "surrogatepass")
    if "json" in file:
        return json.dumps(file["json"]).encode()
    lines = [line if isinstance(line, str) else json.dumps(line) for line in file["lines"]]
    return "\n".join(lines).encode()


def plans():
    for case in cases("berth"):
        for one in case["cases"]:
            plan = one["raw_plan"]
            yield (plan if isinstance(plan, str) else json.dumps(plan)).encode("utf-8", "surrogatepass")


def situations():
    """Texts, and tasks as JSON, whose text the target writes itself."""
    for path in sorted((Path(__file__).resolve().parent / "situations").glob("*.md")):
        yield path.read_bytes()
    for case in cases("berth"):
        yield json.dumps(case["task"]).encode()


main()
