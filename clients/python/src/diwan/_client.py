from __future__ import annotations

import ssl
from types import TracebackType
from typing import Any, Mapping, Optional, Type

from ._calls import Calls, IfMatch, Options, Ref
from ._changes import Changes
from ._files import Content, upload, wait_until_scanned
from ._resources import PREFIX, Resources
from ._sender import OnAnswer, OnPause, Sender, Wait
from .types import StoredFile


class Diwan(Resources):
    """A client for one key. It keeps connections open between calls, and threads may share it.

      url: The address of the server: `https://diwan.example.com`
      key: An API key: `svc_api_…`; for `request` on paths of the administration, a token
      timeout: How long one attempt may take, in seconds
      retry_for: For how long a call that failed on the way is tried again; a restart of the server is
        outlived
      max_wait: How long a call may wait because the server asks for it, in total; a longer
        `Retry-After` is raised at once
      language: The language of messages in errors: `ar` or `en`
      on_wait: Called when the server has asked for a pause, before the client waits
      on_retry: Called when an attempt has failed and there will be another, before the client waits
      on_answer: Called with the status and the headers of every answer, before it is read
      wait: Waits so many seconds before another attempt; what it raises ends the call
      ssl_context: Which certificates to trust and to show; by default those of the system
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout: float = 30.0,
        retry_for: float = 30.0,
        max_wait: float = 60.0,
        language: Optional[str] = None,
        on_wait: Optional[OnPause] = None,
        on_retry: Optional[OnPause] = None,
        on_answer: Optional[OnAnswer] = None,
        wait: Optional[Wait] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._sender = Sender(
            url,
            key,
            prefix=PREFIX,
            timeout=timeout,
            retry_for=retry_for,
            max_wait=max_wait,
            language=language,
            on_wait=on_wait,
            on_retry=on_retry,
            on_answer=on_answer,
            wait=wait,
            ssl_context=ssl_context,
        )
        super().__init__(Calls(self._sender))
        self.changes = Changes(self._sender)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, object]] = None,
        body: Optional[object] = None,
        if_match: Optional[IfMatch] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Any:
        """Calls a path below `/api/v1`, for example a nested one, which takes slugs, or a whole path such
        as `/admin/v1/me`. Returns the whole answer; None if it is empty. Text as `body` is sent as it is.
        """
        options = Options(timeout, on_answer, idempotency_key, if_match)
        return self._calls.request(method, path, query, body, options)

    def upload(
        self,
        project: Ref,
        content: Content,
        *,
        name: Optional[str] = None,
        folder_id: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> StoredFile:
        """Uploads bytes. For text, and for Markdown that becomes a PDF, there is `projects.upload_file`.

          content: Bytes, the path of a file, or a file that was opened for bytes
          name: With its extension; a path and an open file have their own
          folder_id: None for the root
        """
        return upload(self, project, content, name, folder_id, idempotency_key, timeout, on_answer)

    def wait_until_scanned(self, project: Ref, file: Ref, *, give_up_after: float = 120.0) -> StoredFile:
        """The file once it has been scanned: see its `scan_state` and `downloadable`.

          give_up_after: After how many seconds it raises `time_out`
        """
        return wait_until_scanned(self, self._sender, project, file, give_up_after)

    def close(self) -> None:
        """Ends all connections. Calls that are waiting raise `closed`, and changes are no longer followed."""
        self._sender.close()

    def __enter__(self) -> Diwan:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()
