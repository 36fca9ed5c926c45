from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path

from support import Case, answer


class Files(Case):
    def stored(self, ref: str) -> bytes:
        file = self.diwan.wait_until_scanned(self.project["id"], ref)
        self.assertEqual((file["scan_state"], file["downloadable"]), ("clean", True))
        return self.diwan.projects.download_file(self.project["id"], ref)

    def test_are_uploaded_from_bytes_paths_and_open_files_with_the_names_that_these_have(self) -> None:
        data = "اسم,رقم\nمكتب,1\n".encode()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "جدول.csv")
            path.write_bytes(data)
            with path.open("rb") as opened:
                uploaded = [
                    self.diwan.upload(self.project["id"], data, name="bytes.csv"),
                    self.diwan.upload(self.project["id"], bytearray(data), name="array.csv"),
                    self.diwan.upload(self.project["id"], path),
                    self.diwan.upload(self.project["id"], opened, name="opened.csv"),
                    self.diwan.upload(self.project["id"], io.BytesIO(data), name="stream.csv"),
                ]
        names = ["bytes.csv", "array.csv", "جدول.csv", "opened.csv", "stream.csv"]
        self.assertEqual([file["name"] for file in uploaded], names)
        for file in uploaded:
            self.assertEqual(self.stored(file["ref"]), data)

    def test_need_a_name_and_bytes(self) -> None:
        nameless = self.failure(lambda: self.diwan.upload(self.project["id"], b"1"))
        self.assertEqual(nameless.code, "invalid_argument")
        for content in ("text", io.StringIO("text"), None):
            wrong = self.failure(lambda: self.diwan.upload(self.project["id"], content, name="a.txt"))  # type: ignore[arg-type]
            self.assertEqual(wrong.code, "invalid_argument")
        self.assertEqual(self.proxy.seen, [])

    def test_of_megabytes_arrive_whole_and_into_their_folder(self) -> None:
        folder = self.diwan.projects.create_folder(self.project["id"], name="Large")
        data = bytes(n % 251 for n in range(3_000_000))
        file = self.diwan.upload(self.project["id"], data, name="large.bin.txt", folder_id=folder["id"])
        self.assertEqual((file["folder_id"], file["size_bytes"]), (folder["id"], len(data)))

    def test_are_not_waited_for_longer_than_asked(self) -> None:
        file = self.diwan.upload(self.project["id"], b"hello", name="notes.txt")
        file["scan_state"] = "pending"
        self.proxy.fates = [answer(200, json.dumps({"data": file}))] * 30
        wait = self.diwan.wait_until_scanned
        late = self.failure(lambda: wait(self.project["id"], file["ref"], give_up_after=0.5))
        self.assertEqual(late.code, "time_out")
