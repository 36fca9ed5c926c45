from __future__ import annotations

import binascii
import hashlib
import hmac
import json
import re
import time
from base64 import b64decode
from typing import Mapping, Optional, Sequence, Union, cast

from ._errors import DiwanError, invalid
from .types import Webhook

MOST_SIGNATURES = 10


def verify_webhook(
    secret: Union[str, Sequence[str]],
    headers: Mapping[str, str],
    body: Union[bytes, str],
    *,
    tolerance: float = 300.0,
) -> Webhook:
    """The message, if Diwan signed it and it is fresh; otherwise raises `webhook_unverified`.

      secret: `whsec_…`; several while one replaces another
      headers: The headers of the request, in upper or lower case
      body: Exactly as it arrived, before anything has parsed it
      tolerance: How old a message may be, in seconds
    """
    given = {name.lower(): value for name, value in headers.items()}
    timestamp = given.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > tolerance:
        raise _unverified("The message is too old, or has no time.")
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{given.get('webhook-id', '')}.{timestamp}.".encode() + content
    signatures = given.get("webhook-signature", "").split(" ", MOST_SIGNATURES)[:MOST_SIGNATURES]
    # All of them are compared, so that the time tells nothing about the place.
    secrets = [secret] if isinstance(secret, str) else secret
    if not any([_is_signed_with(each, signatures, signed) for each in secrets]):
        raise _unverified("The message is not signed with this secret.")
    return cast(Webhook, json.loads(content))


def _is_signed_with(secret: str, signatures: Sequence[str], signed: bytes) -> bool:
    key = _from_base64(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    if not key:
        raise invalid("secret must be whsec_ and base64")
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    macs = [_from_base64(signature[len("v1,") :]) for signature in signatures if signature.startswith("v1,")]
    return any([hmac.compare_digest(mac, expected) for mac in macs if mac])


def _from_base64(text: str) -> Optional[bytes]:
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _unverified(message: str) -> DiwanError:
    return DiwanError("webhook_unverified", message)
