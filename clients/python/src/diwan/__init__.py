"""A typed client for the Diwan API."""

from ._calls import NOT_GIVEN, NotGiven, etag_of
from ._changes import Changes
from ._client import Diwan
from ._errors import DiwanError
from ._pages import Pages
from ._sender import Answered, Pause
from ._version import __version__
from ._webhooks import verify_webhook

__all__ = [
    "NOT_GIVEN",
    "Answered",
    "Changes",
    "Diwan",
    "DiwanError",
    "NotGiven",
    "Pages",
    "Pause",
    "__version__",
    "etag_of",
    "verify_webhook",
]
