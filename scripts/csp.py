"""Lets the page's own inline scripts through its content security policy, by their hashes and nothing else.

Trunk starts the program from an inline script whose text changes with every build. It calls this file after a build
(Trunk.toml); the word `inline-hashes` in the policy of index.html becomes the list of hashes. A page without that word
is left as it is.
"""

import base64
import hashlib
import os
import pathlib
import re
import sys

WORD = "inline-hashes"


def main() -> None:
    page = pathlib.Path(os.environ.get("TRUNK_STAGING_DIR") or sys.argv[1]) / "index.html"
    text = page.read_text("utf-8")
    if WORD not in text:
        return
    scripts = re.findall(r"<script\b(?![^>]*\bsrc\b)[^>]*>(.*?)</script>", text, re.DOTALL | re.IGNORECASE)
    hashes = sorted({base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts})
    # Without quotes an attribute value ends at the first space: some minifiers write it that way.
    page.write_text(text.replace(WORD, " ".join(f"'sha256-{value}'" for value in hashes)), "utf-8")


main()
