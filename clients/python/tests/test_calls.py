from __future__ import annotations

import inspect
import re
import unittest
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import List

from diwan import Answered, Diwan, etag_of

from support import KEY, URL, Case

README = Path(__file__).parent.parent / "README.md"


class Methods(Case):
    def test_are_all_in_the_table_of_the_readme_and_nothing_else_is(self) -> None:
        rows = re.findall(r"^\| `diwan(?:\.(\w+))?` \| (.+) \|$", README.read_text("utf8"), re.M)
        listed = {(resource, name) for resource, cells in rows for name in re.findall(r"`(\w+)`", cells)}
        made = set()
        for name, value in inspect.getmembers(self.diwan):
            if name.startswith("_"):
                continue
            if inspect.ismethod(value):
                made.add(("", name))
            else:
                inner = inspect.getmembers(value, inspect.ismethod)
                made |= {(name, method) for method, _ in inner if not method.startswith("_")}
        self.assertEqual(listed, made)

    def test_give_the_record_that_the_api_answers_with(self) -> None:
        task = self.diwan.tasks.get(self.task["id"])
        self.assertEqual(task, self.diwan.request("GET", f"/tasks/{self.task['id']}")["data"])
        self.assertIn("name", self.diwan.me()["company"])
        self.assertIn("email", self.diwan.projects.members(self.project["id"])[0])

    def test_send_text_days_yes_and_no_lists_and_nothing_for_what_is_left_out(self) -> None:
        email = self.diwan.me()["created_by"]["email"]
        title = 'شراء الأثاث & "كراسي"'
        task = self.diwan.lists.create_task(
            self.list["id"], title=title, due_at=date(2027, 1, 10), assignee_email=email, metadata={"stage": "review"}
        )
        self.assertEqual(task["due_at"], "2027-01-10")
        self.diwan.tasks.complete(task["id"])
        found = self.diwan.projects.tasks(
            self.project["id"],
            completed=True,
            assignee_email=["nobody@example.com", email],
            due_from=date(2027, 1, 1),
            metadata={"stage": "review"},
        )
        self.assertEqual([each["title"] for each in found], [title])
        # Null empties a field, and a field that is left out stays.
        changed = self.diwan.tasks.update(task["id"], due_at=None)
        self.assertEqual((changed["due_at"], changed["title"]), (None, title))

    def test_change_several_tasks_at_once(self) -> None:
        first, second = self.diwan.lists.create_tasks(self.list["id"], tasks=[{"title": "A"}, {"title": "ب"}])
        changed = self.diwan.company.change_tasks(
            changes=[
                {"task": first["id"], "do": "update", "title": "A2"},
                {"task": second["id"], "do": "complete"},
            ]
        )
        self.assertEqual([(each["title"], each["completed"]) for each in changed], [("A2", False), ("ب", True)])

    def test_know_records_by_the_ids_of_another_system(self) -> None:
        name = f"crm/{self.project['id']} 77"
        made = self.diwan.lists.upsert_task(self.list["id"], name, title="Desks")
        again = self.diwan.lists.upsert_task(self.list["id"], name, title="Desks")
        self.assertEqual(made["id"], again["id"])
        self.assertEqual(self.diwan.tasks.get(f"ext:{name}")["id"], made["id"])
        taken = self.failure(lambda: self.diwan.lists.create_task(self.list["id"], title="Chairs", external_id=name))
        self.assertEqual((taken.status, taken.code, taken.id), (409, "conflict", made["id"]))
        self.assertEqual(len(self.proxy.seen), 4)

    def test_take_a_handle_for_one_part_of_an_address_whatever_it_holds(self) -> None:
        self.assertEqual(self.failure(lambda: self.diwan.tasks.get("tsk-1/../../projects")).code, "not_found")
        for handle in ("", ".", ".."):
            self.assertEqual(self.failure(lambda: self.diwan.projects.get(handle)).code, "invalid_argument")
            self.assertEqual(self.failure(lambda: self.diwan.projects.lists(handle).page()).code, "invalid_argument")
        self.assertEqual(len(self.proxy.seen), 1)

    def test_leave_other_addresses_to_request_which_gives_the_whole_answer(self) -> None:
        made = self.list
        path = f"/projects/{self.project['slug']}/lists"
        self.assertFalse(path.isascii())
        answer = self.diwan.request("GET", path, query={"limit": 1})
        self.assertEqual((answer["data"][0]["id"], answer["meta"]["limit"]), (made["id"], 1))
        self.assertEqual(self.diwan.request("POST", path, body={"title": "يدويًا"})["data"]["title"], "يدويًا")
        self.assertEqual(self.diwan.request("POST", path, body='{"title":"Text"}')["data"]["title"], "Text")

    def test_refuse_what_cannot_be_sent(self) -> None:
        wrong = [
            lambda: self.diwan.tasks.complete(self.task["id"], idempotency_key="a\nb: c"),
            lambda: self.diwan.lists.create_task(self.list["id"], title=object()),  # type: ignore[arg-type]
            lambda: self.diwan.request("GET", "projects"),
            lambda: next(self.diwan.changes.follow("a\nb: c")),
            lambda: Diwan("ftp://example.com", KEY),
            lambda: Diwan("http://example.com:port", KEY),
            lambda: Diwan(URL, "مفتاح"),
            lambda: Diwan(URL, ""),
        ]
        for call in wrong:
            self.assertEqual(self.failure(call).code, "invalid_argument")
        self.assertEqual(self.proxy.seen, [])


