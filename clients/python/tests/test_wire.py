from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, List
from unittest import mock

from diwan import Diwan, DiwanError

from support import Case

ME = b'{"data":{"company":{"name":"TLS"}}}'


class Proxies(Case):
    def test_of_the_environment_are_used_with_their_credentials_unless_the_server_is_exempt(self) -> None:
        via = self.proxy.url.replace("http://", "http://layla:p%40ss@")
        with mock.patch.dict(os.environ, {"http_proxy": via, "no_proxy": "elsewhere.example"}):
            client = self.client(url="http://diwan.example:8080", retry_for=0)
            # The proxy of the tests passes everything on to the one server.
            self.proxy.fates = [lambda handler: handler.reply(200, ME, {})]
            self.assertEqual(client.me()["company"]["name"], "TLS")
            _, path, headers = self.proxy.seen[0]
            self.assertEqual(path, "http://diwan.example:8080/api/v1/me")
            self.assertEqual(headers["host"], "diwan.example:8080")
            self.assertEqual(headers["proxy-authorization"], "Basic bGF5bGE6cEBzcw==")
            exempt = self.client(url="http://elsewhere.example", retry_for=0, timeout=2)
            self.assertEqual(self.failure(exempt.me).code, "network_error")
            self.assertEqual(len(self.proxy.seen), 1)


@unittest.skipUnless(shutil.which("openssl"), "openssl is missing")
class Tls(unittest.TestCase):
    def test_is_used_with_the_certificates_that_are_trusted_and_no_others(self) -> None:
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        key, certificate = folder / "key.pem", folder / "certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
            + ["-keyout", str(key), "-out", str(certificate), "-days", "2", "-subj", "/CN=localhost"]
            + ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
            check=True,
            capture_output=True,
        )
        seen: List[str] = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                seen.append(self.path)
                self.send_response(200)
                self.send_header("content-length", str(len(ME)))
                self.end_headers()
                self.wfile.write(ME)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                pass

        server = Server(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        url = f"https://localhost:{server.server_port}"
        retries: List[object] = []
        with Diwan(url, "svc_api_1", on_retry=retries.append) as diwan, self.assertRaises(DiwanError) as raised:
            diwan.me()
        self.assertEqual((raised.exception.code, retries, seen), ("network_error", [], []))
        self.assertIn("certificate", raised.exception.message)
        trusting = ssl.create_default_context(cafile=str(certificate))
        with Diwan(url, "svc_api_1", ssl_context=trusting) as diwan:
            self.assertEqual([diwan.me()["company"]["name"] for _ in range(3)], ["TLS"] * 3)
        self.through_a_tunnel(server.server_port, trusting)

    def through_a_tunnel(self, port: int, trusting: ssl.SSLContext) -> None:
        asked: List[str] = []

        def relay() -> None:
            client, _ = listening.accept()
            with client, socket.create_connection(("127.0.0.1", port)) as server:
                asked.append(client.recv(10_000).decode())
                client.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
                back = threading.Thread(target=pump, args=(server, client), daemon=True)
                back.start()
                pump(client, server)
                back.join(30)

        def pump(source: socket.socket, target: socket.socket) -> None:
            try:
                while data := source.recv(65536):
                    target.sendall(data)
                target.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # The other side was faster.

        with socket.create_server(("127.0.0.1", 0)) as listening:
            relaying = threading.Thread(target=relay, daemon=True)
            relaying.start()
            via = {"https_proxy": f"http://127.0.0.1:{listening.getsockname()[1]}", "no_proxy": ""}
            with mock.patch.dict(os.environ, via):
                with Diwan(f"https://localhost:{port}", "svc_api_1", ssl_context=trusting) as diwan:
                    self.assertEqual(diwan.me()["company"]["name"], "TLS")
            relaying.join(30)
        self.assertRegex(asked[0], f"^CONNECT localhost:{port} ")
        self.assertNotIn("svc_api_1", asked[0])
