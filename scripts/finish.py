"""What a built page still needs. Trunk calls this file after each build (Trunk.toml): first the program of a release is
cut into parts and its files are made lighter, then the policy is told the inline scripts, whose text names those files.
"""

import os
import pathlib
import sys

sys.dont_write_bytecode = True

import csp  # noqa: E402
import parts  # noqa: E402
import slim  # noqa: E402

folder = pathlib.Path(os.environ.get("TRUNK_STAGING_DIR") or sys.argv[1])
# Whoever looks into a debug build wants the names and comments.
if os.environ.get("TRUNK_PROFILE", "release") == "release":
    parts.program(folder)
    slim.program(folder)
    slim.styles(folder)
csp.allow_inline_scripts(folder / "index.html")