class Collections(Case):
    def test_are_every_record_once_and_in_order_and_ask_for_a_page_when_it_is_needed(self) -> None:
        titles = [f"Task {n}" for n in range(23)]
        long = self.diwan.projects.create_list(self.project["id"], title="Long")
        self.diwan.lists.create_tasks(long["id"], tasks=[{"title": title} for title in titles])
        self.assertEqual([task["title"] for task in self.diwan.lists.tasks(long["id"], limit=5)], titles)
        self.proxy.seen.clear()
        tasks = self.diwan.lists.tasks(long["id"], limit=5)
        self.assertEqual(len(self.proxy.seen), 0)
        for task in tasks:
            if task["title"] == "Task 6":
                break
        self.assertEqual(len(self.proxy.seen), 2)
        self.assertEqual(len(list(tasks)), 23)

    def test_give_one_page_with_what_the_api_says_about_it(self) -> None:
        made = self.list
        page = self.diwan.projects.lists(self.project["id"], limit=1).page()
        self.assertEqual([each["id"] for each in page["data"]], [made["id"]])
        self.assertEqual((page["meta"]["total"], page["meta"]["next_cursor"]), (1, None))

    def test_of_files_are_the_files_which_stand_beside_the_folders(self) -> None:
        for name in ("a.pdf", "b.pdf", "c.pdf"):
            self.diwan.projects.create_link(self.project["id"], name=name, external_url="https://example.com/x")
        self.diwan.projects.create_folder(self.project["id"], name="Designs")
        files = self.diwan.projects.files(self.project["id"], limit=2)
        self.assertEqual([each["name"] for each in files], ["a.pdf", "b.pdf", "c.pdf"])
        self.assertEqual([each["name"] for each in files.page()["data"]["folders"]], ["Designs"])


class IfMatch(Case):
    def test_takes_the_record_as_it_was_read_and_refuses_when_it_has_changed_since(self) -> None:
        seen = self.diwan.tasks.get(self.task["id"])
        changed = self.diwan.tasks.update(self.task["id"], notes="First", if_match=seen)
        late = self.failure(lambda: self.diwan.tasks.update(self.task["id"], notes="Second", if_match=seen))
        self.assertEqual((late.status, late.code), (412, "precondition_failed"))
        done = self.diwan.tasks.complete(self.task["id"], if_match=changed)
        self.assertEqual((done["notes"], done["completed"]), ("First", True))

    def test_takes_an_etag_and_no_record_whose_version_nobody_knows(self) -> None:
        etag = etag_of(self.diwan.projects.get(self.project["id"]))
        assert etag is not None
        self.assertRegex(etag, r'^(W/)?".+"$')
        self.diwan.projects.update(self.project["id"], description="Seen", if_match=etag)
        archive = self.diwan.projects.archive
        self.assertEqual(self.failure(lambda: archive(self.project["id"], if_match=etag)).status, 412)
        listed = self.diwan.projects.list().page()["data"][0]
        self.assertIsNone(etag_of(listed))
        unknown = self.failure(lambda: archive(self.project["id"], if_match=listed))
        self.assertEqual(unknown.code, "invalid_argument")


class Settings(Case):
    def test_the_address_may_end_in_that_of_the_api(self) -> None:
        for end in ("", "/", "/api/v1", "/api/v1/"):
            with Diwan(URL + end, KEY) as diwan:
                self.assertEqual(diwan.tasks.get(self.task["id"])["title"], "Task")

    def test_what_an_answer_says_is_told_for_all_calls_or_for_one(self) -> None:
        seen: List[Answered] = []
        one: List[Answered] = []
        watched = self.client(on_answer=seen.append)
        watched.me(on_answer=one.append)
        self.failure(lambda: watched.tasks.get("tsk-0000000000"))
        next(iter(watched.projects.list()))
        told = [f"{each.method} {each.path} {each.status}" for each in seen]
        self.assertEqual(told, ["GET /me 200", "GET /tasks/tsk-0000000000 404", "GET /projects 200"])
        self.assertIn("x-request-id", one[0].headers)

    def test_what_a_callback_raises_is_raised_as_it_is(self) -> None:
        def refuse(_: Answered) -> None:
            raise ValueError("Not now")

        with self.assertRaisesRegex(ValueError, "Not now"):
            self.diwan.me(on_answer=refuse)

    def test_one_connection_serves_call_after_call(self) -> None:
        for _ in range(5):
            self.diwan.me()
            self.failure(lambda: self.diwan.tasks.get("tsk-0000000000"))
        self.assertEqual(self.proxy.connections, 1)

    def test_threads_share_a_client_and_its_connections(self) -> None:
        titles = [f"Task {n}" for n in range(24)]
        with ThreadPoolExecutor(4) as threads:
            made = list(threads.map(lambda title: self.diwan.lists.create_task(self.list["id"], title=title), titles))
        self.assertEqual([task["title"] for task in made], titles)
        self.assertLessEqual(self.proxy.connections, 4)

    def test_a_closed_client_says_so(self) -> None:
        with self.client() as diwan:
            diwan.me()
        self.assertEqual(self.failure(diwan.me).code, "closed")


if __name__ == "__main__":
    unittest.main()
