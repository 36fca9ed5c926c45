# Written by "npm run openapi" from openapi.json: change the declarations, not this file.
"""The records of the API and the answers of its endpoints. At run time they are dicts."""

from __future__ import annotations

from datetime import date
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

__all__ = [
    "AccountKey",
    "AccountCompany",
    "AccountCreatedBy",
    "Account",
    "Change",
    "SearchResult",
    "ListedProjectHijri",
    "ListedProject",
    "PageMeta",
    "ProjectHijri",
    "Project",
    "Member",
    "TaskList",
    "TaskAssignee",
    "TaskHijri",
    "Task",
    "Comment",
    "Discussion",
    "Folder",
    "StoredFile",
    "EventAttendee",
    "EventHijri",
    "Event",
    "ErrorError",
    "Error",
    "BurstError",
    "ListChangesAnswerMeta",
    "ListChangesAnswer",
    "SearchData",
    "ListProjectsPage",
    "DeleteProjectDataProject",
    "DeleteProjectData",
    "ListTaskListsPage",
    "DeleteTaskListDataTaskList",
    "DeleteTaskListData",
    "ListCompanyTasksPageMeta",
    "ListCompanyTasksPage",
    "ListProjectTasksPageMeta",
    "ListProjectTasksPage",
    "ListTasksPage",
    "CreateTasksTask",
    "DeleteTaskDataTask",
    "DeleteTaskData",
    "ChangeTasksChange",
    "ListTaskListCommentsPage",
    "ListTaskCommentsPage",
    "ListDiscussionCommentsPage",
    "ListDiscussionsPage",
    "DeleteDiscussionDataDiscussion",
    "DeleteDiscussionData",
    "ListFilesPageData",
    "ListFilesPageMeta",
    "ListFilesPage",
    "DeleteFileDataFile",
    "DeleteFileData",
    "ListFoldersPage",
    "DeleteFolderDataFolder",
    "DeleteFolderDataDestroyed",
    "DeleteFolderData",
    "ListEventsPage",
    "DeleteEventDataEvent",
    "DeleteEventData",
    "ProjectWebhook",
    "TaskListWebhook",
    "TaskWebhook",
    "CommentWebhook",
    "DiscussionWebhook",
    "FolderWebhook",
    "FileWebhook",
    "PingWebhook",
    "Webhook",
]


class AccountKey(TypedDict):
    name: str
    access: Literal["read", "write"]
    operations: List[str]
    """The exact operations the key may call"""
    rights: List[Literal["manage_files", "delete_any_task_or_list", "delete_any_file"]]
    """What the key may do beyond its operations"""
    expires_at: Optional[str]
    """When the key ends; null if it does not"""


class AccountCompany(TypedDict):
    name: str
    sandbox: bool
    """True in a sandbox, where nothing is real (since 1.7.0)"""


class AccountCreatedBy(TypedDict):
    """The key's creator: a signature, not the identity the call runs as"""
    name: str
    email: str


class Account(TypedDict):
    key: AccountKey
    company: AccountCompany
    created_by: AccountCreatedBy
    """The key's creator: a signature, not the identity the call runs as"""


class Change(TypedDict):
    cursor: str
    """Pass it as `after` to continue behind this entry"""
    at: str
    kind: Literal["project", "task_list", "task", "comment", "discussion", "folder", "file"]
    change: Literal["created", "updated", "deleted", "completed", "reopened", "moved", "archived", "unarchived", "restored", "scanned"]
    id: Union[str, int]
    """The ref of the record, or its number where it has none"""
    project_id: str
    """The `prj-` ref"""
    parent_id: Union[str, int, None]
    """The list of a task, the record that a comment is on, or the folder that a file or folder is in;
    otherwise null
    """
    parent_kind: Optional[Literal["task_list", "task", "discussion", "folder"]]
    """What `parent_id` names; null if that is null"""
    actor: Optional[str]
    """Who made the change; null if the service did"""
    fields: Optional[List[str]]
    """The fields that an update changed; null for other changes"""


