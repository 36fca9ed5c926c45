// Written by "npm run openapi" from openapi.json: change the declarations, not this file.

import type { Method, Options, Pages, PostOptions, Versioned } from './methods.ts'
import type { Account, ListedProject, Project, Member, TaskList, Task, Comment, Discussion, Folder, StoredFile, Event, ListChangesQuery, SearchQuery, ListProjectsQuery, CreateProjectBody, GetProjectQuery, UpdateProjectBody, UpsertProjectBody, ListTaskListsQuery, CreateTaskListBody, UpdateTaskListBody, UpsertTaskListBody, ListCompanyTasksQuery, ListProjectTasksQuery, ListTasksQuery, CreateTaskBody, CreateTasksBody, GetTaskQuery, UpdateTaskBody, UpsertTaskBody, MoveTaskBody, SetTaskTimeBody, ChangeTasksBody, ListTaskListCommentsQuery, CreateTaskListCommentBody, UpdateTaskListCommentBody, ListTaskCommentsQuery, CreateTaskCommentBody, UpdateTaskCommentBody, ListDiscussionCommentsQuery, CreateDiscussionCommentBody, UpdateDiscussionCommentBody, ListDiscussionsQuery, CreateDiscussionBody, UpdateDiscussionBody, UpsertDiscussionBody, ListFilesQuery, UploadFileBody, CreateLinkBody, ListFoldersQuery, CreateFolderBody, UpdateFolderBody, ListEventsQuery, CreateEventBody, GetEventQuery, UpdateEventBody, Endpoints } from './types.ts'

export const PREFIX = '/api/v1'

