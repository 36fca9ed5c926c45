"""What the generated methods are made of."""

from __future__ import annotations

import enum
import json
import uuid
from dataclasses import dataclass
from datetime import date
from typing import Any, Dict, Final, Iterator, Mapping, Optional, Tuple, Union
from urllib.parse import quote, urlencode

from ._errors import DiwanError, invalid
from ._pages import Pages
from ._sender import OnAnswer, Request, Sender, is_named, plain


class NotGiven(enum.Enum):
    """The value of an argument that was left out: None is one that the API understands."""

    NOT_GIVEN = "not given"


NOT_GIVEN: Final = NotGiven.NOT_GIVEN

Ref = Union[str, int]
"""A ref, such as `tsk-…`, an id, or `ext:` and the id of another system."""

IfMatch = Union[str, Mapping[str, object]]
"""A record as it was read, or its ETag."""


@dataclass(frozen=True)
class Options:
    timeout: Optional[float] = None
    on_answer: Optional[OnAnswer] = None
    idempotency_key: Optional[str] = None
    if_match: Optional[IfMatch] = None


class Record(Dict[str, Any]):
    """A record that came with an ETag."""

    __slots__ = ("etag",)
    etag: str


def etag_of(record: Mapping[str, object]) -> Optional[str]:
    """The ETag that a record came with; None for one that was listed."""
    return record.etag if isinstance(record, Record) else None


class Calls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def data(self, method: str, path: str, fields: Optional[Mapping[str, object]], options: Options) -> Any:
        """The record in the answer, with its ETag."""
        return self._sender.send(_request(method, path, fields, options), _record)

    def answer(self, method: str, path: str, fields: Optional[Mapping[str, object]], options: Options) -> Any:
        """The whole answer."""
        return self._sender.send(_request(method, path, fields, options), _whole)

    def bytes(self, method: str, path: str, fields: Optional[Mapping[str, object]], options: Options) -> "bytes":
        return self._sender.send(_request(method, path, fields, options), lambda _, body: body)

    def pages(
        self, method: str, path: str, fields: Optional[Mapping[str, object]], options: Options
    ) -> Pages[Any, Any]:
        def read(cursor: Optional[str]) -> Any:
            query: Dict[str, object] = dict(fields or {})
            if cursor is not None:
                query["cursor"] = cursor
            return self.answer(method, path, query, options)

        return Pages(read, path.rpartition("/")[2])

    def request(
        self, method: str, path: str, query: Optional[Mapping[str, object]], body: object, options: Options
    ) -> Any:
        text = None if body is None else body.encode() if isinstance(body, str) else to_json(body)
        request = _prepared(method, path, search(query), text, options)
        return self._sender.send(request, _anything)


def _request(method: str, path: str, fields: Optional[Mapping[str, object]], options: Options) -> Request:
    if method == "GET":
        return _prepared(method, path, search(fields), None, options)
    given = None if fields is None else {name: value for name, value in fields.items() if value is not NOT_GIVEN}
    return _prepared(method, path, "", None if given is None else to_json(given), options)


def _prepared(method: str, path: str, query: str, body: Optional["bytes"], options: Options) -> Request:
    """Every POST and PUT has a name, so that it can be tried again safely."""
    headers: Dict[str, str] = {}
    if body is not None:
        headers["content-type"] = "application/json"
    if is_named(method):
        headers["idempotency-key"] = plain("idempotency_key", options.idempotency_key or uuid.uuid4().hex)
    if options.if_match is not None:
        headers["if-match"] = plain("if_match", _version(options.if_match))
    return Request(method, path, query, body, headers, options.timeout, options.on_answer)


def _version(match: IfMatch) -> str:
    etag = match if isinstance(match, str) else etag_of(match)
    if etag is None:
        raise invalid("if_match must be an ETag, or a record as get, create, update or an action gave it")
    return etag


def segment(name: str, handle: Ref) -> str:
    """A handle is one segment of a path, and must not lead to another path."""
    text = "" if handle is None else str(handle)
    if text in ("", ".", ".."):
        raise invalid(f"{name} must be a ref, a slug or an id")
    return quote(text, safe="")


def search(query: Optional[Mapping[str, object]]) -> str:
    """A list repeats the parameter, and a mapping names its keys in brackets; None is left out."""
    text = urlencode(list(_parameters(query or {})))
    return f"?{text}" if text else ""


def _parameters(query: Mapping[str, object]) -> Iterator[Tuple[str, str]]:
    for name, value in query.items():
        if isinstance(value, Mapping):
            yield from _parameters({f"{name}[{key}]": each for key, each in value.items()})
        elif isinstance(value, (list, tuple, set, frozenset)):
            yield from ((name, _text(each)) for each in value)
        elif value is not None and value is not NOT_GIVEN:
            yield name, _text(value)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)


def to_json(value: object) -> "bytes":
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain).encode()
    except (TypeError, ValueError) as error:
        raise invalid(f"The body cannot be written as JSON: {error}") from None


def _plain(value: object) -> object:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no value of JSON")


def read_json(body: "bytes") -> Any:
    try:
        return json.loads(body)
    except ValueError:
        raise DiwanError("unexpected_answer", "The answer is not JSON.") from None


def _anything(_: Mapping[str, str], body: "bytes") -> Any:
    return read_json(body) if body else None


def _whole(_: Mapping[str, str], body: "bytes") -> Dict[str, Any]:
    answer = read_json(body)
    if not isinstance(answer, dict) or "data" not in answer:
        raise DiwanError("unexpected_answer", "The answer is not from Diwan.")
    return answer


def _record(headers: Mapping[str, str], body: "bytes") -> Any:
    data = _whole(headers, body)["data"]
    if "etag" not in headers or not isinstance(data, dict):
        return data
    record = Record(data)
    record.etag = headers["etag"]
    return record