class _SearchResult(TypedDict):
    type: Literal["project", "task_list", "task", "folder", "file", "discussion"]
    project_slug: str


class SearchResult(_SearchResult, total=False):
    id: str
    """The ref; folders have none"""
    title: str
    name: str
    """Of a folder or a file"""
    task_list_slug: str
    task_slug: str
    discussion_slug: str
    folder_id: Optional[int]
    archived: bool
    completed: bool


class ListedProjectHijri(TypedDict):
    """The same days in the Umm al-Qura calendar; only with `calendar=islamic-umalqura`"""
    start_date: Optional[str]
    end_date: Optional[str]


class _ListedProject(TypedDict):
    id: str
    """The `prj-` ref; it never changes"""
    name: str
    description: Optional[str]
    is_public: bool
    archived: bool
    start_date: Optional[str]
    end_date: Optional[str]
    external_id: Optional[str]
    """The other system's id of the record; addresses take it as `ext:` and the id"""
    task_lists_count: int
    tasks_count: int
    metadata: Dict[str, str]
    """What other systems remember about it"""
    created_at: str
    updated_at: str


class ListedProject(_ListedProject, total=False):
    hijri: ListedProjectHijri
    """The same days in the Umm al-Qura calendar; only with `calendar=islamic-umalqura`"""


class PageMeta(TypedDict):
    total: int
    """Records that match, before limit and offset"""
    limit: int
    offset: int
    count: int
    """Records in this page"""
    next_cursor: Optional[str]
    """`cursor` of the next page; null on the last one"""


class ProjectHijri(TypedDict):
    """The same days in the Umm al-Qura calendar; only with `calendar=islamic-umalqura`"""
    start_date: Optional[str]
    end_date: Optional[str]


class _Project(TypedDict):
    id: str
    """The `prj-` ref; it never changes"""
    name: str
    description: Optional[str]
    is_public: bool
    archived: bool
    start_date: Optional[str]
    end_date: Optional[str]
    external_id: Optional[str]
    """The other system's id of the record; addresses take it as `ext:` and the id"""
    task_lists_count: int
    tasks_count: int
    metadata: Dict[str, str]
    """What other systems remember about it"""
    created_at: str
    updated_at: str
    slug: str


class Project(_Project, total=False):
    hijri: ProjectHijri
    """The same days in the Umm al-Qura calendar; only with `calendar=islamic-umalqura`"""


class Member(TypedDict):
    name: str
    email: str
    """Use it as `assignee_email` and in `attendee_emails`"""
    role: str
    """Display name of the role"""


class TaskList(TypedDict):
    id: str
    """The `lst-` ref; it never changes"""
    title: str
    notes: Optional[str]
    priority: Optional[Literal["low", "medium", "high", "urgent"]]
    external_id: Optional[str]
    """The other system's id of the record; addresses take it as `ext:` and the id"""
    completed: bool
    """True when the list has tasks and all of them are completed"""
    completed_at: Optional[str]
    """When the last task was completed"""
    tasks_count: int
    completed_tasks_count: int
    metadata: Dict[str, str]
    """What other systems remember about it"""
    project_slug: str
    project_id: str
    """The `prj-` ref"""
    created_at: str
    updated_at: str
    """Does not move when only the counts change"""


class TaskAssignee(TypedDict):
    name: str
    email: str


class TaskHijri(TypedDict):
    """The same days in the Umm al-Qura calendar; only with `calendar=islamic-umalqura`"""
    due_at: Optional[str]


class _Task(TypedDict):
    id: str
    """The `tsk-` ref; it never changes"""
    title: str
    notes: Optional[str]
    completed: bool
    completed_at: Optional[str]
    due_at: Optional[str]
    time_spent_minutes: Optional[int]
    """Null when no time has been recorded"""
    external_id: Optional[str]
    """The other system's id of the record; addresses take it as `ext:` and the id"""
    project_slug: str
    task_list_slug: str
    project_id: str
    """The `prj-` ref"""
    task_list_id: str
    """The `lst-` ref"""
    assignee: Optional[TaskAssignee]
    metadata: Dict[str, str]
    """What other systems remember about it"""
    created_at: str
    updated_at: str
    """Completing, reopening, moving and stating the time are updates too"""


