from __future__ import annotations

import hashlib
import hmac
import json
import os
import threading
import time
import unittest
from base64 import b64decode, b64encode
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Dict, List, Mapping, Tuple

from diwan import Diwan, DiwanError, verify_webhook

from support import KEY, URL, until

BODY = '{"type":"task.completed","data":{"title":"شراء الأثاث"}}'


def new_secret() -> str:
    return "whsec_" + b64encode(os.urandom(32)).decode()


def mac(secret: str, timestamp: int, body: str = BODY) -> str:
    key = b64decode(secret[len("whsec_") :])
    return b64encode(hmac.new(key, f"msg_1.{timestamp}.{body}".encode(), hashlib.sha256).digest()).decode()


SECRET = new_secret()


def headers_of(*secrets: str, off: int = 0) -> Dict[str, str]:
    timestamp = int(time.time()) + off
    return {
        "Webhook-Id": "msg_1",
        "Webhook-Timestamp": str(timestamp),
        "Webhook-Signature": " ".join(f"v1,{mac(secret, timestamp)}" for secret in secrets or [SECRET]),
    }


class Messages(unittest.TestCase):
    def assertRefused(self, *received: Any, **more: Any) -> None:
        with self.assertRaises(DiwanError) as raised:
            verify_webhook(*received, **more)
        self.assertEqual(raised.exception.code, "webhook_unverified")

    def test_that_diwan_signed_are_taken_as_text_and_as_bytes_with_names_in_either_case(self) -> None:
        given = headers_of()
        for headers in (given, {name.lower(): value for name, value in given.items()}):
            self.assertEqual(verify_webhook(SECRET, headers, BODY), json.loads(BODY))
            self.assertEqual(verify_webhook(SECRET, headers, BODY.encode()), json.loads(BODY))

    def test_are_taken_by_either_secret_while_one_replaces_the_other(self) -> None:
        following = new_secret()
        both = headers_of(following, SECRET)
        for secret in (SECRET, following, [following, SECRET]):
            self.assertEqual(verify_webhook(secret, both, BODY), json.loads(BODY))
        self.assertEqual(verify_webhook([following, SECRET], headers_of(), BODY), json.loads(BODY))

    def test_with_another_body_id_time_secret_or_signature_are_refused(self) -> None:
        headers = headers_of()
        self.assertRefused(SECRET, headers, BODY + " ")
        self.assertRefused(new_secret(), headers, BODY)
        self.assertRefused([], headers, BODY)
        self.assertRefused(SECRET, {}, BODY)
        signature = headers["Webhook-Signature"]
        wrong: List[Mapping[str, str]] = [
            {"Webhook-Id": "msg_2"},
            {"Webhook-Timestamp": str(int(headers["Webhook-Timestamp"]) - 1)},
            {"Webhook-Timestamp": "nan"},
            {"Webhook-Timestamp": "١٧٠٠"},
            {"Webhook-Signature": ""},
            {"Webhook-Signature": "v1,"},
            {"Webhook-Signature": "v1,not base64"},
            {"Webhook-Signature": "v1,توقيع"},
            {"Webhook-Signature": signature.replace("v1,", "v1a,")},
            {"Webhook-Signature": signature[:-4]},
        ]
        for change in wrong:
            self.assertRefused(SECRET, {**headers, **change}, BODY)

    def test_are_refused_when_too_old_or_too_far_ahead_unless_the_caller_allows_it(self) -> None:
        for off in (-600, 600):
            self.assertRefused(SECRET, headers_of(off=off), BODY)
            self.assertEqual(verify_webhook(SECRET, headers_of(off=off), BODY, tolerance=900), json.loads(BODY))

    def test_are_not_looked_at_with_a_secret_that_is_none(self) -> None:
        for secret in ("whsec_***", "whsec_", ""):
            with self.assertRaises(DiwanError) as raised:
                verify_webhook(secret, headers_of(), BODY)
            self.assertEqual(raised.exception.code, "invalid_argument")


class Deliveries(unittest.TestCase):
    def test_of_a_running_server_are_verified(self) -> None:
        received: List[Tuple[Dict[str, str], bytes]] = []

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                received.append((dict(self.headers.items()), body))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Receiver)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        with Diwan(URL, os.environ["DIWAN_TOKEN"]) as administration, Diwan(URL, KEY) as diwan:
            hook = administration.request(
                "POST",
                f"/admin/v1/companies/{os.environ['DIWAN_COMPANY']}/webhooks",
                body={"name": "Python", "url": f"http://127.0.0.1:{server.server_port}/", "kinds": ["project.*"]},
            )["data"]
            project = diwan.projects.create(name="مشروع يُبلَّغ عنه")
            until(lambda: len(received) > 0, 60)
        headers, body = received[0]
        message = verify_webhook(hook["secret"], headers, body)
        if message["type"] != "project.created" or message["data"] is None:
            self.fail(f"It is {message}")
        self.assertEqual((message["id"], message["data"]["name"]), (project["id"], "مشروع يُبلَّغ عنه"))
        with self.assertRaises(DiwanError):
            verify_webhook(hook["secret"], headers, body.replace(project["id"].encode(), b"prj-0000000000"))
