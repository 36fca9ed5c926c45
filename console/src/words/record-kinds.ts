// Written by `npm run openapi` from src/domain/records/records.ts. Change the words there, not here.

import type { RecordedChange, SearchResult } from '../api/types.ts'
import { words } from './language.ts'

type RecordKind = RecordedChange['kind'] | SearchResult['type']

/** The kinds of records, one of them and several. */
export const useRecordKinds = words<Record<RecordKind, { one: string; several: string }>>({
  en: {
    project: { one: 'Project', several: 'Projects' },
    task_list: { one: 'Task list', several: 'Task lists' },
    task: { one: 'Task', several: 'Tasks' },
    comment: { one: 'Comment', several: 'Comments' },
    discussion: { one: 'Discussion', several: 'Discussions' },
    folder: { one: 'Folder', several: 'Folders' },
    file: { one: 'File', several: 'Files' },
  },
  ar: {
    project: { one: 'مشروع', several: 'المشاريع' },
    task_list: { one: 'قائمة مهام', several: 'قوائم المهام' },
    task: { one: 'مهمة', several: 'المهام' },
    comment: { one: 'تعليق', several: 'التعليقات' },
    discussion: { one: 'نقاش', several: 'النقاشات' },
    folder: { one: 'مجلد', several: 'المجلدات' },
    file: { one: 'ملف', several: 'الملفات' },
  },
})
