# Written by "npm run openapi" from openapi.json: change the declarations, not this file.
"""The methods of the client, one for every endpoint."""

from __future__ import annotations

from datetime import date
from typing import List, Literal, Mapping, Optional, Sequence, Union, cast

from ._calls import NOT_GIVEN, Calls, IfMatch, NotGiven, Options, Ref, segment
from ._pages import Pages
from ._sender import OnAnswer
from .types import (
    Account,
    ChangeTasksChange,
    Comment,
    CreateTasksTask,
    DeleteDiscussionData,
    DeleteEventData,
    DeleteFileData,
    DeleteFolderData,
    DeleteProjectData,
    DeleteTaskData,
    DeleteTaskListData,
    Discussion,
    Event,
    Folder,
    ListChangesAnswer,
    ListCompanyTasksPage,
    ListDiscussionCommentsPage,
    ListDiscussionsPage,
    ListEventsPage,
    ListFilesPage,
    ListFoldersPage,
    ListProjectTasksPage,
    ListProjectsPage,
    ListTaskCommentsPage,
    ListTaskListCommentsPage,
    ListTaskListsPage,
    ListTasksPage,
    ListedProject,
    Member,
    Project,
    SearchData,
    StoredFile,
    Task,
    TaskList,
)

PREFIX = "/api/v1"


