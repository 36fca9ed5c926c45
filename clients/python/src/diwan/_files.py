from __future__ import annotations

import os
import time
from base64 import b64encode
from pathlib import Path
from typing import IO, Optional, Tuple, Union

from ._calls import Ref
from ._errors import DiwanError, invalid
from ._resources import Resources
from ._sender import OnAnswer, Sender, growing
from .types import StoredFile

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 5.0

Content = Union[bytes, bytearray, memoryview, "os.PathLike[str]", IO[bytes]]


def upload(
    resources: Resources,
    project: Ref,
    content: Content,
    name: Optional[str],
    folder_id: Optional[int],
    idempotency_key: Optional[str],
    timeout: Optional[float],
    on_answer: Optional[OnAnswer],
) -> StoredFile:
    data, own_name = _read(content)
    chosen = name or own_name
    if not chosen:
        raise invalid("name must be given, because the content has none")
    return resources.projects.upload_file(
        project,
        name=chosen,
        folder_id=folder_id,
        content_base64=b64encode(data).decode("ascii"),
        idempotency_key=idempotency_key,
        timeout=timeout,
        on_answer=on_answer,
    )


def _read(content: Content) -> Tuple[bytes, Optional[str]]:
    """The bytes, and the name that they have."""
    if isinstance(content, (bytes, bytearray, memoryview)):
        return bytes(content), None
    if isinstance(content, os.PathLike):
        path = Path(content)
        return path.read_bytes(), path.name
    data = content.read() if hasattr(content, "read") else None
    if not isinstance(data, bytes):
        raise invalid("content must be bytes, a Path, or a file that was opened for bytes")
    name = getattr(content, "name", None)
    return data, os.path.basename(name) if isinstance(name, str) else None


def wait_until_scanned(
    resources: Resources, sender: Sender, project: Ref, file: Ref, give_up_after: float
) -> StoredFile:
    started = time.monotonic()
    looks = 0
    while True:
        seen = resources.projects.get_file(project, file)
        if seen["scan_state"] != "pending":
            return seen
        seconds = growing(FIRST_PAUSE, looks, LONGEST_PAUSE)
        looks += 1
        if time.monotonic() + seconds - started > give_up_after:
            raise DiwanError("time_out", f"The file was not scanned within {give_up_after:g} s.")
        sender.sleep(seconds)
