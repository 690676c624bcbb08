"""Cuts the program of a release page into parts, and makes each small.

Trunk has built the program in one piece. Where it was built to be cut (`--cfg in_parts` and the linker's relocations:
scripts/env.sh, for_release), it is cut along the functions that `in_part!` marks (src/part.rs): what the page starts
with, and a file for each part, with a `shared` one for what several parts have in common. Only then wasm-bindgen can
write the script, so it does that a second time; the script learns how to bring the parts. Then wasm-opt goes over every
file: Trunk would not know of the parts.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

OPTIMISE = ["--flatten", "--rereloop", "-Oz", "-Oz"]
# How wasm-split-cli names what it makes.
LINK = "__wasm_split"
# Files are fetched side by side, and each is started after those before it: a part calls what is shared, which may be
# on its way for another part already. None is started twice, for that would set its memory back. One that did not come
# is forgotten, so that the next try fetches it again. Whoever asks for what is here is answered at once (src/part.rs,
# now).
LOADER = """
const parts = {};
const here = new Set();
const start = async (file, before) => {
    const answer = await fetch(new URL(file, import.meta.url));
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    const bytes = await answer.arrayBuffer();
    await Promise.all(before);
    await WebAssembly.instantiate(bytes, { LINK: wasm });
    here.add(file);
};
const forget = (file) => (error) => {
    delete parts[file];
    throw error;
};
const bring = (...files) => (callback, data) => {
    const back = (came) => wasm.__indirect_function_table.get(callback)(data, came);
    if (files.every((file) => here.has(file))) return back(true);
    const all = [];
    for (const file of files) all.push(parts[file] ??= start(file, [...all]).catch(forget(file)));
    Promise.all(all).then(() => back(true), (error) => {
        console.error(error);
        back(false);
    });
};
"""


def run(*command: str | os.PathLike[str]) -> None:
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    except FileNotFoundError:
        raise SystemExit(f"parts: {command[0]} is missing: run scripts/setup serve") from None
    if done.returncode:
        raise SystemExit(f"parts: {command[0]} failed: {done.stderr.strip()}")


def built() -> pathlib.Path:
    """The program as cargo has linked it."""
    root = pathlib.Path(__file__).resolve().parent.parent
    target = root / os.environ.get("CARGO_TARGET_DIR", "target")
    return target / "wasm32-unknown-unknown" / "release" / "quayside.wasm"


def optimise(wasm: pathlib.Path) -> None:
    run("wasm-opt", *OPTIMISE, wasm, "-o", wasm)


def loader(link: str) -> str:
    """The script that brings parts, made from the one that wasm-split-cli wrote for another way of loading."""
    files = r'new URL\("\./(\w+\.wasm)"'
    chunks = dict(re.findall(rf"const (__chunk_\w+) = makeLoad\(.*?{files}", link, flags=re.DOTALL))
    lines = []
    for name, text, needs in re.findall(
        rf"export const ({LINK}_load_\w+) = wrapAsyncCb\(makeLoad\((.*?), \[([^\]]*)\]\)\)", link, flags=re.DOTALL
    ):
        own = re.findall(files, text)
        wanted = [chunks[need] for need in re.findall(r"\w+", needs)] + own
        lines.append(f"    {name}: bring({', '.join(map(repr, wanted))}),")
    if not lines:
        raise SystemExit("parts: wasm-split-cli named no part")
    return LOADER.replace("LINK", LINK) + "const link = {\n" + "\n".join(lines) + "\n};\n"


def cut(folder: pathlib.Path) -> bool:
    """Puts the parts in place of Trunk's program, if it was built to be cut."""
    program = built()
    if f"{LINK}_load".encode() not in program.read_bytes():
        return False
    script = next(folder.glob("quayside-*.js"))
    with tempfile.TemporaryDirectory() as room:
        parts = pathlib.Path(room)
        run("wasm-split-cli", program, parts, "--out-name", "quayside")
        run("wasm-bindgen", parts / "quayside.wasm", "--target", "web", "--no-typescript", "--keep-lld-exports",
            "--out-dir", parts / "bound", "--out-name", script.stem)
        text = (parts / "bound" / script.name).read_text("utf-8")
        text, imported = re.subn(rf'^import \* as (\w+) from "\./{LINK}\.js";?$', r"const \1 = link;", text, flags=re.MULTILINE)
        if not imported:
            raise SystemExit("parts: the script does not import its parts")
        script.write_text(loader((parts / f"{LINK}.js").read_text("utf-8")) + text, "utf-8")
        shutil.copy(parts / "bound" / f"{script.stem}_bg.wasm", folder)
        for part in [*parts.glob("split_*.wasm"), *parts.glob("chunk_*.wasm")]:
            shutil.copy(part, folder)
    return True


def program(folder: pathlib.Path) -> None:
    cut(folder)
    for wasm in folder.glob("*.wasm"):
        optimise(wasm)