class Task(_Task, total=False):
    hijri: TaskHijri
    """The same days in the Umm al-Qura calendar; only with `calendar=islamic-umalqura`"""


class Comment(TypedDict):
    id: int
    content: Optional[str]
    """Plain text; embedded files are not in it"""
    author: Optional[str]
    created_at: str
    updated_at: str
    """Equals created_at until the comment is edited"""
    attachments: List[str]
    """Names of the files embedded in the body, then of those attached"""
    attachment_refs: List[Optional[str]]
    """The `fil-` refs of `attachments`, in the same order; null for embedded files and deleted ones"""


class Discussion(TypedDict):
    id: str
    """The `mjl-` ref; it never changes"""
    title: str
    body: Optional[str]
    category: Optional[str]
    external_id: Optional[str]
    """The other system's id of the record; addresses take it as `ext:` and the id"""
    author: Optional[str]
    replies_count: int
    metadata: Dict[str, str]
    """What other systems remember about it"""
    created_at: str


class Folder(TypedDict):
    id: int
    name: str
    path: str
    description: Optional[str]
    parent_folder_id: Optional[int]
    created_at: str


class StoredFile(TypedDict):
    id: int
    ref: str
    """The `fil-` ref"""
    name: str
    path: str
    """The path of the folder it lives in"""
    folder_id: Optional[int]
    content_type: Optional[str]
    size_bytes: Optional[int]
    size_human: Optional[str]
    external_url: Optional[str]
    source: Optional[str]
    """Display name of the site that a link leads to"""
    scan_state: Literal["pending", "clean", "skipped", "infected", "failed"]
    scan_message: Optional[str]
    """Why the file is `infected` or `failed`, in a sentence for people"""
    downloadable: bool
    """True once the scan has cleared it"""
    uploaded_by: Optional[str]
    created_at: str


class EventAttendee(TypedDict):
    name: str
    email: str


class EventHijri(TypedDict):
    """The same days in the Umm al-Qura calendar; only with `calendar=islamic-umalqura`"""
    starts_at: Optional[str]
    ends_at: Optional[str]


class _Event(TypedDict):
    id: int
    name: str
    description: Optional[str]
    starts_at: str
    """With the offset of the company zone"""
    ends_at: str
    """Of an all-day event: on its last day"""
    all_day: bool
    meeting_url: Optional[str]
    organizer: Optional[str]
    """Only the organizer may edit"""
    organizer_email: Optional[str]
    attendees: List[EventAttendee]


class Event(_Event, total=False):
    hijri: EventHijri
    """The same days in the Umm al-Qura calendar; only with `calendar=islamic-umalqura`"""


class _ErrorError(TypedDict):
    code: str
    message: str


class ErrorError(_ErrorError, total=False):
    cursor: str
    """Where to start again; with cursor_expired only"""
    id: str
    """The record that already has the `external_id`; with that conflict only"""
    path: str
    """The path no endpoint answers; with unknown_endpoint only"""


class Error(TypedDict):
    error: ErrorError


class BurstError(TypedDict):
    error: str


class ListChangesAnswerMeta(TypedDict):
    count: int
    """Entries in this page"""
    next_cursor: str
    """Pass it as `after` next time"""
    more: bool
    """True when there are more entries to read now"""


class ListChangesAnswer(TypedDict):
    data: List[Change]
    meta: ListChangesAnswerMeta


class SearchData(TypedDict):
    query: str
    results: List[SearchResult]
    truncated: List[Literal["project", "task_list", "task", "folder", "file", "discussion"]]
    """Kinds that had more matches than were returned"""


class ListProjectsPage(TypedDict):
    data: List[ListedProject]
    meta: PageMeta


class DeleteProjectDataProject(TypedDict):
    name: str
    id: str
    slug: str


