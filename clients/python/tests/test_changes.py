from __future__ import annotations

import threading
import time
from itertools import islice
from typing import List

from diwan.types import Change

from support import Case, Handler, until


class Changes(Case):
    def setUp(self) -> None:
        super().setUp()
        # What a test creates comes after these.
        self.assertTrue(self.list)

    def now(self) -> str:
        return self.diwan.company.changes()["meta"]["next_cursor"]

    def new_task(self) -> str:
        return self.diwan.lists.create_task(self.list["id"], title="New")["id"]

    def test_come_as_they_happen_after_a_cursor_or_from_now_on(self) -> None:
        after = self.now()
        task = self.new_task()
        live: List[Change] = []
        reader = threading.Thread(target=lambda: live.extend(islice(self.diwan.changes.follow(), 1)))
        answered = self.proxy.answered
        reader.start()
        until(lambda: self.proxy.answered > answered)
        self.diwan.tasks.complete(task)
        reader.join(30)
        told = [(each["kind"], each["change"], each["id"]) for each in islice(self.diwan.changes.follow(after), 2)]
        self.assertEqual(told, [("task", "created", task), ("task", "completed", task)])
        self.assertEqual([(each["change"], each["id"]) for each in live], [("completed", task)])

    def test_go_on_where_they_were_when_the_connection_breaks(self) -> None:
        after = self.now()
        seen: List[object] = []
        made: List[str] = []

        def read() -> None:
            for change in islice(self.diwan.changes.follow(after), 4):
                seen.append(change["id"])

        reader = threading.Thread(target=read)
        reader.start()
        for n in range(4):
            made.append(self.client().lists.create_task(self.list["id"], title="New")["id"])
            if n % 2 == 1:
                until(lambda: len(seen) == len(made))
                self.proxy.cut()
        reader.join(60)
        self.assertEqual(seen, made)
        continued = {headers.get("last-event-id") for _, _, headers in self.proxy.seen} - {None}
        self.assertGreater(len(continued), 1)

    def test_raise_when_the_cursor_is_too_old_with_one_that_is_fresh(self) -> None:
        error = self.failure(lambda: next(self.diwan.changes.follow("long-ago")))
        self.assertEqual((error.status, error.code), (410, "cursor_expired"))
        assert error.cursor is not None
        task = self.new_task()
        self.assertEqual(next(self.diwan.changes.follow(error.cursor))["id"], task)

    def test_raise_when_the_key_is_not_good_and_do_not_ask_again(self) -> None:
        error = self.failure(lambda: next(self.client(key="svc_api_wrong").changes.follow()))
        self.assertEqual((error.status, error.code), (401, "unauthorized"))
        self.assertEqual(len(self.proxy.seen), 1)

    def test_end_when_the_client_is_closed_by_another_thread(self) -> None:
        ended = threading.Event()

        def read() -> None:
            for _ in self.diwan.changes.follow():
                pass
            ended.set()

        threading.Thread(target=read, daemon=True).start()
        until(lambda: self.proxy.answered == 1)
        self.diwan.close()
        self.assertTrue(ended.wait(30))

    def test_leave_no_connection_behind_when_nobody_reads_on(self) -> None:
        for _ in range(7):
            after = self.now()
            self.new_task()
            for _change in self.diwan.changes.follow(after):
                break
        streams = [headers for _, _, headers in self.proxy.seen if headers.get("accept") == "text/event-stream"]
        self.assertEqual(len(streams), 7)

    def test_are_given_up_when_the_server_stays_away(self) -> None:
        started = time.monotonic()
        away = self.client(url="http://127.0.0.1:9")
        error = self.failure(lambda: next(away.changes.follow(give_up_after=1.5)))
        self.assertEqual(error.code, "network_error")
        self.assertLess(time.monotonic() - started, 20)

    def test_are_read_with_comments_and_lines_that_end_in_either_way(self) -> None:
        def stream(handler: Handler) -> None:
            handler.send_response(200)
            handler.send_header("transfer-encoding", "chunked")
            handler.end_headers()
            text = ': still here\nid: a\n\nid: b\r\ndata: {"title":"شراء"}\r\n\r\ndata: {"n":\ndata: 2}\n\n'
            for byte in text.encode():
                handler.wfile.write(b"1\r\n" + bytes([byte]) + b"\r\n")
            handler.proxy_waits()

        self.proxy.fates = [stream]
        self.assertEqual(list(islice(self.diwan.changes.follow(), 2)), [{"title": "شراء"}, {"n": 2}])

    def test_are_left_when_a_line_has_no_end(self) -> None:
        def endless(handler: Handler) -> None:
            handler.send_response(200)
            handler.end_headers()
            handler.wfile.write(b"x" * 1_000_001)
            handler.proxy_waits()

        self.proxy.fates = [endless]
        error = self.failure(lambda: next(self.diwan.changes.follow(give_up_after=0)))
        self.assertEqual(error.code, "unexpected_answer")