export interface Resources {
  /** Show the key, its company and its creator */
  me(options?: Options): Promise<Account>
  /** Search by name */
  search(query?: SearchQuery, options?: Options): Promise<Endpoints['search']['answer']['data']>
  company: {
    /** Follow what changes in the company */
    changes(query?: ListChangesQuery, options?: Options): Promise<Endpoints['listChanges']['answer']>
    /** List the tasks of the company */
    tasks(query?: ListCompanyTasksQuery, options?: Options): Pages<Task, Endpoints['listCompanyTasks']['answer']>
    /** Change several tasks */
    changeTasks(body: ChangeTasksBody, options?: PostOptions): Promise<Task[]>
  }
  projects: {
    /** List projects */
    list(query?: ListProjectsQuery, options?: Options): Pages<ListedProject, Endpoints['listProjects']['answer']>
    /** Create a project */
    create(body: CreateProjectBody, options?: PostOptions): Promise<Project>
    /** Get a project */
    get(project: string | number, query?: GetProjectQuery, options?: Options): Promise<Project>
    /** Update a project */
    update(project: string | number, body: UpdateProjectBody, options?: Options & Versioned): Promise<Project>
    /** Delete a project */
    delete(project: string | number, options?: Options & Versioned): Promise<Endpoints['deleteProject']['answer']['data']>
    /** Create or update a project by its external id */
    upsert(external_id: string | number, body: UpsertProjectBody, options?: PostOptions & Versioned): Promise<Project>
    /** Archive a project */
    archive(project: string | number, options?: PostOptions & Versioned): Promise<Project>
    /** Unarchive a project */
    unarchive(project: string | number, options?: PostOptions & Versioned): Promise<Project>
    /** List the people of a project */
    members(project: string | number, options?: Options): Promise<Member[]>
    /** List the task lists of a project */
    lists(project: string | number, query?: ListTaskListsQuery, options?: Options): Pages<TaskList, Endpoints['listTaskLists']['answer']>
    /** Create a task list */
    createList(project: string | number, body: CreateTaskListBody, options?: PostOptions): Promise<TaskList>
    /** Create or update a task list by its external id */
    upsertList(project: string | number, external_id: string | number, body: UpsertTaskListBody, options?: PostOptions & Versioned): Promise<TaskList>
    /** List the tasks of a project */
    tasks(project: string | number, query?: ListProjectTasksQuery, options?: Options): Pages<Task, Endpoints['listProjectTasks']['answer']>
    /** List the discussions of a project */
    discussions(project: string | number, query?: ListDiscussionsQuery, options?: Options): Pages<Discussion, Endpoints['listDiscussions']['answer']>
    /** Start a discussion */
    createDiscussion(project: string | number, body: CreateDiscussionBody, options?: PostOptions): Promise<Discussion>
    /** Create or update a discussion by its external id */
    upsertDiscussion(project: string | number, external_id: string | number, body: UpsertDiscussionBody, options?: PostOptions & Versioned): Promise<Discussion>
    /** Browse the files and folders of one level */
    files(project: string | number, query?: ListFilesQuery, options?: Options): Pages<StoredFile, Endpoints['listFiles']['answer']>
    /** Upload a file */
    uploadFile(project: string | number, body: UploadFileBody, options?: PostOptions): Promise<StoredFile>
    /** Add a link to a file elsewhere */
    createLink(project: string | number, body: CreateLinkBody, options?: PostOptions): Promise<StoredFile>
    /** Get a file */
    getFile(project: string | number, file: string | number, options?: Options): Promise<StoredFile>
    /** Download a file */
    downloadFile(project: string | number, file: string | number, options?: Options): Promise<Blob>
    /** List the folders of one level */
    folders(project: string | number, query?: ListFoldersQuery, options?: Options): Pages<Folder, Endpoints['listFolders']['answer']>
    /** Create a folder */
    createFolder(project: string | number, body: CreateFolderBody, options?: PostOptions): Promise<Folder>
    /** Get a folder */
    getFolder(project: string | number, folder: string | number, options?: Options): Promise<Folder>
    /** Rename, describe or move a folder */
    updateFolder(project: string | number, folder: string | number, body: UpdateFolderBody, options?: Options & Versioned): Promise<Folder>
    /** Delete a folder */
    deleteFolder(project: string | number, folder: string | number, options?: Options & Versioned): Promise<Endpoints['deleteFolder']['answer']['data']>
  }
  lists: {
    /** Get a task list */
    get(list: string | number, options?: Options): Promise<TaskList>
    /** Update a task list */
    update(list: string | number, body: UpdateTaskListBody, options?: Options & Versioned): Promise<TaskList>
    /** Delete a task list */
    delete(list: string | number, options?: Options & Versioned): Promise<Endpoints['deleteTaskList']['answer']['data']>
    /** List the tasks of a task list */
    tasks(list: string | number, query?: ListTasksQuery, options?: Options): Pages<Task, Endpoints['listTasks']['answer']>
    /** Create a task */
    createTask(list: string | number, body: CreateTaskBody, options?: PostOptions): Promise<Task>
    /** Create several tasks */
    createTasks(list: string | number, body: CreateTasksBody, options?: PostOptions): Promise<Task[]>
    /** Create or update a task by its external id */
    upsertTask(list: string | number, external_id: string | number, body: UpsertTaskBody, options?: PostOptions & Versioned): Promise<Task>
    /** List the comments on a task list */
    comments(list: string | number, query?: ListTaskListCommentsQuery, options?: Options): Pages<Comment, Endpoints['listTaskListComments']['answer']>
    /** Comment on a task list */
    createComment(list: string | number, body: CreateTaskListCommentBody, options?: PostOptions): Promise<Comment>
    /** Get a comment on a task list */
    getComment(list: string | number, comment: string | number, options?: Options): Promise<Comment>
    /** Edit a comment on a task list */
    updateComment(list: string | number, comment: string | number, body: UpdateTaskListCommentBody, options?: Options & Versioned): Promise<Comment>
  }
  tasks: {
    /** Get a task */
    get(task: string | number, query?: GetTaskQuery, options?: Options): Promise<Task>
    /** Update a task */
    update(task: string | number, body: UpdateTaskBody, options?: Options & Versioned): Promise<Task>
    /** Delete a task */
    delete(task: string | number, options?: Options & Versioned): Promise<Endpoints['deleteTask']['answer']['data']>
    /** Complete a task */
    complete(task: string | number, options?: PostOptions & Versioned): Promise<Task>
    /** Reopen a task */
    reopen(task: string | number, options?: PostOptions & Versioned): Promise<Task>
    /** Move a task to another list */
    move(task: string | number, body: MoveTaskBody, options?: PostOptions & Versioned): Promise<Task>
    /** Record the time spent on a task */
    setTime(task: string | number, body: SetTaskTimeBody, options?: PostOptions & Versioned): Promise<Task>
    /** List the comments on a task */
    comments(task: string | number, query?: ListTaskCommentsQuery, options?: Options): Pages<Comment, Endpoints['listTaskComments']['answer']>
    /** Comment on a task */
    createComment(task: string | number, body: CreateTaskCommentBody, options?: PostOptions): Promise<Comment>
    /** Get a comment on a task */
    getComment(task: string | number, comment: string | number, options?: Options): Promise<Comment>
    /** Edit a comment on a task */
    updateComment(task: string | number, comment: string | number, body: UpdateTaskCommentBody, options?: Options & Versioned): Promise<Comment>
  }
  discussions: {
    /** List the comments on a discussion */
    comments(discussion: string | number, query?: ListDiscussionCommentsQuery, options?: Options): Pages<Comment, Endpoints['listDiscussionComments']['answer']>
    /** Reply to a discussion */
    createComment(discussion: string | number, body: CreateDiscussionCommentBody, options?: PostOptions): Promise<Comment>
    /** Get a comment on a discussion */
    getComment(discussion: string | number, comment: string | number, options?: Options): Promise<Comment>
    /** Edit a comment on a discussion */
    updateComment(discussion: string | number, comment: string | number, body: UpdateDiscussionCommentBody, options?: Options & Versioned): Promise<Comment>
    /** Get a discussion */
    get(discussion: string | number, options?: Options): Promise<Discussion>
    /** Update a discussion */
    update(discussion: string | number, body: UpdateDiscussionBody, options?: Options & Versioned): Promise<Discussion>
    /** Delete a discussion */
    delete(discussion: string | number, options?: Options & Versioned): Promise<Endpoints['deleteDiscussion']['answer']['data']>
  }
  files: {
    /** Delete a file */
    delete(file: string | number, options?: Options & Versioned): Promise<Endpoints['deleteFile']['answer']['data']>
  }
  events: {
    /** List events */
    list(query?: ListEventsQuery, options?: Options): Pages<Event, Endpoints['listEvents']['answer']>
    /** Create an event */
    create(body: CreateEventBody, options?: PostOptions): Promise<Event>
    /** Get an event */
    get(event: string | number, query?: GetEventQuery, options?: Options): Promise<Event>
    /** Update an event */
    update(event: string | number, body: UpdateEventBody, options?: Options & Versioned): Promise<Event>
    /** Delete an event */
    delete(event: string | number, options?: Options & Versioned): Promise<Endpoints['deleteEvent']['answer']['data']>
  }
}