class DeleteProjectData(TypedDict):
    deleted: Literal[True]
    recoverable: Literal[True]
    project: DeleteProjectDataProject


class ListTaskListsPage(TypedDict):
    data: List[TaskList]
    meta: PageMeta


class DeleteTaskListDataTaskList(TypedDict):
    title: str
    id: str
    slug: str


class DeleteTaskListData(TypedDict):
    deleted: Literal[True]
    task_list: DeleteTaskListDataTaskList
    deleted_tasks: int


class _ListCompanyTasksPageMeta(TypedDict):
    total: int
    """Records that match, before limit and offset; at most 10,000"""
    limit: int
    offset: int
    count: int
    """Records in this page"""
    next_cursor: Optional[str]
    """`cursor` of the next page; null on the last one"""


class ListCompanyTasksPageMeta(_ListCompanyTasksPageMeta, total=False):
    total_is_lower_bound: bool
    """True when there are more than `total`"""


class ListCompanyTasksPage(TypedDict):
    data: List[Task]
    meta: ListCompanyTasksPageMeta


class _ListProjectTasksPageMeta(TypedDict):
    total: int
    """Records that match, before limit and offset; at most 10,000"""
    limit: int
    offset: int
    count: int
    """Records in this page"""
    next_cursor: Optional[str]
    """`cursor` of the next page; null on the last one"""


class ListProjectTasksPageMeta(_ListProjectTasksPageMeta, total=False):
    total_is_lower_bound: bool
    """True when there are more than `total`"""


class ListProjectTasksPage(TypedDict):
    data: List[Task]
    meta: ListProjectTasksPageMeta


class ListTasksPage(TypedDict):
    data: List[Task]
    meta: PageMeta


class _CreateTasksTask(TypedDict):
    title: str


class CreateTasksTask(_CreateTasksTask, total=False):
    notes: Optional[str]
    """Plain text"""
    due_at: Union[str, date, None]
    due_at_hijri: Optional[str]
    """A day of the Umm al-Qura calendar, instead of the Gregorian one"""
    external_id: Optional[str]
    """The other system's id of the record, unique in the company; null for none"""
    assignee_email: Optional[str]
    """The e-mail address of somebody who can be assigned in this project; null or "" for nobody"""
    metadata: Optional[Mapping[str, Optional[str]]]
    """Merged key by key; null removes a key, or all of them"""


class DeleteTaskDataTask(TypedDict):
    title: str
    id: str
    slug: str


class DeleteTaskData(TypedDict):
    deleted: Literal[True]
    task: DeleteTaskDataTask


class _ChangeTasksChange(TypedDict):
    task: str
    """The ref of any task of the company"""
    do: Literal["update", "complete", "incomplete", "move"]


class ChangeTasksChange(_ChangeTasksChange, total=False):
    list_id: str
    """The ref of any list of the company, or the slug of one in the same project"""
    title: str
    notes: Optional[str]
    """Plain text"""
    due_at: Union[str, date, None]
    due_at_hijri: Optional[str]
    """A day of the Umm al-Qura calendar, instead of the Gregorian one"""
    external_id: Optional[str]
    """The other system's id of the record, unique in the company; null for none"""
    assignee_email: Optional[str]
    """The e-mail address of somebody who can be assigned in this project; null or "" for nobody"""
    metadata: Optional[Mapping[str, Optional[str]]]
    """Merged key by key; null removes a key, or all of them"""


class ListTaskListCommentsPage(TypedDict):
    data: List[Comment]
    meta: PageMeta


class ListTaskCommentsPage(TypedDict):
    data: List[Comment]
    meta: PageMeta


class ListDiscussionCommentsPage(TypedDict):
    data: List[Comment]
    meta: PageMeta


class ListDiscussionsPage(TypedDict):
    data: List[Discussion]
    meta: PageMeta


class DeleteDiscussionDataDiscussion(TypedDict):
    title: str
    id: str
    slug: str


