"""Lets the page's own inline scripts through its content security policy, by their hashes and nothing else.

Trunk starts the program from an inline script whose text changes with every build; the word `inline-hashes` in the
policy of index.html becomes the list of hashes. A page without that word is left as it is.
"""

import base64
import hashlib
import pathlib
import re

WORD = "inline-hashes"


def allow_inline_scripts(page: pathlib.Path) -> None:
    text = page.read_text("utf-8")
    if WORD not in text:
        return
    scripts = re.findall(r"<script\b(?![^>]*\bsrc\b)[^>]*>(.*?)</script>", text, re.DOTALL | re.IGNORECASE)
    hashes = sorted({base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts})
    # Without quotes an attribute value ends at the first space: some minifiers write it that way.
    page.write_text(text.replace(WORD, " ".join(f"'sha256-{value}'" for value in hashes)), "utf-8")