class Company:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def changes(
        self,
        *,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> ListChangesAnswer:
        """Follow what changes in the company

        What was created, changed or deleted, in the order of commits. Nothing is left out; an entry
        may come twice. Only kinds that the key may read are included. Without `after` there are no
        entries, and `next_cursor` is the end of the feed. With `Accept: text/event-stream` the same
        entries are sent as they happen; `Last-Event-ID` outranks `after`. Entries are kept for 30
        days.

        Needs the operation `account:read`.

          after: A cursor from an earlier answer; 410 if it is too old
          limit: Page size; clamped to 1..500
        """
        answer = self._calls.answer(
            "GET",
            "/company/changes",
            {
                "after": after,
                "limit": limit,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )
        return cast("ListChangesAnswer", answer)

    def tasks(
        self,
        *,
        assignee_email: Optional[Sequence[str]] = None,
        external_id: Optional[Sequence[str]] = None,
        unassigned: Optional[bool] = None,
        completed: Optional[bool] = None,
        due_from: Union[str, date, None] = None,
        due_to: Union[str, date, None] = None,
        overdue: Optional[bool] = None,
        updated_since: Optional[str] = None,
        completed_since: Optional[str] = None,
        due_from_hijri: Optional[str] = None,
        due_to_hijri: Optional[str] = None,
        updated_since_hijri: Optional[str] = None,
        completed_since_hijri: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        sort: Optional[Literal["created", "-created", "due", "-due", "updated", "-updated"]] = None,
        project: Optional[Sequence[str]] = None,
        include_archived: Optional[bool] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        calendar: Optional[Literal["islamic-umalqura"]] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Pages[Task, ListCompanyTasksPage]:
        """List the tasks of the company

        Across all projects that are not archived. Filters narrow it together; one that cannot be
        read is 422. `meta.total` is exact up to 10,000, then `meta.total_is_lower_bound` is true.
        With a cursor it may be that of the first page.

        Needs the operation `tasks:read`.

          assignee_email: Assigned to any of these people; an address that nobody has finds nothing
          external_id: With any of these external ids
          unassigned: `true`: assigned to nobody; with `assignee_email`, to these people or to
            nobody
          completed: `true` or `false`; both when left out
          due_from: Date, included
          due_to: Date, included
          overdue: `true`: not completed, and due before today in the company zone
          updated_since: ISO 8601 date or time, included
          completed_since: ISO 8601 date or time, included
          due_from_hijri: A day of the Umm al-Qura calendar, instead of `due_from`
          due_to_hijri: A day of the Umm al-Qura calendar, instead of `due_to`
          updated_since_hijri: A day of the Umm al-Qura calendar, instead of `updated_since`
          completed_since_hijri: A day of the Umm al-Qura calendar, instead of `completed_since`
          metadata: The value of a key, as in `metadata[stage]=review`; with several keys, all must
            have their value
          sort: Default `created`. Tasks without a due date come last either way.
          project: In any of these projects: refs or slugs
          include_archived: Also tasks of archived projects; a project that is named is shown either
            way
          limit: Page size; clamped to 1..100
          offset: Records to skip
          cursor: `meta.next_cursor` of the page before, with the same query otherwise; it outranks
            `offset`
          calendar: Adds `hijri` to each record: its days in the Umm al-Qura calendar
        """
        return self._calls.pages(
            "GET",
            "/company/tasks",
            {
                "assignee_email": assignee_email,
                "external_id": external_id,
                "unassigned": unassigned,
                "completed": completed,
                "due_from": due_from,
                "due_to": due_to,
                "overdue": overdue,
                "updated_since": updated_since,
                "completed_since": completed_since,
                "due_from_hijri": due_from_hijri,
                "due_to_hijri": due_to_hijri,
                "updated_since_hijri": updated_since_hijri,
                "completed_since_hijri": completed_since_hijri,
                "metadata": metadata,
                "sort": sort,
                "project": project,
                "include_archived": include_archived,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
                "calendar": calendar,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )

    def change_tasks(
        self,
        *,
        changes: Sequence[ChangeTasksChange],
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> List[Task]:
        """Change several tasks

        Makes all of the changes, in the order given, or none of them. Each change counts as one
        call. `update` takes the fields of a task, `move` takes `list_id`; other fields are refused.

        Needs the operation `tasks:write`.
        """
        answer = self._calls.data(
            "POST",
            "/company/tasks/batch",
            {
                "changes": changes,
            },
            Options(idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("List[Task]", answer)


class Projects:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        include_archived: Optional[bool] = None,
        external_id: Optional[Sequence[str]] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        calendar: Optional[Literal["islamic-umalqura"]] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Pages[ListedProject, ListProjectsPage]:
        """List projects

        Newest first. Archived projects are left out unless `include_archived` is true.

        Needs the operation `projects:read`.

          external_id: With any of these external ids
          limit: Page size; clamped to 1..100
          offset: Records to skip
          cursor: `meta.next_cursor` of the page before, with the same query otherwise; it outranks
            `offset`
          calendar: Adds `hijri` to each record: its days in the Umm al-Qura calendar
        """
        return self._calls.pages(
            "GET",
            "/projects",
            {
                "include_archived": include_archived,
                "external_id": external_id,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
                "calendar": calendar,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )

    def create(
        self,
        *,
        name: str,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        is_public: Union[bool, NotGiven] = NOT_GIVEN,
        start_date: Union[str, date, None, NotGiven] = NOT_GIVEN,
        end_date: Union[str, date, None, NotGiven] = NOT_GIVEN,
        external_id: Union[str, None, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Optional[str]], None, NotGiven] = NOT_GIVEN,
        start_date_hijri: Union[str, None, NotGiven] = NOT_GIVEN,
        end_date_hijri: Union[str, None, NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Project:
        """Create a project

        Needs the operation `projects:write`.

          is_public: Default true
          end_date: Not before start_date
          external_id: The other system's id of the record, unique in the company; null for none
          metadata: Merged key by key; null removes a key, or all of them
          start_date_hijri: A day of the Umm al-Qura calendar, instead of the Gregorian one
          end_date_hijri: A day of the Umm al-Qura calendar, instead of the Gregorian one
        """
        answer = self._calls.data(
            "POST",
            "/projects",
            {
                "name": name,
                "description": description,
                "is_public": is_public,
                "start_date": start_date,
                "end_date": end_date,
                "external_id": external_id,
                "metadata": metadata,
                "start_date_hijri": start_date_hijri,
                "end_date_hijri": end_date_hijri,
            },
            Options(idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Project", answer)

    def get(
        self,
        project: Ref,
        *,
        calendar: Optional[Literal["islamic-umalqura"]] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Project:
        """Get a project

        Needs the operation `projects:read`.

          calendar: Adds `hijri` to each record: its days in the Umm al-Qura calendar
        """
        answer = self._calls.data(
            "GET",
            f"/projects/{segment('project', project)}",
            {
                "calendar": calendar,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )
        return cast("Project", answer)

    def update(
        self,
        project: Ref,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        is_public: Union[bool, NotGiven] = NOT_GIVEN,
        start_date: Union[str, date, None, NotGiven] = NOT_GIVEN,
        end_date: Union[str, date, None, NotGiven] = NOT_GIVEN,
        external_id: Union[str, None, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Optional[str]], None, NotGiven] = NOT_GIVEN,
        start_date_hijri: Union[str, None, NotGiven] = NOT_GIVEN,
        end_date_hijri: Union[str, None, NotGiven] = NOT_GIVEN,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Project:
        """Update a project

        Only the fields sent change. A new name makes a new slug; the old one still resolves.

        Needs the operation `projects:write`.

          is_public: Default true
          end_date: Not before start_date
          external_id: The other system's id of the record, unique in the company; null for none
          metadata: Merged key by key; null removes a key, or all of them
          start_date_hijri: A day of the Umm al-Qura calendar, instead of the Gregorian one
          end_date_hijri: A day of the Umm al-Qura calendar, instead of the Gregorian one
        """
        answer = self._calls.data(
            "PATCH",
            f"/projects/{segment('project', project)}",
            {
                "name": name,
                "description": description,
                "is_public": is_public,
                "start_date": start_date,
                "end_date": end_date,
                "external_id": external_id,
                "metadata": metadata,
                "start_date_hijri": start_date_hijri,
                "end_date_hijri": end_date_hijri,
            },
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("Project", answer)

    def delete(
        self,
        project: Ref,
        *,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> DeleteProjectData:
        """Delete a project

        It disappears from every read at once. An administrator can restore it.

        Needs the operation `projects:destructive`.
        """
        answer = self._calls.data(
            "DELETE",
            f"/projects/{segment('project', project)}",
            None,
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("DeleteProjectData", answer)

    def upsert(
        self,
        external_id: Ref,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        is_public: Union[bool, NotGiven] = NOT_GIVEN,
        start_date: Union[str, date, None, NotGiven] = NOT_GIVEN,
        end_date: Union[str, date, None, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Optional[str]], None, NotGiven] = NOT_GIVEN,
        start_date_hijri: Union[str, None, NotGiven] = NOT_GIVEN,
        end_date_hijri: Union[str, None, NotGiven] = NOT_GIVEN,
        if_match: Optional[IfMatch] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Project:
        """Create or update a project by its external id

        Changes the project with this external id, wherever it is, and never moves it. If there is
        none, it is created here (201), which needs the fields that creating needs.

        Needs the operation `projects:write`.

          is_public: Default true
          end_date: Not before start_date
          metadata: Merged key by key; null removes a key, or all of them
          start_date_hijri: A day of the Umm al-Qura calendar, instead of the Gregorian one
          end_date_hijri: A day of the Umm al-Qura calendar, instead of the Gregorian one
        """
        answer = self._calls.data(
            "PUT",
            f"/projects/ext:{segment('external_id', external_id)}",
            {
                "name": name,
                "description": description,
                "is_public": is_public,
                "start_date": start_date,
                "end_date": end_date,
                "metadata": metadata,
                "start_date_hijri": start_date_hijri,
                "end_date_hijri": end_date_hijri,
            },
            Options(if_match=if_match, idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Project", answer)

    def archive(
        self,
        project: Ref,
        *,
        if_match: Optional[IfMatch] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Project:
        """Archive a project

        No body. Doing it again changes nothing.

        Needs the operation `projects:write`.
        """
        answer = self._calls.data(
            "POST",
            f"/projects/{segment('project', project)}/archive",
            None,
            Options(if_match=if_match, idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Project", answer)

    def unarchive(
        self,
        project: Ref,
        *,
        if_match: Optional[IfMatch] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Project:
        """Unarchive a project

        No body. Doing it again changes nothing.

        Needs the operation `projects:write`.
        """
        answer = self._calls.data(
            "POST",
            f"/projects/{segment('project', project)}/unarchive",
            None,
            Options(if_match=if_match, idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Project", answer)

    def members(
        self,
        project: Ref,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> List[Member]:
        """List the people of a project

        Everyone who can be assigned: all active people of the company for a public project, the
        active members of a private one. Not paginated.

        Needs the operation `projects:read`.
        """
        answer = self._calls.data(
            "GET",
            f"/projects/{segment('project', project)}/members",
            None,
            Options(timeout=timeout, on_answer=on_answer),
        )
        return cast("List[Member]", answer)

    def lists(
        self,
        project: Ref,
        *,
        external_id: Optional[Sequence[str]] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Pages[TaskList, ListTaskListsPage]:
        """List the task lists of a project

        Needs the operation `task_lists:read`.

          external_id: With any of these external ids
          limit: Page size; clamped to 1..100
          offset: Records to skip
          cursor: `meta.next_cursor` of the page before, with the same query otherwise; it outranks
            `offset`
        """
        return self._calls.pages(
            "GET",
            f"/projects/{segment('project', project)}/lists",
            {
                "external_id": external_id,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )

    def create_list(
        self,
        project: Ref,
        *,
        title: str,
        notes: Union[str, None, NotGiven] = NOT_GIVEN,
        priority: Union[Literal["low", "medium", "high", "urgent"], None, NotGiven] = NOT_GIVEN,
        external_id: Union[str, None, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Optional[str]], None, NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> TaskList:
        """Create a task list

        Needs the operation `task_lists:write`.

          notes: Plain text
          external_id: The other system's id of the record, unique in the company; null for none
          metadata: Merged key by key; null removes a key, or all of them
        """
        answer = self._calls.data(
            "POST",
            f"/projects/{segment('project', project)}/lists",
            {
                "title": title,
                "notes": notes,
                "priority": priority,
                "external_id": external_id,
                "metadata": metadata,
            },
            Options(idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("TaskList", answer)

    def upsert_list(
        self,
        project: Ref,
        external_id: Ref,
        *,
        title: Union[str, NotGiven] = NOT_GIVEN,
        notes: Union[str, None, NotGiven] = NOT_GIVEN,
        priority: Union[Literal["low", "medium", "high", "urgent"], None, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Optional[str]], None, NotGiven] = NOT_GIVEN,
        if_match: Optional[IfMatch] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> TaskList:
        """Create or update a task list by its external id

        Changes the task list with this external id, wherever it is, and never moves it. If there is
        none, it is created here (201), which needs the fields that creating needs.

        Needs the operation `task_lists:write`.

          notes: Plain text
          metadata: Merged key by key; null removes a key, or all of them
        """
        answer = self._calls.data(
            "PUT",
            f"/projects/{segment('project', project)}/lists/ext:{segment('external_id', external_id)}",
            {
                "title": title,
                "notes": notes,
                "priority": priority,
                "metadata": metadata,
            },
            Options(if_match=if_match, idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("TaskList", answer)

    def tasks(
        self,
        project: Ref,
        *,
        assignee_email: Optional[Sequence[str]] = None,
        external_id: Optional[Sequence[str]] = None,
        unassigned: Optional[bool] = None,
        completed: Optional[bool] = None,
        due_from: Union[str, date, None] = None,
        due_to: Union[str, date, None] = None,
        overdue: Optional[bool] = None,
        updated_since: Optional[str] = None,
        completed_since: Optional[str] = None,
        due_from_hijri: Optional[str] = None,
        due_to_hijri: Optional[str] = None,
        updated_since_hijri: Optional[str] = None,
        completed_since_hijri: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        sort: Optional[Literal["created", "-created", "due", "-due", "updated", "-updated"]] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        calendar: Optional[Literal["islamic-umalqura"]] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Pages[Task, ListProjectTasksPage]:
        """List the tasks of a project

        Of all its lists. Filters narrow it together; one that cannot be read is 422. `meta.total`
        is exact up to 10,000, then `meta.total_is_lower_bound` is true. With a cursor it may be
        that of the first page.

        Needs the operation `tasks:read`.

          assignee_email: Assigned to any of these people; an address that nobody has finds nothing
          external_id: With any of these external ids
          unassigned: `true`: assigned to nobody; with `assignee_email`, to these people or to
            nobody
          completed: `true` or `false`; both when left out
          due_from: Date, included
          due_to: Date, included
          overdue: `true`: not completed, and due before today in the company zone
          updated_since: ISO 8601 date or time, included
          completed_since: ISO 8601 date or time, included
          due_from_hijri: A day of the Umm al-Qura calendar, instead of `due_from`
          due_to_hijri: A day of the Umm al-Qura calendar, instead of `due_to`
          updated_since_hijri: A day of the Umm al-Qura calendar, instead of `updated_since`
          completed_since_hijri: A day of the Umm al-Qura calendar, instead of `completed_since`
          metadata: The value of a key, as in `metadata[stage]=review`; with several keys, all must
            have their value
          sort: Default `created`. Tasks without a due date come last either way.
          limit: Page size; clamped to 1..100
          offset: Records to skip
          cursor: `meta.next_cursor` of the page before, with the same query otherwise; it outranks
            `offset`
          calendar: Adds `hijri` to each record: its days in the Umm al-Qura calendar
        """
        return self._calls.pages(
            "GET",
            f"/projects/{segment('project', project)}/tasks",
            {
                "assignee_email": assignee_email,
                "external_id": external_id,
                "unassigned": unassigned,
                "completed": completed,
                "due_from": due_from,
                "due_to": due_to,
                "overdue": overdue,
                "updated_since": updated_since,
                "completed_since": completed_since,
                "due_from_hijri": due_from_hijri,
                "due_to_hijri": due_to_hijri,
                "updated_since_hijri": updated_since_hijri,
                "completed_since_hijri": completed_since_hijri,
                "metadata": metadata,
                "sort": sort,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
                "calendar": calendar,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )

    def discussions(
        self,
        project: Ref,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Pages[Discussion, ListDiscussionsPage]:
        """List the discussions of a project

        Newest first.

        Needs the operation `discussions:read`.

          limit: Page size; clamped to 1..100
          offset: Records to skip
          cursor: `meta.next_cursor` of the page before, with the same query otherwise; it outranks
            `offset`
        """
        return self._calls.pages(
            "GET",
            f"/projects/{segment('project', project)}/discussions",
            {
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )

    def create_discussion(
        self,
        project: Ref,
        *,
        title: str,
        body: Union[str, None, NotGiven] = NOT_GIVEN,
        external_id: Union[str, None, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Optional[str]], None, NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Discussion:
        """Start a discussion

        Published at once: the people of the project are subscribed and notified, and the timeline
        has an entry. Whoever opens it follows it too.

        Needs the operation `discussions:write`.

          body: Plain text
          external_id: The other system's id of the record, unique in the company; null for none
          metadata: Merged key by key; null removes a key, or all of them
        """
        answer = self._calls.data(
            "POST",
            f"/projects/{segment('project', project)}/discussions",
            {
                "title": title,
                "body": body,
                "external_id": external_id,
                "metadata": metadata,
            },
            Options(idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Discussion", answer)

    def upsert_discussion(
        self,
        project: Ref,
        external_id: Ref,
        *,
        title: Union[str, NotGiven] = NOT_GIVEN,
        body: Union[str, None, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Optional[str]], None, NotGiven] = NOT_GIVEN,
        if_match: Optional[IfMatch] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Discussion:
        """Create or update a discussion by its external id

        Changes the discussion with this external id, wherever it is, and never moves it. If there
        is none, it is created here (201), which needs the fields that creating needs.

        Needs the operation `discussions:write`.

          body: Plain text
          metadata: Merged key by key; null removes a key, or all of them
        """
        answer = self._calls.data(
            "PUT",
            f"/projects/{segment('project', project)}/discussions/ext:{segment('external_id', external_id)}",
            {
                "title": title,
                "body": body,
                "metadata": metadata,
            },
            Options(if_match=if_match, idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Discussion", answer)

    def files(
        self,
        project: Ref,
        *,
        folder_id: Optional[int] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Pages[StoredFile, ListFilesPage]:
        """Browse the files and folders of one level

        Not recursive. Files are paginated, folders are not; `folder` is null at the root.

        Needs the operation `files:read`.

          folder_id: Leave it out for the root
          limit: Page size; clamped to 1..100
          offset: Records to skip
          cursor: `meta.next_cursor` of the page before, with the same query otherwise; it outranks
            `offset`
        """
        return self._calls.pages(
            "GET",
            f"/projects/{segment('project', project)}/files",
            {
                "folder_id": folder_id,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )

    def upload_file(
        self,
        project: Ref,
        *,
        name: str,
        folder_id: Union[int, None, NotGiven] = NOT_GIVEN,
        content: Union[str, None, NotGiven] = NOT_GIVEN,
        content_base64: Union[str, None, NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> StoredFile:
        """Upload a file

        At most 5 MB. Send exactly one of `content` (plain-text names, names without an extension,
        and markdown for `.pdf`) and `content_base64`. The file is `pending` until the virus scan
        has cleared it.

        Needs the operation `files:write`.

          name: With its extension
          folder_id: Null or omitted for the root
          content: UTF-8 text, for plain-text names; markdown for a `.pdf` name
          content_base64: Standard base64 without line breaks
        """
        answer = self._calls.data(
            "POST",
            f"/projects/{segment('project', project)}/files",
            {
                "name": name,
                "folder_id": folder_id,
                "content": content,
                "content_base64": content_base64,
            },
            Options(idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("StoredFile", answer)

    def create_link(
        self,
        project: Ref,
        *,
        name: str,
        external_url: str,
        folder_id: Union[int, None, NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> StoredFile:
        """Add a link to a file elsewhere

        Needs the operation `files:write`.

          name: With its extension
          external_url: http or https; stored, never fetched
          folder_id: Null or omitted for the root
        """
        answer = self._calls.data(
            "POST",
            f"/projects/{segment('project', project)}/links",
            {
                "name": name,
                "external_url": external_url,
                "folder_id": folder_id,
            },
            Options(idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("StoredFile", answer)

    def get_file(
        self,
        project: Ref,
        file: Ref,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> StoredFile:
        """Get a file

        Needs the operation `files:read`.
        """
        answer = self._calls.data(
            "GET",
            f"/projects/{segment('project', project)}/files/{segment('file', file)}",
            None,
            Options(timeout=timeout, on_answer=on_answer),
        )
        return cast("StoredFile", answer)

    def download_file(
        self,
        project: Ref,
        file: Ref,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> bytes:
        """Download a file

        The bytes as an attachment, or a part of them with `Range`; 416 when that begins after their
        end. A link redirects. 403 until the virus scan has cleared it.

        Needs the operation `files:read`.
        """
        return self._calls.bytes(
            "GET",
            f"/projects/{segment('project', project)}/files/{segment('file', file)}/download",
            None,
            Options(timeout=timeout, on_answer=on_answer),
        )

    def folders(
        self,
        project: Ref,
        *,
        parent_folder_id: Optional[int] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Pages[Folder, ListFoldersPage]:
        """List the folders of one level

        Needs the operation `files:read`.

          parent_folder_id: Leave it out for the root
          limit: Page size; clamped to 1..100
          offset: Records to skip
          cursor: `meta.next_cursor` of the page before, with the same query otherwise; it outranks
            `offset`
        """
        return self._calls.pages(
            "GET",
            f"/projects/{segment('project', project)}/folders",
            {
                "parent_folder_id": parent_folder_id,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )

    def create_folder(
        self,
        project: Ref,
        *,
        name: str,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        parent_folder_id: Union[int, None, NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Folder:
        """Create a folder

        Needs the right `manage_files`.

        Needs the operation `files:write`.

          name: Unique within its parent
          parent_folder_id: Null or omitted for the root
        """
        answer = self._calls.data(
            "POST",
            f"/projects/{segment('project', project)}/folders",
            {
                "name": name,
                "description": description,
                "parent_folder_id": parent_folder_id,
            },
            Options(idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Folder", answer)

    def get_folder(
        self,
        project: Ref,
        folder: Ref,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Folder:
        """Get a folder

        Needs the operation `files:read`.
        """
        answer = self._calls.data(
            "GET",
            f"/projects/{segment('project', project)}/folders/{segment('folder', folder)}",
            None,
            Options(timeout=timeout, on_answer=on_answer),
        )
        return cast("Folder", answer)

    def update_folder(
        self,
        project: Ref,
        folder: Ref,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        parent_folder_id: Union[int, None, NotGiven] = NOT_GIVEN,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Folder:
        """Rename, describe or move a folder

        Needs the right `manage_files`. A folder cannot be moved into itself or below itself.

        Needs the operation `files:write`.

          name: Unique within its parent
          parent_folder_id: Null or omitted for the root
        """
        answer = self._calls.data(
            "PATCH",
            f"/projects/{segment('project', project)}/folders/{segment('folder', folder)}",
            {
                "name": name,
                "description": description,
                "parent_folder_id": parent_folder_id,
            },
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("Folder", answer)

    def delete_folder(
        self,
        project: Ref,
        folder: Ref,
        *,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> DeleteFolderData:
        """Delete a folder

        Permanent, and deletes every subfolder and file below it, whoever uploaded them. Needs the
        right `delete_any_file`.

        Needs the operation `files:destructive`.
        """
        answer = self._calls.data(
            "DELETE",
            f"/projects/{segment('project', project)}/folders/{segment('folder', folder)}",
            None,
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("DeleteFolderData", answer)


class Lists:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(
        self,
        list: Ref,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> TaskList:
        """Get a task list

        Needs the operation `task_lists:read`.
        """
        answer = self._calls.data(
            "GET",
            f"/lists/{segment('list', list)}",
            None,
            Options(timeout=timeout, on_answer=on_answer),
        )
        return cast("TaskList", answer)

    def update(
        self,
        list: Ref,
        *,
        title: Union[str, NotGiven] = NOT_GIVEN,
        notes: Union[str, None, NotGiven] = NOT_GIVEN,
        priority: Union[Literal["low", "medium", "high", "urgent"], None, NotGiven] = NOT_GIVEN,
        external_id: Union[str, None, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Optional[str]], None, NotGiven] = NOT_GIVEN,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> TaskList:
        """Update a task list

        Needs the operation `task_lists:write`.

          notes: Plain text
          external_id: The other system's id of the record, unique in the company; null for none
          metadata: Merged key by key; null removes a key, or all of them
        """
        answer = self._calls.data(
            "PATCH",
            f"/lists/{segment('list', list)}",
            {
                "title": title,
                "notes": notes,
                "priority": priority,
                "external_id": external_id,
                "metadata": metadata,
            },
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("TaskList", answer)

    def delete(
        self,
        list: Ref,
        *,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> DeleteTaskListData:
        """Delete a task list

        Permanent, and deletes all its tasks. Needs the right `delete_any_task_or_list`, even for
        the list’s creator.

        Needs the operation `task_lists:destructive`.
        """
        answer = self._calls.data(
            "DELETE",
            f"/lists/{segment('list', list)}",
            None,
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("DeleteTaskListData", answer)

    def tasks(
        self,
        list: Ref,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        calendar: Optional[Literal["islamic-umalqura"]] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Pages[Task, ListTasksPage]:
        """List the tasks of a task list

        Needs the operation `tasks:read`.

          limit: Page size; clamped to 1..100
          offset: Records to skip
          cursor: `meta.next_cursor` of the page before, with the same query otherwise; it outranks
            `offset`
          calendar: Adds `hijri` to each record: its days in the Umm al-Qura calendar
        """
        return self._calls.pages(
            "GET",
            f"/lists/{segment('list', list)}/tasks",
            {
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
                "calendar": calendar,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )

    def create_task(
        self,
        list: Ref,
        *,
        title: str,
        notes: Union[str, None, NotGiven] = NOT_GIVEN,
        due_at: Union[str, date, None, NotGiven] = NOT_GIVEN,
        due_at_hijri: Union[str, None, NotGiven] = NOT_GIVEN,
        external_id: Union[str, None, NotGiven] = NOT_GIVEN,
        assignee_email: Union[str, None, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Optional[str]], None, NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Task:
        """Create a task

        Needs the operation `tasks:write`.

          notes: Plain text
          due_at_hijri: A day of the Umm al-Qura calendar, instead of the Gregorian one
          external_id: The other system's id of the record, unique in the company; null for none
          assignee_email: The e-mail address of somebody who can be assigned in this project; null
            or "" for nobody
          metadata: Merged key by key; null removes a key, or all of them
        """
        answer = self._calls.data(
            "POST",
            f"/lists/{segment('list', list)}/tasks",
            {
                "title": title,
                "notes": notes,
                "due_at": due_at,
                "due_at_hijri": due_at_hijri,
                "external_id": external_id,
                "assignee_email": assignee_email,
                "metadata": metadata,
            },
            Options(idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Task", answer)

    def create_tasks(
        self,
        list: Ref,
        *,
        tasks: Sequence[CreateTasksTask],
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> List[Task]:
        """Create several tasks

        Creates all of the tasks, in the order given, or none of them. Each task counts as one call.
        Unknown fields inside a task are refused.

        Needs the operation `tasks:write`.
        """
        answer = self._calls.data(
            "POST",
            f"/lists/{segment('list', list)}/tasks/batch",
            {
                "tasks": tasks,
            },
            Options(idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("List[Task]", answer)

    def upsert_task(
        self,
        list: Ref,
        external_id: Ref,
        *,
        title: Union[str, NotGiven] = NOT_GIVEN,
        notes: Union[str, None, NotGiven] = NOT_GIVEN,
        due_at: Union[str, date, None, NotGiven] = NOT_GIVEN,
        due_at_hijri: Union[str, None, NotGiven] = NOT_GIVEN,
        assignee_email: Union[str, None, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Optional[str]], None, NotGiven] = NOT_GIVEN,
        if_match: Optional[IfMatch] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Task:
        """Create or update a task by its external id

        Changes the task with this external id, wherever it is, and never moves it. If there is
        none, it is created here (201), which needs the fields that creating needs.

        Needs the operation `tasks:write`.

          notes: Plain text
          due_at_hijri: A day of the Umm al-Qura calendar, instead of the Gregorian one
          assignee_email: The e-mail address of somebody who can be assigned in this project; null
            or "" for nobody
          metadata: Merged key by key; null removes a key, or all of them
        """
        answer = self._calls.data(
            "PUT",
            f"/lists/{segment('list', list)}/tasks/ext:{segment('external_id', external_id)}",
            {
                "title": title,
                "notes": notes,
                "due_at": due_at,
                "due_at_hijri": due_at_hijri,
                "assignee_email": assignee_email,
                "metadata": metadata,
            },
            Options(if_match=if_match, idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Task", answer)

    def comments(
        self,
        list: Ref,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Pages[Comment, ListTaskListCommentsPage]:
        """List the comments on a task list

        Oldest first.

        Needs the operation `comments:read`.

          limit: Page size; clamped to 1..100
          offset: Records to skip
          cursor: `meta.next_cursor` of the page before, with the same query otherwise; it outranks
            `offset`
        """
        return self._calls.pages(
            "GET",
            f"/lists/{segment('list', list)}/comments",
            {
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )

    def create_comment(
        self,
        list: Ref,
        *,
        content: str,
        attachments: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Comment:
        """Comment on a task list

        Needs the operation `comments:write`.

          content: Plain text
          attachments: Refs (`fil-…`) of files of the same project, at most 10
        """
        answer = self._calls.data(
            "POST",
            f"/lists/{segment('list', list)}/comments",
            {
                "content": content,
                "attachments": attachments,
            },
            Options(idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Comment", answer)

    def get_comment(
        self,
        list: Ref,
        comment: Ref,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Comment:
        """Get a comment on a task list

        Needs the operation `comments:read`.
        """
        answer = self._calls.data(
            "GET",
            f"/lists/{segment('list', list)}/comments/{segment('comment', comment)}",
            None,
            Options(timeout=timeout, on_answer=on_answer),
        )
        return cast("Comment", answer)

    def update_comment(
        self,
        list: Ref,
        comment: Ref,
        *,
        content: Union[str, NotGiven] = NOT_GIVEN,
        attachments: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Comment:
        """Edit a comment on a task list

        For the signature that wrote it. `attachments`, when sent, replaces all of them.

        Needs the operation `comments:write`.

          content: Plain text
          attachments: Refs (`fil-…`) of files of the same project, at most 10
        """
        answer = self._calls.data(
            "PATCH",
            f"/lists/{segment('list', list)}/comments/{segment('comment', comment)}",
            {
                "content": content,
                "attachments": attachments,
            },
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("Comment", answer)


class Tasks:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(
        self,
        task: Ref,
        *,
        calendar: Optional[Literal["islamic-umalqura"]] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Task:
        """Get a task

        Needs the operation `tasks:read`.

          calendar: Adds `hijri` to each record: its days in the Umm al-Qura calendar
        """
        answer = self._calls.data(
            "GET",
            f"/tasks/{segment('task', task)}",
            {
                "calendar": calendar,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )
        return cast("Task", answer)

    def update(
        self,
        task: Ref,
        *,
        title: Union[str, NotGiven] = NOT_GIVEN,
        notes: Union[str, None, NotGiven] = NOT_GIVEN,
        due_at: Union[str, date, None, NotGiven] = NOT_GIVEN,
        due_at_hijri: Union[str, None, NotGiven] = NOT_GIVEN,
        external_id: Union[str, None, NotGiven] = NOT_GIVEN,
        assignee_email: Union[str, None, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Optional[str]], None, NotGiven] = NOT_GIVEN,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Task:
        """Update a task

        Needs the operation `tasks:write`.

          notes: Plain text
          due_at_hijri: A day of the Umm al-Qura calendar, instead of the Gregorian one
          external_id: The other system's id of the record, unique in the company; null for none
          assignee_email: The e-mail address of somebody who can be assigned in this project; null
            or "" for nobody
          metadata: Merged key by key; null removes a key, or all of them
        """
        answer = self._calls.data(
            "PATCH",
            f"/tasks/{segment('task', task)}",
            {
                "title": title,
                "notes": notes,
                "due_at": due_at,
                "due_at_hijri": due_at_hijri,
                "external_id": external_id,
                "assignee_email": assignee_email,
                "metadata": metadata,
            },
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("Task", answer)

    def delete(
        self,
        task: Ref,
        *,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> DeleteTaskData:
        """Delete a task

        Permanent. Deleting a task that somebody else created needs the right
        `delete_any_task_or_list`.

        Needs the operation `tasks:destructive`.
        """
        answer = self._calls.data(
            "DELETE",
            f"/tasks/{segment('task', task)}",
            None,
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("DeleteTaskData", answer)

    def complete(
        self,
        task: Ref,
        *,
        if_match: Optional[IfMatch] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Task:
        """Complete a task

        No body. Completing it again keeps the first `completed_at`.

        Needs the operation `tasks:write`.
        """
        answer = self._calls.data(
            "POST",
            f"/tasks/{segment('task', task)}/complete",
            None,
            Options(if_match=if_match, idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Task", answer)

    def reopen(
        self,
        task: Ref,
        *,
        if_match: Optional[IfMatch] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Task:
        """Reopen a task

        No body. Doing it again changes nothing.

        Needs the operation `tasks:write`.
        """
        answer = self._calls.data(
            "POST",
            f"/tasks/{segment('task', task)}/incomplete",
            None,
            Options(if_match=if_match, idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Task", answer)

    def move(
        self,
        task: Ref,
        *,
        list_id: str,
        if_match: Optional[IfMatch] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Task:
        """Move a task to another list

        The task keeps its ref, its comments and its time.

        Needs the operation `tasks:write`.

          list_id: The ref of any list of the company, or the slug of one in the same project
        """
        answer = self._calls.data(
            "POST",
            f"/tasks/{segment('task', task)}/move",
            {
                "list_id": list_id,
            },
            Options(if_match=if_match, idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Task", answer)

    def set_time(
        self,
        task: Ref,
        *,
        time_spent: Union[str, float, None],
        if_match: Optional[IfMatch] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Task:
        """Record the time spent on a task

        Replaces the total. `1:30`, `1.5` (hours) and `90` (minutes) mean the same; `""` or null
        clears it; zero is refused.

        Needs the operation `tasks:write`.

          time_spent: A JSON number is accepted too
        """
        answer = self._calls.data(
            "POST",
            f"/tasks/{segment('task', task)}/time",
            {
                "time_spent": time_spent,
            },
            Options(if_match=if_match, idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Task", answer)

    def comments(
        self,
        task: Ref,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Pages[Comment, ListTaskCommentsPage]:
        """List the comments on a task

        Oldest first.

        Needs the operation `comments:read`.

          limit: Page size; clamped to 1..100
          offset: Records to skip
          cursor: `meta.next_cursor` of the page before, with the same query otherwise; it outranks
            `offset`
        """
        return self._calls.pages(
            "GET",
            f"/tasks/{segment('task', task)}/comments",
            {
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )

    def create_comment(
        self,
        task: Ref,
        *,
        content: str,
        attachments: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Comment:
        """Comment on a task

        Needs the operation `comments:write`.

          content: Plain text
          attachments: Refs (`fil-…`) of files of the same project, at most 10
        """
        answer = self._calls.data(
            "POST",
            f"/tasks/{segment('task', task)}/comments",
            {
                "content": content,
                "attachments": attachments,
            },
            Options(idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Comment", answer)

    def get_comment(
        self,
        task: Ref,
        comment: Ref,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Comment:
        """Get a comment on a task

        Needs the operation `comments:read`.
        """
        answer = self._calls.data(
            "GET",
            f"/tasks/{segment('task', task)}/comments/{segment('comment', comment)}",
            None,
            Options(timeout=timeout, on_answer=on_answer),
        )
        return cast("Comment", answer)

    def update_comment(
        self,
        task: Ref,
        comment: Ref,
        *,
        content: Union[str, NotGiven] = NOT_GIVEN,
        attachments: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Comment:
        """Edit a comment on a task

        For the signature that wrote it. `attachments`, when sent, replaces all of them.

        Needs the operation `comments:write`.

          content: Plain text
          attachments: Refs (`fil-…`) of files of the same project, at most 10
        """
        answer = self._calls.data(
            "PATCH",
            f"/tasks/{segment('task', task)}/comments/{segment('comment', comment)}",
            {
                "content": content,
                "attachments": attachments,
            },
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("Comment", answer)


class Discussions:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def comments(
        self,
        discussion: Ref,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Pages[Comment, ListDiscussionCommentsPage]:
        """List the comments on a discussion

        Oldest first.

        Needs the operation `comments:read`.

          limit: Page size; clamped to 1..100
          offset: Records to skip
          cursor: `meta.next_cursor` of the page before, with the same query otherwise; it outranks
            `offset`
        """
        return self._calls.pages(
            "GET",
            f"/discussions/{segment('discussion', discussion)}/comments",
            {
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )

    def create_comment(
        self,
        discussion: Ref,
        *,
        content: str,
        attachments: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Comment:
        """Reply to a discussion

        Those who follow the discussion are notified; whoever replies follows it from then on.

        Needs the operation `comments:write`.

          content: Plain text
          attachments: Refs (`fil-…`) of files of the same project, at most 10
        """
        answer = self._calls.data(
            "POST",
            f"/discussions/{segment('discussion', discussion)}/comments",
            {
                "content": content,
                "attachments": attachments,
            },
            Options(idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Comment", answer)

    def get_comment(
        self,
        discussion: Ref,
        comment: Ref,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Comment:
        """Get a comment on a discussion

        Needs the operation `comments:read`.
        """
        answer = self._calls.data(
            "GET",
            f"/discussions/{segment('discussion', discussion)}/comments/{segment('comment', comment)}",
            None,
            Options(timeout=timeout, on_answer=on_answer),
        )
        return cast("Comment", answer)

    def update_comment(
        self,
        discussion: Ref,
        comment: Ref,
        *,
        content: Union[str, NotGiven] = NOT_GIVEN,
        attachments: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Comment:
        """Edit a comment on a discussion

        For the signature that wrote it. `attachments`, when sent, replaces all of them.

        Needs the operation `comments:write`.

          content: Plain text
          attachments: Refs (`fil-…`) of files of the same project, at most 10
        """
        answer = self._calls.data(
            "PATCH",
            f"/discussions/{segment('discussion', discussion)}/comments/{segment('comment', comment)}",
            {
                "content": content,
                "attachments": attachments,
            },
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("Comment", answer)

    def get(
        self,
        discussion: Ref,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Discussion:
        """Get a discussion

        Needs the operation `discussions:read`.
        """
        answer = self._calls.data(
            "GET",
            f"/discussions/{segment('discussion', discussion)}",
            None,
            Options(timeout=timeout, on_answer=on_answer),
        )
        return cast("Discussion", answer)

    def update(
        self,
        discussion: Ref,
        *,
        title: Union[str, NotGiven] = NOT_GIVEN,
        body: Union[str, None, NotGiven] = NOT_GIVEN,
        external_id: Union[str, None, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Optional[str]], None, NotGiven] = NOT_GIVEN,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Discussion:
        """Update a discussion

        Needs the operation `discussions:write`.

          body: Plain text
          external_id: The other system's id of the record, unique in the company; null for none
          metadata: Merged key by key; null removes a key, or all of them
        """
        answer = self._calls.data(
            "PATCH",
            f"/discussions/{segment('discussion', discussion)}",
            {
                "title": title,
                "body": body,
                "external_id": external_id,
                "metadata": metadata,
            },
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("Discussion", answer)

    def delete(
        self,
        discussion: Ref,
        *,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> DeleteDiscussionData:
        """Delete a discussion

        It disappears from every read at once. An administrator can restore it.

        Needs the operation `discussions:destructive`.
        """
        answer = self._calls.data(
            "DELETE",
            f"/discussions/{segment('discussion', discussion)}",
            None,
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("DeleteDiscussionData", answer)


class Files:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def delete(
        self,
        file: Ref,
        *,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> DeleteFileData:
        """Delete a file

        Permanent. Deleting a file that somebody else uploaded needs the right `delete_any_file`.

        Needs the operation `files:destructive`.
        """
        answer = self._calls.data(
            "DELETE",
            f"/files/{segment('file', file)}",
            None,
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("DeleteFileData", answer)


class Events:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        from_hijri: Optional[str] = None,
        to_hijri: Optional[str] = None,
        include_past: Optional[bool] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        calendar: Optional[Literal["islamic-umalqura"]] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Pages[Event, ListEventsPage]:
        """List events

        Events that the creator of the key organizes or is invited to, ordered by start. Only from
        today onwards, unless `from`, `to` or `include_past` says otherwise.

        Needs the operation `events:read`.

          from_: ISO 8601 date or time; lower bound on the start, included
          to: ISO 8601 date or time; upper bound on the start, included
          from_hijri: A day of the Umm al-Qura calendar, instead of `from`
          to_hijri: A day of the Umm al-Qura calendar, instead of `to`
          limit: Page size; clamped to 1..100
          offset: Records to skip
          cursor: `meta.next_cursor` of the page before, with the same query otherwise; it outranks
            `offset`
          calendar: Adds `hijri` to each record: its days in the Umm al-Qura calendar
        """
        return self._calls.pages(
            "GET",
            "/events",
            {
                "from": from_,
                "to": to,
                "from_hijri": from_hijri,
                "to_hijri": to_hijri,
                "include_past": include_past,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
                "calendar": calendar,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )

    def create(
        self,
        *,
        name: str,
        starts_at: str,
        ends_at: str,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        all_day: Union[bool, NotGiven] = NOT_GIVEN,
        meeting_url: Union[str, None, NotGiven] = NOT_GIVEN,
        attendee_emails: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Event:
        """Create an event

        The creator of the key is the organizer. Attendees are notified, and the event is added to
        connected calendars.

        Needs the operation `events:write`.

          starts_at: ISO 8601; without an offset in the company zone
          ends_at: Not before starts_at; of an all-day event the last day
          attendee_emails: E-mail addresses of people in the company; replaces the whole list
        """
        answer = self._calls.data(
            "POST",
            "/events",
            {
                "name": name,
                "starts_at": starts_at,
                "ends_at": ends_at,
                "description": description,
                "all_day": all_day,
                "meeting_url": meeting_url,
                "attendee_emails": attendee_emails,
            },
            Options(idempotency_key=idempotency_key, timeout=timeout, on_answer=on_answer),
        )
        return cast("Event", answer)

    def get(
        self,
        event: Ref,
        *,
        calendar: Optional[Literal["islamic-umalqura"]] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Event:
        """Get an event

        Needs the operation `events:read`.

          calendar: Adds `hijri` to each record: its days in the Umm al-Qura calendar
        """
        answer = self._calls.data(
            "GET",
            f"/events/{segment('event', event)}",
            {
                "calendar": calendar,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )
        return cast("Event", answer)

    def update(
        self,
        event: Ref,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        starts_at: Union[str, NotGiven] = NOT_GIVEN,
        ends_at: Union[str, NotGiven] = NOT_GIVEN,
        all_day: Union[bool, NotGiven] = NOT_GIVEN,
        meeting_url: Union[str, None, NotGiven] = NOT_GIVEN,
        attendee_emails: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Event:
        """Update an event

        Only the organizer can do it. `attendee_emails`, if sent, replaces the whole list. Everyone
        who is added, removed or affected is notified.

        Needs the operation `events:write`.

          starts_at: ISO 8601; without an offset in the company zone
          ends_at: Not before starts_at; of an all-day event the last day
          attendee_emails: E-mail addresses of people in the company; replaces the whole list
        """
        answer = self._calls.data(
            "PATCH",
            f"/events/{segment('event', event)}",
            {
                "name": name,
                "description": description,
                "starts_at": starts_at,
                "ends_at": ends_at,
                "all_day": all_day,
                "meeting_url": meeting_url,
                "attendee_emails": attendee_emails,
            },
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("Event", answer)

    def delete(
        self,
        event: Ref,
        *,
        if_match: Optional[IfMatch] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> DeleteEventData:
        """Delete an event

        Permanent; only the organizer can do it. Attendees are notified, and the event is removed
        from connected calendars.

        Needs the operation `events:destructive`.
        """
        answer = self._calls.data(
            "DELETE",
            f"/events/{segment('event', event)}",
            None,
            Options(if_match=if_match, timeout=timeout, on_answer=on_answer),
        )
        return cast("DeleteEventData", answer)


class Resources:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.company = Company(calls)
        self.projects = Projects(calls)
        self.lists = Lists(calls)
        self.tasks = Tasks(calls)
        self.discussions = Discussions(calls)
        self.files = Files(calls)
        self.events = Events(calls)

    def me(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Account:
        """Show the key, its company and its creator

        Needs the operation `account:read`.
        """
        answer = self._calls.data(
            "GET",
            "/me",
            None,
            Options(timeout=timeout, on_answer=on_answer),
        )
        return cast("Account", answer)

    def search(
        self,
        *,
        q: Optional[str] = None,
        types: Optional[Sequence[Literal["project", "task_list", "task", "folder", "file", "discussion"]]] = None,
        per_type: Optional[int] = None,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> SearchData:
        """Search by name

        Arabic spelling variants, case and accents do not matter. The words can come in any order,
        and each must occur in the name. If little is found, other forms of Arabic words are found
        too, and if nothing is, misspellings. Only kinds that the key may read are searched.

        Needs the operation `account:read`.

          q: What to look for; a blank query finds nothing
          types: For several kinds, repeat the parameter or separate them by commas; leave it out
            for all
        """
        answer = self._calls.data(
            "GET",
            "/search",
            {
                "q": q,
                "types": types,
                "per_type": per_type,
            },
            Options(timeout=timeout, on_answer=on_answer),
        )
        return cast("SearchData", answer)