class DeleteDiscussionData(TypedDict):
    deleted: Literal[True]
    recoverable: Literal[True]
    discussion: DeleteDiscussionDataDiscussion


class ListFilesPageData(TypedDict):
    folder: Optional[Folder]
    folders: List[Folder]
    files: List[StoredFile]


class ListFilesPageMeta(TypedDict):
    total: int
    limit: int
    offset: int
    next_cursor: Optional[str]
    """`cursor` of the next page; null on the last one"""


class ListFilesPage(TypedDict):
    data: ListFilesPageData
    meta: ListFilesPageMeta


class DeleteFileDataFile(TypedDict):
    id: int
    name: str


class DeleteFileData(TypedDict):
    deleted: Literal[True]
    file: DeleteFileDataFile


class ListFoldersPage(TypedDict):
    data: List[Folder]
    meta: PageMeta


class DeleteFolderDataFolder(TypedDict):
    id: int
    name: str


class DeleteFolderDataDestroyed(TypedDict):
    files: int
    subfolders: int


class DeleteFolderData(TypedDict):
    deleted: Literal[True]
    folder: DeleteFolderDataFolder
    destroyed: DeleteFolderDataDestroyed


class ListEventsPage(TypedDict):
    data: List[Event]
    meta: PageMeta


class DeleteEventDataEvent(TypedDict):
    id: int
    name: str


class DeleteEventData(TypedDict):
    deleted: Literal[True]
    event: DeleteEventDataEvent


class ProjectWebhook(TypedDict):
    """A project was changed"""
    id: Union[str, int]
    """The ref of the record, or its number where it has none"""
    type: Literal["project.created", "project.updated", "project.deleted", "project.archived", "project.unarchived", "project.restored"]
    timestamp: str
    """When it changed"""
    company_id: int
    project_id: Optional[str]
    """The `prj-` ref"""
    parent_id: Union[str, int, None]
    """What the record is in or on"""
    parent_kind: Optional[str]
    """What `parent_id` names: `task_list`, `task`, `discussion` or `folder`"""
    actor: Optional[str]
    """Who made the change; null if the service did"""
    fields: Optional[List[str]]
    """The fields that an update changed"""
    data: Optional[Project]
    """The record as it was when the message was sent; null when it has been deleted or is larger than
    16 kB
    """


class TaskListWebhook(TypedDict):
    """A task list was changed"""
    id: Union[str, int]
    """The ref of the record, or its number where it has none"""
    type: Literal["task_list.created", "task_list.updated", "task_list.deleted"]
    timestamp: str
    """When it changed"""
    company_id: int
    project_id: Optional[str]
    """The `prj-` ref"""
    parent_id: Union[str, int, None]
    """What the record is in or on"""
    parent_kind: Optional[str]
    """What `parent_id` names: `task_list`, `task`, `discussion` or `folder`"""
    actor: Optional[str]
    """Who made the change; null if the service did"""
    fields: Optional[List[str]]
    """The fields that an update changed"""
    data: Optional[TaskList]
    """The record as it was when the message was sent; null when it has been deleted or is larger than
    16 kB
    """


class TaskWebhook(TypedDict):
    """A task was changed"""
    id: Union[str, int]
    """The ref of the record, or its number where it has none"""
    type: Literal["task.created", "task.updated", "task.deleted", "task.completed", "task.reopened", "task.moved"]
    timestamp: str
    """When it changed"""
    company_id: int
    project_id: Optional[str]
    """The `prj-` ref"""
    parent_id: Union[str, int, None]
    """What the record is in or on"""
    parent_kind: Optional[str]
    """What `parent_id` names: `task_list`, `task`, `discussion` or `folder`"""
    actor: Optional[str]
    """Who made the change; null if the service did"""
    fields: Optional[List[str]]
    """The fields that an update changed"""
    data: Optional[Task]
    """The record as it was when the message was sent; null when it has been deleted or is larger than
    16 kB
    """


