import sql from 'sql-template-tag'
import Type from 'typebox'
import { followed } from '../domain/people/discussion-followers.ts'
import { isForViewer } from '../domain/people/seen-notifications.ts'
import { page } from '../http/answers/pagination.ts'
import { Collection, Id, Instant, Nullable, Paging } from '../http/answers/schema.ts'
import { ascending, descending } from '../http/requests/order.ts'
import { viewerOf } from './admission.ts'
import { adminEndpoint, isLeader } from './gate.ts'
import { PersonInBrief, personInBrief } from './person.ts'
import { NotificationKind, SubjectType, TimelineKind } from './vocabulary.ts'

export const Subject = Type.Object({
  type: SubjectType(),
  id: Type.String({ description: 'The ref of the record' }),
  title: Type.String({ description: 'As it was then' }),
})

export const exampleSubject = { type: 'discussion', id: 'mjl-3w8h1k6tzp', title: 'موعد الانتقال' }
const examplePerson = { id: 2, name: 'يوسف المنصور', email: 'yusuf@example.com' }
const exampleTime = '2026-11-15T08:30:00.000Z'

const TimelineEntry = Type.Object(
  {
    id: Id(),
    created_at: Instant(),
    kind: TimelineKind(),
    project: Type.Object({ id: Type.String(), name: Type.String() }),
    subject: Subject,
    actor: Type.String(),
  },
  {
    title: 'TimelineEntry',
    examples: [
      {
        id: 4,
        created_at: exampleTime,
        kind: 'discussion_created',
        project: { id: 'prj-4k7q2m9x0c', name: 'Riyadh office move' },
        subject: exampleSubject,
        actor: 'Layla Haddad',
      },
    ],
  },
)

export const listTimeline = adminEndpoint({
  name: 'list_timeline_entries',
  since: '1.3.0',
  operation: 'timeline:read',
  who: 'leaders',
  summary: 'Read the timeline',
  description: 'Newest first.',
  method: 'GET',
  at: ['/companies/:company/timeline'],
  query: Type.Object(Paging),
  returns: Collection(TimelineEntry),
  run: ({ db, companyId, query }) =>
    page(db, query, {
      columns: sql`t.id, t.created_at, t.kind, json_build_object('id', p.ref, 'name', p.name) as project,
        json_build_object('type', t.subject_type, 'id', t.subject_id, 'title', t.subject_title) as subject, u.name as actor`,
      from: sql`timeline_entries t
        join projects p on p.company_id = t.company_id and p.id = t.project_id
        join users u on u.company_id = t.company_id and u.id = t.actor_id
        where t.company_id = ${companyId}`,
      order: [descending(sql`t.id`)],
    }),
})

const Notification = Type.Object(
  {
    id: Id(),
    created_at: Instant(),
    kind: NotificationKind(),
    user: PersonInBrief,
    subject: Subject,
    emailed_at: Nullable(Instant()),
    read_at: Nullable(Instant({ description: 'When the person marked it as read' })),
  },
  {
    title: 'Notification',
    examples: [
      {
        id: 8,
        created_at: exampleTime,
        kind: 'discussion_created',
        user: examplePerson,
        subject: exampleSubject,
        emailed_at: null,
        read_at: null,
      },
    ],
  },
)

export const listNotifications = adminEndpoint({
  name: 'list_notifications',
  since: '1.3.0',
  operation: 'notifications:read',
  who: 'everyone',
  summary: 'Read notifications',
  description: 'Newest first. Members see their own; owners, managers and the operator see everyone’s.',
  method: 'GET',
  at: ['/companies/:company/notifications'],
  query: Type.Object(Paging),
  returns: Collection(Notification),
  run: ({ db, companyId, by, query }) =>
    page(db, query, {
      columns: sql`n.id, n.created_at, w.kind, ${personInBrief} as user, n.emailed_at, n.read_at,
        json_build_object('type', w.subject_type, 'id', w.subject_id, 'title', w.subject_title) as subject`,
      from: sql`notifications n where ${by === 'operator' || isLeader(by) ? sql`n.company_id = ${companyId}` : isForViewer(viewerOf({ by, companyId }))}`,
      joined: {
        as: sql`n`,
        to: sql`join notices w on w.company_id = n.company_id and w.id = n.notice_id
          join users u on u.company_id = n.company_id and u.id = n.user_id`,
      },
      order: [descending(sql`n.id`)],
    }),
})

const Subscription = Type.Object(
  { created_at: Instant(), user: PersonInBrief, subject: Subject },
  { title: 'Subscription', examples: [{ created_at: exampleTime, user: examplePerson, subject: exampleSubject }] },
)

export const listSubscriptions = adminEndpoint({
  name: 'list_subscriptions',
  since: '1.3.0',
  operation: 'subscriptions:read',
  who: 'leaders',
  summary: 'Read who follows which discussion',
  description: 'Newest first. Who no longer sees a project follows nothing in it.',
  method: 'GET',
  at: ['/companies/:company/subscriptions'],
  query: Type.Object(Paging),
  returns: Collection(Subscription),
  run: ({ db, companyId, query }) =>
    page(db, query, {
      columns: sql`s.created_at, ${personInBrief} as user, json_build_object('type', 'discussion', 'id', d.ref, 'title', d.title) as subject`,
      from: followed(companyId),
      order: [descending(sql`s.discussion_id`), ascending(sql`s.user_id`)],
    }),
})
