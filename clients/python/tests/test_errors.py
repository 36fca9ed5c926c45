from __future__ import annotations

import pickle
import socket
import threading
from typing import Optional

from diwan import Diwan, DiwanError

from support import KEY, URL, Case, Handler, answer


class Errors(Case):
    def of(self, key: str = KEY, url: Optional[str] = None) -> DiwanError:
        return self.failure(self.client(url=url, key=key, retry_for=0).me)

    def test_have_the_status_code_and_message_of_the_answer_and_the_id_of_the_request(self) -> None:
        error = self.failure(lambda: self.diwan.projects.create(name=" "))
        self.assertEqual((error.status, error.code), (422, "unprocessable_entity"))
        self.assertEqual([error.message, str(error)], ["name can't be blank"] * 2)
        self.assertRegex(str(error.request_id), "^[0-9a-f-]{36}$")
        self.assertEqual(self.of(key="svc_api_wrong").code, "unauthorized")

    def test_speak_arabic_to_those_who_ask_for_it(self) -> None:
        with Diwan(URL, KEY, language="ar") as diwan:
            error = self.failure(lambda: diwan.projects.create(name=" "))
        self.assertEqual(error.code, "unprocessable_entity")
        self.assertRegex(error.message, "^\u2068name\u2069 .*[\u0621-\u064a]")

    def test_say_when_an_answer_is_not_from_diwan(self) -> None:
        for body in ("<h1>Oops</h1>", '{"data":', "null", '{"error":null}', "\xff"):
            self.proxy.fates = [answer(500, body)]
            error = self.of()
            self.assertEqual((error.status, error.code), (500, "unexpected_answer"))
        for body in ("<h1>Sign in to the hotel</h1>", "[]", "{}"):
            self.proxy.fates = [answer(200, body)]
            error = self.of()
            self.assertEqual((error.status, error.code), (0, "unexpected_answer"))

    def test_of_such_an_answer_are_of_the_way_and_the_call_is_tried_again(self) -> None:
        self.proxy.fates = [answer(200, "<h1>Back soon</h1>")]
        self.assertIn("company", self.diwan.me())
        self.assertEqual(len(self.proxy.seen), 2)

    def test_name_the_place_that_a_redirect_leads_to_and_send_the_key_nowhere(self) -> None:
        self.proxy.fates = [answer(308, "", location="https://elsewhere.example/api/v1/me")]
        error = self.of()
        self.assertEqual((error.status, error.code), (308, "unexpected_answer"))
        self.assertIn("https://elsewhere.example/", error.message)

    def test_name_the_reason_when_the_server_is_out_of_reach(self) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            error = self.of(url=f"http://127.0.0.1:{unused.getsockname()[1]}")
        self.assertEqual((error.status, error.code), (0, "network_error"))
        self.assertIn("refused", error.message)
        self.proxy.fates = ["cut before"]
        self.assertEqual(self.of().code, "network_error")

    def test_of_a_body_that_is_cut_off_in_the_middle_are_of_the_network(self) -> None:
        def half(handler: Handler) -> None:
            handler.send_response(200)
            handler.send_header("content-length", "100")
            handler.end_headers()
            handler.wfile.write(b'{"data"')
            handler.hang_up()

        self.proxy.fates = [half]
        self.assertEqual(self.of().code, "network_error")

    def test_are_read_from_a_server_that_hangs_up_before_a_large_body_has_come(self) -> None:
        body = b'{"error":{"code":"payload_too_large","message":"Too large."}}'
        head = f"HTTP/1.1 413 Too Large\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"

        def refuse() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(head.encode() + body)

        with socket.create_server(("127.0.0.1", 0)) as listening:
            threading.Thread(target=refuse, daemon=True).start()
            client = self.client(url=f"http://127.0.0.1:{listening.getsockname()[1]}", retry_for=0)
            error = self.failure(lambda: client.upload("prj-1", bytes(20_000_000), name="large.zip"))
        self.assertEqual((error.status, error.code), (413, "payload_too_large"))

    def test_survive_being_copied_to_another_process(self) -> None:
        error = self.of(key="svc_api_wrong")
        copied = pickle.loads(pickle.dumps(error))
        self.assertEqual(copied.__dict__, error.__dict__)
        self.assertEqual(str(copied), str(error))
