"""Sends requests, and sends them again where that is safe."""

from __future__ import annotations

import http.client
import random
import re
import ssl
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterator, Mapping, Optional, Tuple, TypeVar
from urllib.parse import SplitResult, quote, urlsplit

from ._errors import DiwanError, failure, invalid, refusal
from ._version import __version__
from ._wire import Connection, Connections

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 5.0


@dataclass(frozen=True)
class Pause:
    """Why and how long the client waits before another attempt."""

    seconds: float
    error: DiwanError


@dataclass(frozen=True)
class Answered:
    """What an answer says besides its body, such as `x-ratelimit-remaining`."""

    method: str
    path: str
    status: int
    headers: Mapping[str, str]
    """Their names are in lower case."""


T = TypeVar("T")

OnPause = Callable[[Pause], object]
OnAnswer = Callable[[Answered], object]
Wait = Callable[[float, DiwanError], object]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: str = ""
    body: Optional[bytes] = None
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: Optional[float] = None
    on_answer: Optional[OnAnswer] = None


class Sender:
    def __init__(
        self,
        url: str,
        key: str,
        *,
        prefix: str,
        timeout: float,
        retry_for: float,
        max_wait: float,
        language: Optional[str],
        on_wait: Optional[OnPause],
        on_retry: Optional[OnPause],
        on_answer: Optional[OnAnswer],
        wait: Optional[Wait],
        ssl_context: Optional[ssl.SSLContext],
    ) -> None:
        server, self._base = _server(url, prefix)
        self._prefix = prefix
        self._ssl_context = ssl_context
        self._connections = Connections(server, ssl_context)
        self._headers = {
            "authorization": f"Bearer {plain('key', key)}",
            "user-agent": f"diwan-client-python/{__version__}",
        }
        if language is not None:
            self._headers["accept-language"] = plain("language", language)
        self._timeout = timeout
        self._retry_for = retry_for
        self.max_wait = max_wait
        self._on_wait = on_wait
        self._on_retry = on_retry
        self._on_answer = on_answer
        self._wait = wait
        self._closed = threading.Event()

    def send(self, request: Request, read: Callable[[Dict[str, str], bytes], T]) -> T:
        """What `read` makes of the headers and the body of a successful answer. Tries again where that is safe."""
        failures, waited, failing_since = 0, 0.0, 0.0
        while True:
            try:
                return read(*self._attempt(request))
            except DiwanError as error:
                seconds = pause_before(error, request.method, failures)
                if seconds is None:
                    raise
                if error.status == 429:
                    waited += seconds
                    if waited > self.max_wait:
                        raise
                else:
                    now = time.monotonic()
                    failing_since = now if failures == 0 else failing_since
                    failures += 1
                    if now + seconds - failing_since > self._retry_for:
                        raise
                self.wait(seconds, error)

    def _attempt(self, request: Request) -> Tuple[Dict[str, str], bytes]:
        with self.open(request) as (response, connection):
            headers, body = headers_of(response), self._read(response, connection, request)
        return self._from_bucket(headers["location"], request) if response.status == 302 else (headers, body)

    def _from_bucket(self, address: str, request: Request) -> Tuple[Dict[str, str], bytes]:
        """The bytes of a file at an address that says by itself who may read them: the key is not sent there."""
        bucket = urlsplit(address)
        timeout = self._time_for(request)
        connection = Connections(bucket, self._ssl_context).take()
        try:
            with self.reaching(timeout):
                headers = {"user-agent": self._headers["user-agent"]}
                response = connection.open("GET", f"{bucket.path}?{bucket.query}", headers, None, timeout)
            body = self._read(response, connection, request)
            if response.status != 200:
                raise refusal(response.status, headers_of(response), body)
            return headers_of(response), body
        finally:
            connection.close()

    @contextmanager
    def open(self, request: Request) -> Iterator[Tuple[http.client.HTTPResponse, Connection]]:
        """One attempt, whose answer, if it is a success, has not been read yet."""
        timeout = self._time_for(request)
        address = self._address(request.path) + request.query
        connection = self._connections.take()
        response: Optional[http.client.HTTPResponse] = None
        try:
            headers = {**self._headers, **request.headers}
            with self.reaching(timeout):
                response = connection.open(request.method, address, headers, request.body, timeout)
            self._tell(request, response)
            if not (200 <= response.status < 300 or _is_signed(response)):
                raise refusal(response.status, headers_of(response), self._read(response, connection, request))
            yield response, connection
        finally:
            if connection.is_done:
                self._connections.give_back(connection)
            else:
                if response:
                    response.close()
                self._connections.drop(connection)

    def _read(self, response: http.client.HTTPResponse, connection: Connection, request: Request) -> bytes:
        with self.reaching(self._time_for(request)):
            body = response.read()
        connection.is_done = not response.will_close
        return body

    def _time_for(self, request: Request) -> float:
        return self._timeout if request.timeout is None else request.timeout

    @contextmanager
    def reaching(self, timeout: float) -> Iterator[None]:
        """A failure on the way is a `DiwanError` too."""
        try:
            yield
        except (OSError, http.client.HTTPException, ValueError) as error:
            # ValueError is what reading raises from a connection that close() has ended.
            if self._closed.is_set():
                raise DiwanError("closed", "The client is closed.") from error
            raise failure(error, timeout) from error

    def _tell(self, request: Request, response: http.client.HTTPResponse) -> None:
        answered = Answered(request.method, request.path, response.status, headers_of(response))
        for tell in (self._on_answer, request.on_answer):
            if tell:
                tell(answered)

    def _address(self, path: str) -> str:
        """A path that does not name its surface is below the prefix."""
        if not path.startswith("/"):
            raise invalid("path must begin with /")
        prefix = "" if re.match(r"/(api|admin)/", path) else self._prefix
        return self._base + prefix + quote(path, safe="/%:?&=~!$'()*+,;@[]")

    def wait(self, seconds: float, error: DiwanError) -> None:
        tell = self._on_wait if error.status == 429 else self._on_retry
        if tell:
            tell(Pause(seconds, error))
        if self._wait:
            self._wait(seconds, error)
        else:
            self.sleep(seconds)

    def sleep(self, seconds: float) -> None:
        if self._closed.wait(seconds):
            raise DiwanError("closed", "The client is closed.")

    def close(self) -> None:
        self._closed.set()
        self._connections.close()


