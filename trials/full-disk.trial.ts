import { describe, expect, it } from 'vitest'
import { expectNothingLostOn } from '../test/rounds/full-disks.ts'
import { describeWith } from '../test/support/describe-with.ts'
import { canMount, mountSmallDisk } from '../test/support/mounts.ts'
import { newFolder, OPERATOR_TOKEN, SERVER_SECRET, serve, withoutJobs } from '../test/support/server-process.ts'
import { startPostgres } from '../test/support/servers.ts'
import { rounds, tell } from '../test/support/trial.ts'

const FILLS = rounds(2, 20)
/** Room for what is taken in all rounds, beside the database and its log. */
const MEGABYTES = 250 + 40 * FILLS

const isPossible = canMount(() => mountSmallDisk(1))
if (!isPossible) console.log('Not tried: a full disk. It takes the right to mount one (root).')

const told = ({ taken, refused, longestMs }: Awaited<ReturnType<typeof expectNothingLostOn>>) => ({
  fills: FILLS,
  taken,
  refused,
  'longest until it served again in ms': longestMs,
})

describe.skipIf(!isPossible)('A disk that fills and is freed', () => {
  it(`loses nothing that the embedded database has taken, and is served from again, ${FILLS} times`, async () => {
    const disk = mountSmallDisk(MEGABYTES)
    const env = withoutJobs(disk)
    const figures = await expectNothingLostOn({ disk, start: () => serve(env), revive: async () => {} }, FILLS)
    tell('full-disk, embedded', told(figures))
    expect(figures.refused).toBeGreaterThan(0)
  })

  describeWith('postgres', 'of PostgreSQL', paths =>
    it(`the same holds, ${FILLS} times`, async () => {
      const disk = mountSmallDisk(MEGABYTES)
      const settings = ['synchronous_commit=on', 'min_wal_size=32MB', 'max_wal_size=64MB', 'checkpoint_timeout=30s']
      const postgres = await startPostgres(paths.postgres, undefined, { place: disk, settings })
      const env = {
        DATA_DIR: newFolder(),
        DATABASE_URL: postgres.url,
        SERVER_SECRET,
        OPERATOR_TOKEN,
        BURST_PER_MINUTE: '0',
        WORKER: 'off',
      }
      const figures = await expectNothingLostOn(
        { disk, start: () => serve(env), revive: () => postgres.resume() },
        FILLS,
      )
      tell('full-disk, PostgreSQL', told(figures))
      expect(figures.refused).toBeGreaterThan(0)
      await postgres.stop()
    }),
  )
})
