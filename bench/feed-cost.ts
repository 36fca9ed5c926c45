import { measureCost } from './cost.ts'

// Measures what the feed of changes costs a write: one server and one database, with and without the triggers of the feed in
// turn, so that anything else that changes on the machine affects both alike.

const TRIGGERS = ['tasks_record_created', 'tasks_record_changed', 'tasks_record_deleted']

await measureCost({ name: 'feed', what: 'the feed' }, async ({ admin, serve }) => {
  const port = await serve('diwan')
  const setFeed = async (isOn: boolean) => {
    const state = isOn ? 'enable' : 'disable'
    for (const trigger of TRIGGERS) await admin.query(`alter table tasks ${state} trigger ${trigger}`)
  }
  return {
    async prepare(variant) {
      await setFeed(variant === 'with')
      return port
    },
    end: () => setFeed(true),
  }
})
