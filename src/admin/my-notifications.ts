import sql, { empty } from 'sql-template-tag'
import Type from 'typebox'
import { countUnread, isForViewer } from '../domain/people/seen-notifications.ts'
import { page } from '../http/answers/pagination.ts'
import { Collection, Id, Instant, Nullable, Paging, Single } from '../http/answers/schema.ts'
import { descending } from '../http/requests/order.ts'
import { exampleSubject, Subject } from './activity.ts'
import { RECORDS_OF_COMPANY, viewerOf } from './admission.ts'
import { adminEndpoint } from './gate.ts'
import { NotificationKind } from './vocabulary.ts'

const MyNotification = Type.Object(
  {
    id: Id(),
    created_at: Instant(),
    kind: NotificationKind(),
    subject: Subject,
    project_id: Nullable(Type.String({ description: 'The `prj-` ref; null for what is in no project' })),
    actor: Type.String({ description: 'Who did it' }),
    read_at: Nullable(Instant()),
  },
  {
    title: 'MyNotification',
    examples: [
      {
        id: 8,
        created_at: '2026-11-15T08:30:00.000Z',
        kind: 'discussion_created',
        subject: exampleSubject,
        project_id: 'prj-4k7q2m9x0c',
        actor: 'Layla Haddad',
        read_at: null,
      },
    ],
  },
)

export const listMyNotifications = adminEndpoint({
  name: 'list_my_notifications',
  since: '1.7.0',
  operation: 'notifications:read',
  who: 'people',
  summary: 'Read your notifications',
  description: 'Newest first, about what you can see.',
  method: 'GET',
  at: [`${RECORDS_OF_COMPANY}/me/notifications`],
  query: Type.Object({
    unread: Type.Optional(Type.Boolean({ description: '`true`: only those you have not read' })),
    ...Paging,
  }),
  returns: Collection(MyNotification),
  run: call =>
    page(call.db, call.query, {
      columns: sql`n.id, n.created_at, w.kind, n.read_at, p.ref as project_id,
        json_build_object('type', w.subject_type, 'id', w.subject_id, 'title', w.subject_title) as subject,
        (select u.name from users u where u.company_id = w.company_id and u.id = w.actor_id) as actor`,
      from: sql`notifications n join notices w on w.company_id = n.company_id and w.id = n.notice_id
        left join projects p on p.company_id = w.company_id and p.id = w.project_id
        where ${isForViewer(viewerOf(call))} ${call.query.unread ? sql`and n.read_at is null` : empty}`,
      order: [descending(sql`n.id`)],
    }),
})

export const readMyNotifications = adminEndpoint({
  name: 'read_my_notifications',
  since: '1.7.0',
  operation: 'notifications:write',
  who: 'people',
  summary: 'Mark notifications as read',
  description: 'All of yours up to this one, which is included. Doing it again changes nothing.',
  method: 'POST',
  at: [`${RECORDS_OF_COMPANY}/me/notifications/read`],
  body: Type.Object({ up_to: Id({ description: 'The id of a notification' }) }, { examples: [{ up_to: 8 }] }),
  returns: Single(
    Type.Object(
      { unread_notifications: Type.Integer({ description: 'How many are left' }) },
      { title: 'Unread', examples: [{ unread_notifications: 0 }] },
    ),
  ),
  async run(call) {
    const { db, body } = call
    const viewer = viewerOf(call)
    await db.run(sql`
      update notifications set read_at = now()
      where company_id = ${viewer.company.id} and user_id = ${viewer.signer.id} and id <= ${body.up_to} and read_at is null`)
    return { data: { unread_notifications: await countUnread(db, viewer) } }
  },
})
