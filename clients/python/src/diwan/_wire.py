"""Connections to one server, kept open from one call to the next."""

from __future__ import annotations

import http.client
import io
import select
import socket
import ssl
import threading
import time
import urllib.request
from base64 import b64encode
from typing import Any, Dict, List, Optional, Set
from urllib.parse import SplitResult, unquote, urlsplit

from ._errors import DiwanError, invalid

# Servers and proxies close connections that nobody uses, some after five seconds.
LONGEST_IDLE_SECONDS = 4.0


class _Wire:
    """A socket on which everything, however many pieces it comes in, has to be done by a deadline."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.deadline = 0.0

    def allow(self, seconds: float) -> None:
        self.deadline = time.monotonic() + seconds

    def arm(self) -> None:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise socket.timeout("timed out")
        self.sock.settimeout(left)

    def sendall(self, data: Any) -> None:
        self.arm()
        self.sock.sendall(data)

    def makefile(self, mode: str, *_: Any, **__: Any) -> io.BufferedReader:
        return io.BufferedReader(_Incoming(self))

    def has_news(self) -> bool:
        """True when there is something to read, which between two calls is the end of the connection."""
        try:
            return bool(select.select([self.sock], [], [], 0)[0])
        except (OSError, ValueError):
            return True

    def shut_down(self) -> None:
        """Wakes up whoever reads from it, in another thread."""
        try:
            socket.socket.shutdown(self.sock, socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self) -> None:
        self.sock.close()


class _Incoming(io.RawIOBase):
    def __init__(self, wire: _Wire) -> None:
        self._wire = wire
        self._raw: Any = wire.sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._wire.arm()
        count: Optional[int] = self._raw.readinto(buffer)
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Plain(http.client.HTTPConnection):
    wire: Optional[_Wire] = None

    def connect(self) -> None:
        super().connect()
        # The rest of http.client does with it what it would do with the socket.
        self.wire = self.sock = _Wire(self.sock)


class _Secure(http.client.HTTPSConnection):
    wire: Optional[_Wire] = None

    def connect(self) -> None:
        super().connect()
        self.wire = self.sock = _Wire(self.sock)


class Connection:
    """One connection, used by one call at a time."""

    def __init__(self, http: Any, origin: str = "", headers: Optional[Dict[str, str]] = None) -> None:
        self._http = http
        # What a proxy needs besides: the whole address, and its own credentials.
        self._origin = origin
        self._headers = headers or {}
        self.idle_since = 0.0
        # True once an answer has been read to its end, and the next request may follow.
        self.is_done = False

    def open(
        self, method: str, target: str, headers: Dict[str, str], body: Optional[bytes], timeout: float
    ) -> http.client.HTTPResponse:
        """Sends a request and reads the head of the answer."""
        began = time.monotonic()
        self.is_done = False
        if self._http.sock is None:
            self._http.timeout = timeout
            self._http.connect()
        self.allow(timeout - (time.monotonic() - began))
        try:
            self._http.request(method, self._origin + target, body, {**headers, **self._headers})
        except (BrokenPipeError, ConnectionResetError) as error:
            # A server that does not want a large body answers, and hangs up before it has come.
            try:
                early: http.client.HTTPResponse = self._http.getresponse()
            except Exception:
                raise error from None
            early.will_close = True
            return early
        response: http.client.HTTPResponse = self._http.getresponse()
        return response

    def allow(self, seconds: float) -> None:
        wire: Optional[_Wire] = self._http.wire
        if wire:
            wire.allow(seconds)

    def is_usable(self) -> bool:
        wire: Optional[_Wire] = self._http.wire
        is_fresh = time.monotonic() - self.idle_since < LONGEST_IDLE_SECONDS
        return self._http.sock is not None and wire is not None and is_fresh and not wire.has_news()

    def close(self) -> None:
        self._http.close()

    def shut_down(self) -> None:
        wire: Optional[_Wire] = self._http.wire
        if wire:
            wire.shut_down()


class Connections:
    """Makes connections, and keeps those that can be used again. Threads may share it."""

    def __init__(self, server: SplitResult, tls: Optional[ssl.SSLContext]) -> None:
        if server.scheme not in ("http", "https") or not server.hostname:
            raise invalid("url must begin with http:// or https:// and name a server")
        self._server = server
        self._port = server.port or (443 if server.scheme == "https" else 80)
        self._tls = tls
        self._lock = threading.Lock()
        self._idle: List[Connection] = []
        self._busy: Set[Connection] = set()
        self._is_closed = False

    def take(self) -> Connection:
        with self._lock:
            self._require_open()
            while self._idle:
                connection = self._idle.pop()
                if connection.is_usable():
                    self._busy.add(connection)
                    return connection
                connection.close()
            connection = self._new()
            self._busy.add(connection)
            return connection

    def give_back(self, connection: Connection) -> None:
        """For a connection whose answer has been read to its end."""
        connection.idle_since = time.monotonic()
        with self._lock:
            self._busy.discard(connection)
            if not self._is_closed:
                self._idle.append(connection)
                return
        connection.close()

    def drop(self, connection: Connection) -> None:
        with self._lock:
            self._busy.discard(connection)
        connection.close()

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            for connection in self._busy:
                connection.shut_down()
        for connection in idle:
            connection.close()

    def _require_open(self) -> None:
        if self._is_closed:
            raise DiwanError("closed", "The client is closed.")

    def _new(self) -> Connection:
        host, port = self._server.hostname or "", self._port
        is_secure = self._server.scheme == "https"
        proxy = proxy_for(self._server)
        if proxy is None:
            return Connection(self._to(host, port, is_secure))
        via = self._to(proxy.hostname or "", proxy.port or 80, is_secure)
        if is_secure:
            via.set_tunnel(host, port, _authorization(proxy))
            return Connection(via)
        return Connection(via, f"http://{self._server.netloc}", _authorization(proxy))

    def _to(self, host: str, port: int, is_secure: bool) -> Any:
        if not is_secure:
            return _Plain(host, port)
        if self._tls is None:
            self._tls = ssl.create_default_context()
        return _Secure(host, port, context=self._tls)


def proxy_for(server: SplitResult) -> Optional[SplitResult]:
    """The proxy that `http_proxy`, `https_proxy` or `all_proxy` names, unless `no_proxy` exempts the server."""
    proxies = urllib.request.getproxies()
    address = proxies.get(server.scheme) or proxies.get("all")
    if not address or urllib.request.proxy_bypass(server.netloc.rpartition("@")[2]):
        return None
    proxy = urlsplit(address if "://" in address else f"http://{address}")
    if proxy.scheme != "http" or not proxy.hostname:
        raise invalid(f"{server.scheme}_proxy must be an http:// address")
    return proxy


def _authorization(proxy: SplitResult) -> Dict[str, str]:
    if proxy.username is None:
        return {}
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": "Basic " + b64encode(pair.encode()).decode()}