class CommentWebhook(TypedDict):
    """A comment was changed"""
    id: Union[str, int]
    """The ref of the record, or its number where it has none"""
    type: Literal["comment.created", "comment.updated"]
    timestamp: str
    """When it changed"""
    company_id: int
    project_id: Optional[str]
    """The `prj-` ref"""
    parent_id: Union[str, int, None]
    """What the record is in or on"""
    parent_kind: Optional[str]
    """What `parent_id` names: `task_list`, `task`, `discussion` or `folder`"""
    actor: Optional[str]
    """Who made the change; null if the service did"""
    fields: Optional[List[str]]
    """The fields that an update changed"""
    data: Optional[Comment]
    """The record as it was when the message was sent; null when it has been deleted or is larger than
    16 kB
    """


class DiscussionWebhook(TypedDict):
    """A discussion was changed"""
    id: Union[str, int]
    """The ref of the record, or its number where it has none"""
    type: Literal["discussion.created", "discussion.updated", "discussion.deleted", "discussion.restored"]
    timestamp: str
    """When it changed"""
    company_id: int
    project_id: Optional[str]
    """The `prj-` ref"""
    parent_id: Union[str, int, None]
    """What the record is in or on"""
    parent_kind: Optional[str]
    """What `parent_id` names: `task_list`, `task`, `discussion` or `folder`"""
    actor: Optional[str]
    """Who made the change; null if the service did"""
    fields: Optional[List[str]]
    """The fields that an update changed"""
    data: Optional[Discussion]
    """The record as it was when the message was sent; null when it has been deleted or is larger than
    16 kB
    """


class FolderWebhook(TypedDict):
    """A folder was changed"""
    id: Union[str, int]
    """The ref of the record, or its number where it has none"""
    type: Literal["folder.created", "folder.updated", "folder.deleted", "folder.moved"]
    timestamp: str
    """When it changed"""
    company_id: int
    project_id: Optional[str]
    """The `prj-` ref"""
    parent_id: Union[str, int, None]
    """What the record is in or on"""
    parent_kind: Optional[str]
    """What `parent_id` names: `task_list`, `task`, `discussion` or `folder`"""
    actor: Optional[str]
    """Who made the change; null if the service did"""
    fields: Optional[List[str]]
    """The fields that an update changed"""
    data: Optional[Folder]
    """The record as it was when the message was sent; null when it has been deleted or is larger than
    16 kB
    """


class FileWebhook(TypedDict):
    """A file was changed"""
    id: Union[str, int]
    """The ref of the record, or its number where it has none"""
    type: Literal["file.created", "file.deleted", "file.scanned"]
    timestamp: str
    """When it changed"""
    company_id: int
    project_id: Optional[str]
    """The `prj-` ref"""
    parent_id: Union[str, int, None]
    """What the record is in or on"""
    parent_kind: Optional[str]
    """What `parent_id` names: `task_list`, `task`, `discussion` or `folder`"""
    actor: Optional[str]
    """Who made the change; null if the service did"""
    fields: Optional[List[str]]
    """The fields that an update changed"""
    data: Optional[StoredFile]
    """The record as it was when the message was sent; null when it has been deleted or is larger than
    16 kB
    """


class PingWebhook(TypedDict):
    """A test that somebody sent from the console"""
    id: Union[str, int]
    """The ref of the record, or its number where it has none"""
    type: Literal["ping"]
    timestamp: str
    """When it changed"""
    company_id: int
    project_id: Optional[str]
    """The `prj-` ref"""
    parent_id: Union[str, int, None]
    """What the record is in or on"""
    parent_kind: Optional[str]
    """What `parent_id` names: `task_list`, `task`, `discussion` or `folder`"""
    actor: Optional[str]
    """Who made the change; null if the service did"""
    fields: Optional[List[str]]
    """The fields that an update changed"""
    data: None


Webhook = Union[
    ProjectWebhook,
    TaskListWebhook,
    TaskWebhook,
    CommentWebhook,
    DiscussionWebhook,
    FolderWebhook,
    FileWebhook,
    PingWebhook,
]
"""A message that a webhook receives: its `type` tells which record `data` is."""
