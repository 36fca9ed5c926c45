from __future__ import annotations

import time
from typing import Generator, Iterator, Optional, Tuple, cast

from ._calls import read_json
from ._errors import DiwanError
from ._sender import Request, Sender, growing, is_of_the_way, plain
from .types import Change

PATH = "/company/changes"
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
CONNECT_WITHIN = 30.0
# A stream that ends sooner has failed: otherwise it would be reopened again and again, at the price of a call each time.
SHORTEST_STREAM = 10.0
# The server sends something every 25 seconds.
SILENCE = 60.0
LONGEST_LINE = 1_000_000


class Changes:
    """What changes in the company."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def follow(self, after: Optional[str] = None, *, give_up_after: float = 900.0) -> Generator[Change, None, None]:
        """The changes as they happen, until the client is closed.

        When the connection ends, it is opened again after the last change that was returned, so that
        nothing is missed. A cursor that is too old raises `cursor_expired`; the `cursor` of the error
        is where to follow from, once the collections have been read again.

          after: The `cursor` of the last change that you have processed; without it you get what
            happens from now on
          give_up_after: For how many seconds it tries to reach a server that is out of reach
        """
        last = after
        failures, failing_since = 0, time.monotonic()
        while True:
            opened = time.monotonic()
            try:
                for event_id, data in self._events(last):
                    change = read_json(data.encode()) if data else None
                    last = event_id or last
                    if change is not None:
                        yield cast(Change, change)
                error = DiwanError("network_error", "The server ended the stream.")
            except DiwanError as raised:
                error = raised
            if error.code == "closed":
                return
            now = time.monotonic()
            if now - opened >= SHORTEST_STREAM:
                failures, failing_since = 0, now
            seconds = _pause_before(error, failures)
            failures += 1
            if seconds is None or seconds > max(self._sender.max_wait, LONGEST_PAUSE):
                raise error
            if now + seconds - failing_since > give_up_after:
                raise error
            try:
                self._sender.wait(seconds, error)
            except DiwanError as raised:
                if raised.code == "closed":
                    return
                raise

    def _events(self, last: Optional[str]) -> Iterator[Tuple[str, str]]:
        """One connection, for as long as it lasts: the id of each event, and its data, if it has any."""
        headers = {"accept": "text/event-stream"}
        if last is not None:
            headers["last-event-id"] = plain("after", last)
        with self._sender.open(Request("GET", PATH, headers=headers, timeout=CONNECT_WITHIN)) as (response, connection):
            event_id, data = "", ""
            while True:
                # Only reading is timed: a program that takes long over a change does not make the server silent.
                connection.allow(SILENCE)
                with self._sender.reaching(SILENCE):
                    line = response.readline(LONGEST_LINE)
                if not line:
                    return
                if not line.endswith(b"\n"):
                    if len(line) >= LONGEST_LINE:
                        raise DiwanError("unexpected_answer", "A line has no end.")
                    return
                text = line.decode("utf-8", "replace").rstrip("\r\n")
                if text.startswith("id:"):
                    event_id = text[3:].strip()
                elif text.startswith("data:"):
                    data += ("\n" if data else "") + text[5:].lstrip()
                elif text == "":
                    if event_id or data:
                        yield event_id, data
                    data = ""


def _pause_before(error: DiwanError, failures: int) -> Optional[float]:
    """How long to wait before the stream is opened again; None when it would be refused again."""
    if error.status == 429:
        return error.retry_after or 1.0
    if is_of_the_way(error) or error.status >= 500:
        return growing(FIRST_PAUSE, failures, LONGEST_PAUSE)
    return None