/** Of each method: the HTTP method, the address, what it takes besides the handles in the address, and what it gives. */
export const METHODS: Record<string, Method | Record<string, Method>> = {
  me: ['GET', '/me', '', 'data'],
  search: ['GET', '/search', 'query', 'data'],
  company: {
    changes: ['GET', '/company/changes', 'query', 'answer'],
    tasks: ['GET', '/company/tasks', 'query', 'pages'],
    changeTasks: ['POST', '/company/tasks/batch', 'body', 'data'],
  },
  projects: {
    list: ['GET', '/projects', 'query', 'pages'],
    create: ['POST', '/projects', 'body', 'data'],
    get: ['GET', '/projects/{project}', 'query', 'data'],
    update: ['PATCH', '/projects/{project}', 'body', 'data'],
    delete: ['DELETE', '/projects/{project}', '', 'data'],
    upsert: ['PUT', '/projects/ext:{external_id}', 'body', 'data'],
    archive: ['POST', '/projects/{project}/archive', '', 'data'],
    unarchive: ['POST', '/projects/{project}/unarchive', '', 'data'],
    members: ['GET', '/projects/{project}/members', '', 'data'],
    lists: ['GET', '/projects/{project}/lists', 'query', 'pages'],
    createList: ['POST', '/projects/{project}/lists', 'body', 'data'],
    upsertList: ['PUT', '/projects/{project}/lists/ext:{external_id}', 'body', 'data'],
    tasks: ['GET', '/projects/{project}/tasks', 'query', 'pages'],
    discussions: ['GET', '/projects/{project}/discussions', 'query', 'pages'],
    createDiscussion: ['POST', '/projects/{project}/discussions', 'body', 'data'],
    upsertDiscussion: ['PUT', '/projects/{project}/discussions/ext:{external_id}', 'body', 'data'],
    files: ['GET', '/projects/{project}/files', 'query', 'pages'],
    uploadFile: ['POST', '/projects/{project}/files', 'body', 'data'],
    createLink: ['POST', '/projects/{project}/links', 'body', 'data'],
    getFile: ['GET', '/projects/{project}/files/{file}', '', 'data'],
    downloadFile: ['GET', '/projects/{project}/files/{file}/download', '', 'bytes'],
    folders: ['GET', '/projects/{project}/folders', 'query', 'pages'],
    createFolder: ['POST', '/projects/{project}/folders', 'body', 'data'],
    getFolder: ['GET', '/projects/{project}/folders/{folder}', '', 'data'],
    updateFolder: ['PATCH', '/projects/{project}/folders/{folder}', 'body', 'data'],
    deleteFolder: ['DELETE', '/projects/{project}/folders/{folder}', '', 'data'],
  },
  lists: {
    get: ['GET', '/lists/{list}', '', 'data'],
    update: ['PATCH', '/lists/{list}', 'body', 'data'],
    delete: ['DELETE', '/lists/{list}', '', 'data'],
    tasks: ['GET', '/lists/{list}/tasks', 'query', 'pages'],
    createTask: ['POST', '/lists/{list}/tasks', 'body', 'data'],
    createTasks: ['POST', '/lists/{list}/tasks/batch', 'body', 'data'],
    upsertTask: ['PUT', '/lists/{list}/tasks/ext:{external_id}', 'body', 'data'],
    comments: ['GET', '/lists/{list}/comments', 'query', 'pages'],
    createComment: ['POST', '/lists/{list}/comments', 'body', 'data'],
    getComment: ['GET', '/lists/{list}/comments/{comment}', '', 'data'],
    updateComment: ['PATCH', '/lists/{list}/comments/{comment}', 'body', 'data'],
  },
  tasks: {
    get: ['GET', '/tasks/{task}', 'query', 'data'],
    update: ['PATCH', '/tasks/{task}', 'body', 'data'],
    delete: ['DELETE', '/tasks/{task}', '', 'data'],
    complete: ['POST', '/tasks/{task}/complete', '', 'data'],
    reopen: ['POST', '/tasks/{task}/incomplete', '', 'data'],
    move: ['POST', '/tasks/{task}/move', 'body', 'data'],
    setTime: ['POST', '/tasks/{task}/time', 'body', 'data'],
    comments: ['GET', '/tasks/{task}/comments', 'query', 'pages'],
    createComment: ['POST', '/tasks/{task}/comments', 'body', 'data'],
    getComment: ['GET', '/tasks/{task}/comments/{comment}', '', 'data'],
    updateComment: ['PATCH', '/tasks/{task}/comments/{comment}', 'body', 'data'],
  },
  discussions: {
    comments: ['GET', '/discussions/{discussion}/comments', 'query', 'pages'],
    createComment: ['POST', '/discussions/{discussion}/comments', 'body', 'data'],
    getComment: ['GET', '/discussions/{discussion}/comments/{comment}', '', 'data'],
    updateComment: ['PATCH', '/discussions/{discussion}/comments/{comment}', 'body', 'data'],
    get: ['GET', '/discussions/{discussion}', '', 'data'],
    update: ['PATCH', '/discussions/{discussion}', 'body', 'data'],
    delete: ['DELETE', '/discussions/{discussion}', '', 'data'],
  },
  files: {
    delete: ['DELETE', '/files/{file}', '', 'data'],
  },
  events: {
    list: ['GET', '/events', 'query', 'pages'],
    create: ['POST', '/events', 'body', 'data'],
    get: ['GET', '/events/{event}', 'query', 'data'],
    update: ['PATCH', '/events/{event}', 'body', 'data'],
    delete: ['DELETE', '/events/{event}', '', 'data'],
  },
}
