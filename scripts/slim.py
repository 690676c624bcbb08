"""Makes the files of a release page lighter, by what no tool in the build does.

The program has two halves, the wasm file and the script that wasm-bindgen wrote for it. What they call each other by is
long: `__wbg_addEventListener_847fd86b8c33ec43`, once in each file, some 250 times, and half of every name is a hash that
no compression can shorten. The two are only ever used together, so here each such name becomes a short one in both.
Besides, the script loses its comments and its indentation (Trunk's minifier can not read it), and the wasm the sections
that only name the tools it was made with.

What holds for the program's file holds for its parts (scripts/parts.py).

The style sheets become one file: one request, and compressed together they are smaller than each by itself.

A file's name holds a hash of what Trunk knew. It is made anew from what is in the files now, so that no cache can pair
the halves of two builds.
"""

import hashlib
import pathlib
import re

TYPES, IMPORTS, EXPORTS, CUSTOM = 1, 2, 7, 0
HEADER = b"\0asm\x01\0\0\0"
DIGITS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


class Reader:
    """The few forms of the binary format that stand in the sections read here."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, length: int) -> bytes:
        self.at += length
        return self.data[self.at - length : self.at]

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def block(self) -> bytes:
        return self.take(self.number())

    def limits(self) -> None:
        for _ in range(2 if self.take(1)[0] & 1 else 1):
            self.number()


def number(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def block(data: bytes) -> bytes:
    return number(len(data)) + data


def sections(wasm: bytes) -> list[tuple[int, bytes]]:
    if not wasm.startswith(HEADER):
        raise SystemExit("slim: this is no WebAssembly file")
    reader = Reader(wasm)
    reader.take(len(HEADER))
    found = []
    while reader.at < len(wasm):
        found.append((reader.take(1)[0], reader.block()))
    return found


def imports(section: bytes) -> list[tuple[bytes, bytes, bytes]]:
    """Module, name, and what is imported, as it stands."""
    reader = Reader(section)
    found = []
    for _ in range(reader.number()):
        module, name, start = reader.block(), reader.block(), reader.at
        match reader.take(1)[0]:
            case 0:
                reader.number()
            case 1:
                reader.take(1)
                reader.limits()
            case 2:
                reader.limits()
            case 3:
                reader.take(2)
            case kind:
                raise SystemExit(f"slim: an import of unknown kind {kind}")
        found.append((module, name, section[start : reader.at]))
    return found


def exports(section: bytes) -> list[tuple[bytes, bytes]]:
    reader = Reader(section)
    found = []
    for _ in range(reader.number()):
        name, start = reader.block(), reader.at
        reader.take(1)
        reader.number()
        found.append((name, section[start : reader.at]))
    return found


def short(index: int) -> str:
    """`$a`, `$b`, … A name with `$` meets none of wasm-bindgen's own."""
    text = ""
    while True:
        index, digit = divmod(index, len(DIGITS))
        text = DIGITS[digit] + text
        if not index:
            return "$" + text


def renamed(wasm: bytes, names: dict[bytes, bytes]) -> bytes:
    out = [HEADER]
    for kind, body in sections(wasm):
        if kind == CUSTOM:
            continue
        if kind == IMPORTS:
            rows = [block(module) + block(names.get(name, name)) + rest for module, name, rest in imports(body)]
            body = number(len(rows)) + b"".join(rows)
        elif kind == EXPORTS:
            rows = [block(names.get(name, name)) + rest for name, rest in exports(body)]
            body = number(len(rows)) + b"".join(rows)
        out.append(bytes([kind]) + block(body))
    return b"".join(out)


def private_names(wasm: bytes) -> list[str]:
    """What only the script knows the wasm by: wasm-bindgen's own names, not `main` or `memory`."""
    found: dict[str, None] = {}
    for kind, body in sections(wasm):
        if kind == IMPORTS:
            found.update((name.decode(), None) for _, name, _ in imports(body))
        elif kind == EXPORTS:
            found.update((name.decode(), None) for name, _ in exports(body))
    return [name for name in found if re.fullmatch(r"(__|wasm_bindgen__)\w+", name)]


def compact(script: str) -> str:
    """Without comments and indentation. Line by line: wasm-bindgen writes no text that goes over several lines."""
    script = re.sub(r"^\s*/\*.*?\*/[^\S\n]*$", "", script, flags=re.DOTALL | re.MULTILINE)
    lines = [line.strip() for line in script.splitlines()]
    if any(line.count("`") % 2 for line in lines):
        raise SystemExit("slim: the script holds a text of several lines")
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"


def fingerprint(*contents: bytes) -> str:
    return hashlib.sha256(b"".join(contents)).hexdigest()[:16]


def program(folder: pathlib.Path) -> None:
    page = folder / "index.html"
    text = page.read_text("utf-8")
    parts = sorted(set(folder.glob("*.wasm")) - set(folder.glob("*_bg.wasm")))
    for wasm_file in sorted(folder.glob("*_bg.wasm")):
        stem = wasm_file.name.removesuffix("_bg.wasm")
        script_file = folder / f"{stem}.js"
        wasm, script = wasm_file.read_bytes(), compact(script_file.read_text("utf-8"))
        if re.search(r"\$(?!\{)", script):
            raise SystemExit("slim: the script has names of its own with a $")
        names = {name: short(index) for index, name in enumerate(private_names(wasm))}
        script = re.sub(r"\b\w+\b", lambda word: names.get(word[0], word[0]), script)
        in_bytes = {name.encode(): new.encode() for name, new in names.items()}
        wasm = renamed(wasm, in_bytes)
        for part in parts:
            content = renamed(part.read_bytes(), in_bytes)
            part.unlink()
            name = f"{re.sub('^chunk', 'shared', part.stem.removeprefix('split_'))}-{fingerprint(content)}.wasm"
            (folder / name).write_bytes(content)
            script = script.replace(part.name, name)
        wasm_file.unlink()
        script_file.unlink()
        new_stem = f"{stem.rsplit('-', 1)[0]}-{fingerprint(wasm, script.encode())}"
        (folder / f"{new_stem}_bg.wasm").write_bytes(wasm)
        (folder / f"{new_stem}.js").write_text(script, "utf-8")
        text = text.replace(stem, new_stem)
    page.write_text(text, "utf-8")


def styles(folder: pathlib.Path) -> None:
    page = folder / "index.html"
    text = page.read_text("utf-8")
    links = re.findall(r"<link\b[^>]*\brel=[\"']?stylesheet\b[^>]*>", text)
    # In the order of the page, which is the order of the cascade.
    files = [folder / found[1] for link in links if (found := re.search(r"([^\"'\s=/]+\.css)\b", link))]
    if len(files) < 2 or len(files) != len(links):
        return
    sheet = "".join(file.read_text("utf-8") for file in files)
    name = f"style-{fingerprint(sheet.encode())}.css"
    for file in files:
        file.unlink()
    (folder / name).write_text(sheet, "utf-8")
    text = text.replace(links[0], links[0].replace(files[0].name, name))
    for link in links[1:]:
        text = text.replace(link, "")
    page.write_text(text, "utf-8")
