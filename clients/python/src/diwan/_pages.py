from __future__ import annotations

from typing import Any, Callable, Generic, Iterator, Optional, TypeVar

Item = TypeVar("Item", covariant=True)
Page = TypeVar("Page", covariant=True)


class Pages(Generic[Item, Page]):
    """A collection. Iterating returns every record, page after page; nothing is requested before that."""

    def __init__(self, read: Callable[[Optional[str]], Any], name: str) -> None:
        self._read = read
        self._name = name

    def page(self) -> Page:
        """One page: the first, or the one that `cursor` or `offset` selects."""
        page: Page = self._read(None)
        return page

    def __iter__(self) -> Iterator[Item]:
        page = self._read(None)
        while True:
            data = page["data"]
            # If an answer has more than the records, these have the name that the address ends with.
            yield from data if isinstance(data, list) else data[self._name]
            cursor = page["meta"]["next_cursor"]
            if cursor is None:
                return
            page = self._read(cursor)
