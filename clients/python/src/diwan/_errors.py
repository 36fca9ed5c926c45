from __future__ import annotations

import http.client
import json
import socket
from typing import Mapping, Optional


class DiwanError(Exception):
    """Every failure of a call, whether the server refused it or was not reached."""

    status: int
    """The HTTP status; 0 when there was no answer."""
    code: str
    """The `code` of the answer, such as `not_found`. Where there is none it is one of these:
    `too_many_requests` (the burst throttle), `unexpected_answer` (not from Diwan, or not whole),
    `time_out`, `network_error`, `webhook_unverified`, `invalid_argument` (nothing was sent), `closed`.
    """
    message: str
    request_id: Optional[str]
    """Identifies the request in the logs of the server."""
    retry_after: Optional[float]
    """After how many seconds a 429 may be tried again."""
    cursor: Optional[str]
    """With `cursor_expired`, the end of the feed as it is now."""
    id: Optional[str]
    """With `conflict` over an `external_id`, the record that has it. Trying again does not help."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        cursor: Optional[str] = None,
        id: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after
        self.cursor = cursor
        self.id = id

    def __repr__(self) -> str:
        return f"DiwanError(status={self.status}, code={self.code!r}, message={self.message!r})"

    def __reduce__(self) -> tuple[object, ...]:
        # An exception is otherwise copied, also between processes, by its message alone.
        return (_restored, (self.code, self.message, dict(self.__dict__)))


def _restored(code: str, message: str, state: Mapping[str, object]) -> DiwanError:
    error = DiwanError(code, message)
    error.__dict__.update(state)
    return error


def refusal(status: int, headers: Mapping[str, str], body: bytes) -> DiwanError:
    """The error in an answer: its body is an envelope, a bare string (the burst throttle), or a proxy's page."""
    request_id = headers.get("x-request-id")
    retry_after = _seconds(headers.get("retry-after"))
    error = _error_in(body)
    if isinstance(error, str):
        code, message, told = "too_many_requests", error, {}
    elif isinstance(error, dict) and "code" in error and "message" in error:
        code, message, told = str(error["code"]), str(error["message"]), error
    else:
        where = f" It leads to {headers['location']}." if 300 <= status < 400 and "location" in headers else ""
        code, message, told = "unexpected_answer", f"The answer was {status}, and not from Diwan.{where}", {}
    return DiwanError(
        code,
        message,
        status=status,
        request_id=request_id,
        retry_after=retry_after,
        cursor=_text(told.get("cursor")),
        id=_text(told.get("id")),
    )


def _error_in(body: bytes) -> object:
    try:
        envelope = json.loads(body)
    except ValueError:
        return None
    return envelope.get("error") if isinstance(envelope, dict) else None


def _seconds(text: Optional[str]) -> Optional[float]:
    return float(text) if text is not None and text.isascii() and text.isdigit() else None


def _text(value: object) -> Optional[str]:
    return None if value is None else str(value)


def failure(error: Exception, timeout: float) -> DiwanError:
    """The error of a call that failed on its way."""
    if isinstance(error, socket.timeout):
        return DiwanError("time_out", f"The server did not answer within {timeout:g} s.")
    if isinstance(error, http.client.IncompleteRead):
        return DiwanError("network_error", "The connection broke in the middle of the answer.")
    return DiwanError("network_error", f"The server was not reached: {error or type(error).__name__}")


def invalid(message: str) -> DiwanError:
    """A mistake of the caller, noticed before anything was sent."""
    return DiwanError("invalid_argument", message)
