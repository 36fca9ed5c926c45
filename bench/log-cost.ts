import { measureCost } from './cost.ts'

// Measures what the log of requests costs a write: two servers on one database in turn, one of them without the log.

await measureCost({ name: 'log', what: 'the log of requests' }, async ({ admin, serve }) => {
  const ports = {
    with: await serve('with the log'),
    without: await serve('without', ['--import', './bench/without-request-log.js']),
  }
  return {
    prepare: async variant => ports[variant],
    async end() {
      const { rows } = await admin.query('select count(*) as logged from requests')
      process.stdout.write(`The log has ${rows[0].logged} entries.\n`)
    },
  }
})
