from __future__ import annotations

import threading
import time
from typing import List

from diwan import Diwan, DiwanError, Pause

from support import BUSY, Case, Handler, answer, throttled


class WithoutAnAnswer(Case):
    def test_a_call_is_sent_again_and_a_post_whose_answer_was_lost_is_carried_out_once(self) -> None:
        self.proxy.fates = ["cut after", "cut after"]
        made = self.diwan.projects.create_list(self.project["id"], title="Only once")
        self.assertEqual(len(self.proxy.seen), 3)
        self.assertEqual(len(set(self.names())), 1)
        self.assertRegex(str(self.names()[0]), "^[0-9a-f]{32}$")
        lists = list(self.diwan.projects.lists(self.project["id"]))
        self.assertEqual([each["id"] for each in lists if each["title"] == "Only once"], [made["id"]])

    def test_a_call_keeps_the_name_that_it_was_given_and_no_two_calls_have_one_name(self) -> None:
        self.proxy.fates = [BUSY]
        name = f"row-7-of-{self.list['id']}"
        first = self.diwan.lists.create_task(self.list["id"], title="Row 7", idempotency_key=name)
        again = self.diwan.lists.create_task(self.list["id"], title="Row 7", idempotency_key=name)
        self.assertEqual(first, again)
        self.assertEqual(self.names(), [name] * 3)
        self.diwan.tasks.complete(first["id"])
        self.diwan.tasks.complete(first["id"])
        self.assertEqual(len(set(self.names()[3:])), 2)

    def test_a_call_is_given_up_after_as_long_as_the_settings_say_and_each_attempt_is_told(self) -> None:
        told: List[Pause] = []
        self.proxy.fates = [BUSY] * 40
        error = self.failure(self.client(retry_for=1.5, on_retry=told.append).me)
        self.assertEqual((error.status, error.code), (503, "unavailable"))
        self.assertEqual(len(self.proxy.seen), len(told) + 1)
        self.assertGreaterEqual(len(told), 2)
        self.assertEqual({pause.error.status for pause in told}, {503})

    def test_an_attempt_takes_no_longer_than_its_time_even_when_bytes_trickle_in(self) -> None:
        def trickle(handler: Handler) -> None:
            handler.send_response(200)
            handler.send_header("content-length", "100000")
            handler.end_headers()
            for _ in range(200):
                handler.wfile.write(b" ")
                time.sleep(0.05)

        self.proxy.fates = ["hang", trickle]
        for _ in range(2):
            started = time.monotonic()
            error = self.failure(lambda: self.client(retry_for=0).me(timeout=0.5))
            self.assertEqual((error.status, error.code), (0, "time_out"))
            self.assertLess(time.monotonic() - started, 8)
        self.assertEqual(len(self.proxy.seen), 2)

    def test_a_change_or_a_deletion_is_not_sent_again_because_nobody_knows_what_it_has_done(self) -> None:
        self.proxy.fates = ["cut after", BUSY]
        update = self.failure(lambda: self.diwan.tasks.update(self.task["id"], notes="Once"))
        self.assertEqual(update.code, "network_error")
        self.assertEqual(self.failure(lambda: self.diwan.tasks.delete(self.task["id"])).status, 503)
        self.assertEqual(len(self.proxy.seen), 2)

    def test_a_connection_that_the_server_has_ended_meanwhile_is_not_used_for_a_change(self) -> None:
        self.diwan.me()
        self.proxy.cut()
        time.sleep(0.2)
        self.assertEqual(self.diwan.tasks.update(self.task["id"], notes="Fresh")["notes"], "Fresh")
        self.assertEqual(self.proxy.connections, 2)


class Refusals(Case):
    def test_for_now_are_waited_out_for_as_long_as_they_say_within_the_limit(self) -> None:
        told: List[Pause] = []
        self.proxy.fates = [throttled(1), throttled(1)]
        started = time.monotonic()
        self.client(on_wait=told.append).tasks.update(self.task["id"], notes="Patient")
        self.assertEqual([(pause.seconds, pause.error.status) for pause in told], [(1.0, 429), (1.0, 429)])
        self.assertGreaterEqual(time.monotonic() - started, 1.95)
        self.proxy.fates = [throttled(1), throttled(1)]
        self.proxy.seen.clear()
        self.assertEqual(self.failure(self.client(max_wait=1.5).me).status, 429)
        self.assertEqual(len(self.proxy.seen), 2)

    def test_for_longer_than_the_limit_are_raised_at_once(self) -> None:
        self.proxy.fates = [throttled(3600)]
        error = self.failure(self.diwan.me)
        self.assertEqual((error.status, error.code, error.retry_after), (429, "too_many_requests", 3600))
        self.assertEqual(error.message, "Try again in 3600 seconds.")
        self.assertEqual(len(self.proxy.seen), 1)

    def test_because_another_request_was_faster_are_tried_again(self) -> None:
        self.proxy.fates = [answer(409, '{"error":{"code":"conflict","message":"Again."}}')]
        self.assertEqual(self.diwan.tasks.update(self.task["id"], notes="Second try")["notes"], "Second try")
        self.assertEqual(len(self.proxy.seen), 2)

    def test_wait_as_the_caller_wants_who_may_end_it(self) -> None:
        def wait(seconds: float, error: DiwanError) -> None:
            raise KeyError(f"{seconds:g} {error.status}")

        self.proxy.fates = [throttled(30)]
        with self.assertRaisesRegex(KeyError, "30 429"):
            self.client(wait=wait).me()

    def test_end_with_the_client(self) -> None:
        self.proxy.fates = [throttled(50)]
        started = time.monotonic()
        waiting: Diwan
        waiting = self.client(on_wait=lambda _: threading.Timer(0.2, waiting.close).start())
        self.assertEqual(self.failure(waiting.me).code, "closed")
        self.assertLess(time.monotonic() - started, 30)
