"""A running server, whose address and key are in the environment, and a proxy that does to each request what was planned."""

from __future__ import annotations

import http.client
import json
import os
import socket
import threading
import time
import unittest
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional, Set, Tuple, Union
from urllib.parse import urlsplit

from diwan import Diwan, DiwanError
from diwan.types import Project, Task, TaskList

URL = os.environ["DIWAN_URL"]
KEY = os.environ["DIWAN_KEY"]

Fate = Union[str, Callable[["Handler"], None]]


def answer(status: int, body: str, **headers: str) -> Fate:
    """An answer that the server did not give."""

    def give(handler: Handler) -> None:
        handler.reply(status, body.encode(), {name.replace("_", "-"): value for name, value in headers.items()})

    return give


BUSY = answer(503, '{"error":{"code":"unavailable","message":"Busy."}}')


def throttled(seconds: int) -> Fate:
    return answer(429, json.dumps({"error": f"Try again in {seconds} seconds."}), retry_after=str(seconds))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "_Server"

    def setup(self) -> None:
        super().setup()
        self.server.proxy.sockets.add(self.connection)
        self.server.proxy.connections += 1

    def finish(self) -> None:
        self.server.proxy.sockets.discard(self.connection)
        super().finish()

    def log_message(self, *_: Any) -> None:
        pass

    def reply(self, status: int, body: bytes, headers: Dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except OSError:
            self.close_connection = True

    def do(self) -> None:
        proxy = self.server.proxy
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        with proxy.lock:
            proxy.seen.append((self.command, self.path, {name.lower(): value for name, value in self.headers.items()}))
            fate = proxy.fates.pop(0) if proxy.fates else "pass"
        if callable(fate):
            fate(self)
        elif fate == "hang":
            self.proxy_waits()
        elif fate == "cut before":
            self.hang_up()
        else:
            self.forward(body, fate)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do

    def hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def proxy_waits(self) -> None:
        """Keeps the connection open for as long as the test runs."""
        self.server.proxy.released.wait(60)
        self.close_connection = True

    def forward(self, body: bytes, fate: str) -> None:
        target = urlsplit(URL)
        onward = http.client.HTTPConnection(target.hostname or "", target.port, timeout=60)
        onward.request(self.command, self.path, body or None, dict(self.headers.items()))
        response = onward.getresponse()
        self.server.proxy.answered += 1
        if response.getheader("content-type", "").startswith("text/event-stream"):
            self.send_response(response.status)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            self.close_connection = True
            while True:
                line = response.readline()
                if not line:
                    return
                self.wfile.write(line)
        content = response.read()
        onward.close()
        if fate == "cut after":
            return self.hang_up()
        headers = {name: value for name, value in response.getheaders() if name.lower() not in HOP_BY_HOP}
        self.reply(response.status, content, headers)


HOP_BY_HOP = ("content-length", "transfer-encoding", "connection", "keep-alive")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    proxy: "Proxy"

    def handle_error(self, *_: Any) -> None:
        pass


class Proxy:
    def __init__(self) -> None:
        self.fates: List[Fate] = []
        self.seen: List[Tuple[str, str, Dict[str, str]]] = []
        self.answered = 0
        self.connections = 0
        self.sockets: Set[socket.socket] = set()
        self.lock = threading.Lock()
        self.released = threading.Event()
        self._server = _Server(("127.0.0.1", 0), Handler)
        self._server.proxy = self
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def cut(self) -> None:
        """Hangs up on everybody."""
        for each in list(self.sockets):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self) -> None:
        self.released.set()
        self.cut()
        self._server.shutdown()
        self._server.server_close()


class Case(unittest.TestCase):
    """Each test has a proxy, a client that goes through it, and, if it wants, a project with a list and a task."""

    def setUp(self) -> None:
        self.proxy = Proxy()
        self.addCleanup(self.proxy.close)
        self.diwan = self.client()

    @cached_property
    def _direct(self) -> Diwan:
        return self.client(url=URL)

    @cached_property
    def project(self) -> Project:
        return self._direct.projects.create(name="مشروع الاختبار")

    @cached_property
    def list(self) -> TaskList:
        return self._direct.projects.create_list(self.project["id"], title="First")

    @cached_property
    def task(self) -> Task:
        return self._direct.lists.create_task(self.list["id"], title="Task")

    def client(self, url: Optional[str] = None, **settings: Any) -> Diwan:
        client = Diwan(url or self.proxy.url, settings.pop("key", KEY), **settings)
        self.addCleanup(client.close)
        return client

    def failure(self, run: Callable[[], object]) -> DiwanError:
        with self.assertRaises(DiwanError) as raised:
            run()
        return raised.exception

    def paths(self) -> List[str]:
        return [f"{method} {path.partition('?')[0]}" for method, path, _ in self.proxy.seen]

    def names(self) -> List[Optional[str]]:
        return [headers.get("idempotency-key") for _, _, headers in self.proxy.seen]


def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError("It did not come to that")
        time.sleep(0.01)
