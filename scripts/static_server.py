"""Serves a folder as a plain static host would: files as they are, right media types, 404 for what is not there.

    python3 scripts/static_server.py dist            the first free port from 8080 on
    python3 scripts/static_server.py dist --port 4173 --strict   that port or an error

Prints the address on a line of its own once it listens. Only Python's standard library is used.
"""

import argparse
import errno
import functools
import http.server
import os
import sys

# Written down, because the system's own list differs from machine to machine and a wrong type for `.wasm` or `.js`
# stops the page: browsers compile streaming only from application/wasm and load modules only from a JavaScript type.
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


class Handler(http.server.SimpleHTTPRequestHandler):
    """`SimpleHTTPRequestHandler` with the types above, quiet, and with connections kept open."""

    protocol_version = "HTTP/1.1"
    extensions_map = {"": "application/octet-stream", **TYPES}

    def end_headers(self):
        # Ask again each time: after a new build nobody should look at the old page. Unchanged files cost a 304.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def list_directory(self, path):
        self.send_error(404)

    def log_message(self, format, *args):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        # A browser that goes away in the middle of an answer is no event worth a traceback.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def listen(host, port, strict, folder):
    """A listening server on `port`, or, unless `strict`, on the next free one."""
    while True:
        try:
            return Server((host, port), functools.partial(Handler, directory=folder))
        except OSError as error:
            if strict or error.errno != errno.EADDRINUSE or port >= 65535:
                raise
            port += 1


def main():
    parser = argparse.ArgumentParser(description="Serve a folder as a plain static host would.")
    parser.add_argument("folder")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--strict", action="store_true", help="fail when the port is taken")
    options = parser.parse_args()
    if not os.path.isfile(os.path.join(options.folder, "index.html")):
        sys.exit(f"{options.folder} holds no index.html: build the page first")
    try:
        server = listen(options.host, options.port, options.strict, options.folder)
    except OSError as error:
        sys.exit(f"can not listen on {options.host}:{options.port}: {error.strerror}")
    print(f"http://{options.host}:{server.server_address[1]}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
