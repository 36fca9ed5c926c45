import { getAccount } from './account.ts'
import { listChanges } from './changes.ts'
import {
  createDiscussionComment,
  createTaskComment,
  createTaskListComment,
  getDiscussionComment,
  getTaskComment,
  getTaskListComment,
  listDiscussionComments,
  listTaskComments,
  listTaskListComments,
  updateDiscussionComment,
  updateTaskComment,
  updateTaskListComment,
} from './comments.ts'
import { listCompanyTasks, listProjectTasks } from './company-tasks.ts'
import {
  createDiscussion,
  deleteDiscussion,
  getDiscussion,
  listDiscussions,
  updateDiscussion,
  upsertDiscussion,
} from './discussions.ts'
import { downloadFile } from './downloads.ts'
import { createEvent, deleteEvent, getEvent, listEvents, updateEvent } from './events.ts'
import { deleteFile, getFile, listFiles } from './files.ts'
import { createFolder, deleteFolder, getFolder, listFolders, updateFolder } from './folders.ts'
import { listMembers } from './members.ts'
import {
  archiveProject,
  createProject,
  deleteProject,
  getProject,
  listProjects,
  unarchiveProject,
  updateProject,
  upsertProject,
} from './projects.ts'
import { search } from './search.ts'
import { completeTask, moveTask, reopenTask, setTaskTime } from './task-actions.ts'
import { createTasks } from './task-batches.ts'
import { changeTasks } from './task-changes.ts'
import {
  createTaskList,
  deleteTaskList,
  getTaskList,
  listTaskLists,
  updateTaskList,
  upsertTaskList,
} from './task-lists.ts'
import { createTask, deleteTask, getTask, listTasks, updateTask, upsertTask } from './tasks.ts'
import { createLink, uploadFile } from './uploads.ts'

/** The public API, in the order in which its description lists it. */
export const apiEndpoints = [
  getAccount,
  listChanges,
  search,
  listProjects,
  createProject,
  getProject,
  updateProject,
  upsertProject,
  deleteProject,
  archiveProject,
  unarchiveProject,
  listMembers,
  listTaskLists,
  createTaskList,
  getTaskList,
  updateTaskList,
  upsertTaskList,
  deleteTaskList,
  listCompanyTasks,
  listProjectTasks,
  listTasks,
  createTask,
  createTasks,
  getTask,
  updateTask,
  upsertTask,
  deleteTask,
  completeTask,
  reopenTask,
  moveTask,
  setTaskTime,
  changeTasks,
  listTaskListComments,
  createTaskListComment,
  getTaskListComment,
  updateTaskListComment,
  listTaskComments,
  createTaskComment,
  getTaskComment,
  updateTaskComment,
  listDiscussionComments,
  createDiscussionComment,
  getDiscussionComment,
  updateDiscussionComment,
  listDiscussions,
  createDiscussion,
  getDiscussion,
  updateDiscussion,
  upsertDiscussion,
  deleteDiscussion,
  listFiles,
  uploadFile,
  createLink,
  getFile,
  downloadFile,
  deleteFile,
  listFolders,
  createFolder,
  getFolder,
  updateFolder,
  deleteFolder,
  listEvents,
  createEvent,
  getEvent,
  updateEvent,
  deleteEvent,
]
