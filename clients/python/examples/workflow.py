"""From nothing to a finished project, with the types of the client alone."""

from __future__ import annotations

import os
from typing import List, Set

from diwan import Diwan, DiwanError, Pages
from diwan.types import Task


def main() -> None:
    url = os.environ.get("DIWAN_URL", "http://127.0.0.1:3000")
    with Diwan(url, os.environ["DIWAN_KEY"], timeout=10) as diwan:
        work(diwan)


def titles_of(tasks: Pages[Task, object]) -> List[str]:
    return [task["title"] for task in tasks]


def work(diwan: Diwan) -> None:
    account = diwan.me()
    email = account["created_by"]["email"]
    print(account["created_by"]["name"], "of", account["company"]["name"])

    project = diwan.projects.create(name="انتقال المكتب", start_date="2027-01-01", end_date="2027-03-31")
    feed = diwan.company.changes()["meta"]["next_cursor"]

    furniture = diwan.projects.create_list(project["id"], title="التجهيزات", priority="high")
    desks, chairs = diwan.lists.create_tasks(
        furniture["id"],
        tasks=[
            {"title": "Order the desks", "due_at": "2027-01-10", "assignee_email": email},
            {"title": "شراء الكراسي", "due_at": "2027-01-05"},
        ],
    )
    print(titles_of(diwan.projects.tasks(project["id"], completed=False, sort="due")))
    print(titles_of(diwan.company.tasks(assignee_email=[email], project=[project["id"]])))

    comment = diwan.tasks.create_comment(desks["id"], content="Oak or birch?")
    diwan.tasks.update_comment(desks["id"], comment["id"], content="Oak, please.")

    seen = diwan.tasks.get(desks["id"], calendar="islamic-umalqura")
    assignee = seen["assignee"]
    print(assignee and assignee["name"], seen["hijri"]["due_at"])
    postponed = diwan.tasks.update(desks["id"], due_at="2027-01-17", if_match=seen)
    try:
        diwan.tasks.complete(desks["id"], if_match=seen)
    except DiwanError as error:
        print(error.status, error.code)
    diwan.tasks.complete(desks["id"], if_match=postponed)
    diwan.tasks.delete(chairs["id"])

    finished = diwan.lists.get(furniture["id"])
    print(finished["completed"], finished["completed_tasks_count"])

    folder = diwan.projects.create_folder(project["id"], name="Plans")
    diwan.projects.upload_file(project["id"], name="plan.md", content="# Plan", folder_id=folder["id"])
    level = diwan.projects.files(project["id"], folder_id=folder["id"]).page()["data"]
    print(level["folder"] and level["folder"]["path"], [file["name"] for file in level["files"]])

    discussion = diwan.projects.create_discussion(project["id"], title="Moving day", body="When?")
    diwan.discussions.create_comment(discussion["id"], content="In March.")
    print(diwan.discussions.get(discussion["id"])["replies_count"])

    kinds: Set[str] = set()
    for change in diwan.changes.follow(feed):
        kinds.add(f"{change['kind']}.{change['change']}")
        if change["kind"] == "comment" and "discussion.created" in kinds:
            break
    print(*sorted(kinds - {"file.scanned"}))

    print(diwan.projects.archive(project["id"])["archived"])
    diwan.projects.unarchive(project["id"])
    deleted = diwan.projects.delete(project["id"])
    print(deleted["deleted"], deleted["recoverable"])


if __name__ == "__main__":
    main()
