"""A link written by another program: plans only, no compressor, nothing but the standard library.

Follows the table in src/share/mod.rs. Prints the code of `by-another-program.json`.
"""

import base64
import hashlib


def number(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def whole(n):
    return number(2 * n if n >= 0 else -2 * n - 1)


def text(s):
    return number(len(s.encode())) + s.encode()


def rows(plan):
    """Hours, sections and cranes of ships 0, 1, 2 ... as columns."""
    hours = [hour for hour, _, _ in plan]
    steps = [hour - above for hour, above in zip(hours, [0] + hours)]
    columns = steps + [section for _, section, _ in plan] + [cranes for _, _, cranes in plan]
    return number(3) + number(len(plan)) + b"".join(map(whole, columns))


def b64(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


PLAN = [[0, 9, 2], [21, 5, 1], [23, 10, 3]]  # hour, section, cranes

content = (
    number(1 | 16)  # plans; the task is a built-in one
    + bytes(3)  # which version of it: not said
    + number(1) + text("another program")  # model
    + text("first")  # task
    + number(1_767_225_600 + 1)  # 2026-01-01T00:00:00Z
    + number(2)  # submitted
    + number(1) + number(0) + number(0)  # turns, input tokens, output tokens
    + number(0) + b"\x00\x00\x00\x00\x00\x00\xe0\x3f"  # reward: a double, 0.5
    + number(1) + number(3) + whole(1) + rows(PLAN)  # one step: submit_plan in turn 1
    + number(1 | 2 | 4)  # submitted, and the plan is the last step's
)
check = b64(hashlib.sha256(content).digest())[:8]
print(f"1p0.{b64(content)}.{check}")