def _server(url: str, prefix: str) -> Tuple[SplitResult, str]:
    """The server, and the path below which it is. The address of the API is a way to name the server too."""
    try:
        server = urlsplit(url)
        server.port
    except ValueError as error:
        raise invalid(f"url cannot be read: {error}") from None
    if server.query or server.fragment or server.username is not None:
        raise invalid("url must have no user, query or fragment")
    base = server.path.rstrip("/")
    return server, quote(base[: -len(prefix)] if base.endswith(prefix) else base, safe="/%")


def _is_signed(response: http.client.HTTPResponse) -> bool:
    """True for a redirect to a bucket. Others are not followed."""
    location = urlsplit(response.getheader("location") or "") if response.status == 302 else None
    return location is not None and location.scheme != "" and "X-Amz-Signature=" in location.query


def headers_of(response: http.client.HTTPResponse) -> Dict[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}


def plain(name: str, value: str) -> str:
    """What goes into a header is ASCII, on one line."""
    if not isinstance(value, str) or not re.fullmatch(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?", value):
        raise invalid(f"{name} must be text in ASCII, without line breaks")
    return value


def is_named(method: str) -> bool:
    """True for the methods whose requests have an `Idempotency-Key`."""
    return method in ("POST", "PUT")


def pause_before(error: DiwanError, method: str, failures: int) -> Optional[float]:
    """How long to wait before the next attempt; None when there should be none.

    A 429 and a 409 have done nothing. For other failures nobody knows whether the request was carried
    out: then a read may be repeated, and so may a POST or PUT, because all its attempts carry one
    `Idempotency-Key`. What was refused for good, such as `plan_upgrade_required`, an external id that
    is taken, or a certificate that is not trusted, is never sent again.
    """
    if error.status == 429:
        return max(error.retry_after or 1.0, 1.0)
    is_lost_race = error.status == 409 and error.id is None
    is_repeatable = is_lost_race or (is_of_the_way(error) and (method == "GET" or is_named(method)))
    return growing(FIRST_PAUSE, failures, LONGEST_PAUSE) if is_repeatable else None


def is_of_the_way(error: DiwanError) -> bool:
    """True when the request itself was not at fault, so that the same request may soon succeed."""
    if isinstance(error.__cause__, ssl.SSLCertVerificationError):
        return False
    if error.status == 0:
        return error.code in ("network_error", "time_out", "unexpected_answer")
    return error.status in (502, 503, 504)


def growing(first: float, failures: int, longest: float) -> float:
    """Twice as long after every failure, and different for two clients that failed together."""
    return min(first * 2.0 ** min(failures, 30), longest) * (0.5 + random.random() / 2)
