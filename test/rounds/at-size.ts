import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectedRows, type Generated, generate } from '../../cli/src/local/generated-data.ts'
import { findHits } from '../../src/api/search/hits.ts'
import { readQuery } from '../../src/api/search/ranks.ts'
import { sampleNames } from '../../src/api/search/samples.ts'
import type { Db } from '../../src/db/db.ts'
import { createMint } from '../../src/domain/access/credentials.ts'
import { addKey } from '../../src/domain/access/keyring.ts'
import { everythingIn } from '../../src/domain/access/sight.ts'
import { searchName } from '../../src/lib/search-name.ts'
import { slugify } from '../../src/lib/slug.ts'
import { SERVER_SECRET, useOwnApp } from '../support/app.ts'
import type { Engine } from '../support/database.ts'
import type { Client } from '../support/diwan.ts'
import { rowsReadBy } from '../support/rows-read.ts'
import { expectedHits } from '../support/search-model.ts'
import { doStep } from '../support/upkeep.ts'

/** What must hold at any size: a few thousand tasks in a test, many in a trial. */
export function describeAtSize(size: { tasks: number; companies: number }, engine?: Engine): void {
  const app = useOwnApp({ engine, poolSize: 2 })
  let generated: Generated
  let api: Client
  let catalogBefore: string

  /** The indexes, constraints and triggers of the table that is loaded in bulk. */
  async function catalogOfTasks(): Promise<string> {
    const { rows } = await app.database.pool.query(
      `select indexdef as what from pg_indexes where tablename = 'tasks'
     union all select conname::text || pg_get_constraintdef(oid) from pg_constraint where conrelid = 'tasks'::regclass
     union all select tgname::text || tgenabled::text from pg_trigger where tgrelid = 'tasks'::regclass and not tgisinternal order by 1`,
    )
    return JSON.stringify(rows)
  }

  beforeAll(async () => {
    catalogBefore = await catalogOfTasks()
    generated = await generate(app.database.db, size, () => {})
    await app.database.pool.query('vacuum analyze')
    const { companyId, ownerId } = generated
    api = app.diwan.api(
      await addKey(
        app.database.db,
        { company_id: companyId, name: 'Test', created_by: ownerId },
        createMint(SERVER_SECRET, false),
      ),
    )
  }, 600_000)

  const column = async (query: Sql) => (await app.database.db.many<{ value: unknown }>(query)).map(row => row.value)

  describe('The generator', () => {
    it('writes as many rows as it says, and leaves the table as it was: indexes, keys and triggers', async () => {
      expect(generated.rows).toBe(expectedRows(size))
      expect(await catalogOfTasks()).toBe(catalogBefore)
    })

    it('counts what it writes', async () => {
      await doStep(app, 'count_changes')
      const wrong = await column(sql`
      select l.id as value from task_lists l left join tasks t on t.company_id = l.company_id and t.task_list_id = l.id
      group by l.company_id, l.id
      having l.counted_tasks <> count(t.id) or l.counted_completed_tasks <> count(t.completed_at)`)
      expect(wrong).toEqual([])
      const wrongProjects = await column(sql`
      select p.id as value from projects p
      where (counted_tasks, counted_completed_tasks) <> (
          select count(*), count(completed_at) from tasks t where t.company_id = p.company_id and t.project_id = p.id)
         or counted_task_lists <> (select count(*) from task_lists l where l.company_id = p.company_id and l.project_id = p.id)`)
      expect(wrongProjects).toEqual([])
    })

    it('gives the slugs that the API would give', async () => {
      const rows = await app.database.db.many<{ title: string; slug: string }>(
        sql`select title, slug from tasks order by id limit 400`,
      )
      for (const { title, slug } of rows) expect(slug).toBe(slugify(title))
    })

    it('makes the same names every time, whatever was there before', async () => {
      const titles = () =>
        column(sql`select ref || ' ' || title as value from tasks where company_id = (
        select max(id) from companies where name = 'A large company') order by id limit 500`)
      const first = await titles()
      await generate(app.database.db, { tasks: 1_000, companies: 1 }, () => {})
      expect(await titles()).toEqual(first)
    })

    it('gives no id a second time that a deleted record had', async () => {
      const [last] = await column(sql`select max(id) as value from folders`)
      await app.database.pool.query(`select setval(pg_get_serial_sequence('folders', 'id'), $1)`, [Number(last) + 500])
      await generate(app.database.db, { tasks: 1_000, companies: 0 }, () => {})
      expect(await column(sql`select min(id) as value from folders where id > ${last}`)).toEqual([Number(last) + 501])
    })

    it('leaves a company that works like any other', async () => {
      const { body } = await api.get('/projects?limit=1')
      expect(body.meta.total).toBe(size.tasks / 1_000)
      const lists = await api.get(`/projects/${body.data[0].id}/lists`)
      const list = lists.body.data[0].id
      const created = await api.post(`/lists/${list}/tasks`, { title: 'One more' })
      expect(created.status).toBe(201)
      expect((await api.get(`/lists/${list}/tasks?limit=1`)).body.meta.total).toBe(101)
      expect((await api.get('/search?q=one+more')).body.data.results).toMatchObject([{ title: 'One more' }])
    })
  })

  const spelled = (query: string) => ({ query: readQuery(searchName(query)), typed: query })

  const arrayOf = (values: unknown[]) =>
    `{${values.map(value => (value === null ? 'null' : JSON.stringify(String(value))))}}`

  /** The plans of the statements that a search for tasks runs, made as the server makes them: one plan for all values. */
  async function plansOf(query: string): Promise<string> {
    const plans: string[] = []
    const { companyId } = generated
    // The embedded database has only one connection, so this must be read before the connection is taken.
    const samples = await sampleNames(app.database.db, companyId)
    const client = await app.database.pool.connect()
    const explaining: Pick<Db, 'many'> = {
      async many<T>({ text, values }: Sql) {
        await client.query(`prepare explained as ${text}`)
        const literals = values.map(value => pg.escapeLiteral(Array.isArray(value) ? arrayOf(value) : String(value)))
        const { rows } = await client.query(`explain execute explained(${literals})`)
        await client.query('deallocate explained')
        plans.push(rows.map(row => row['QUERY PLAN']).join('\n'))
        return (await client.query({ text, values: values as unknown[] })).rows as T[]
      },
    }
    try {
      await findHits(explaining as Db, ['task'], {
        viewer: everythingIn(companyId),
        ...spelled(query),
        limit: 16,
        scan: 1_200,
        enough: 5,
        samples,
      })
    } finally {
      client.release()
    }
    return plans.join('\n')
  }

  describe('A search at size', () => {
    it.each([
      ['a rare word', 'Lavgud'],
      ['a rare Arabic word', 'قدكصق'],
      ['no match', 'Zanzibar'],
      ['no Arabic match', 'زنجبار'],
      ['several words', 'deliver lavgud'],
      ['a rare word with an article', 'والقدكصق'],
      ['two letters with an article', 'القط'],
      ['no match with an article', 'الزنجبار'],
      ['no match of a name with عبد', 'وعبدالقدوس'],
      ['several words with articles', 'والمكتب بالقدكصق'],
    ])('is served by the trigrams of the company: %s', async (_, query) => {
      const plan = await plansOf(query)
      expect(plan).toMatch(/Bitmap Index Scan on tasks_search_words/)
      expect(plan).toMatch(/Index Cond: .*search_name ~~ \$\d+.*company_id\)::text = \$\d+/)
    })

    it.each([
      ['a common word', 'the'],
      ['a common Arabic word', 'مشروع'],
    ])('is served by the newest records, and by the order of names: %s', async (_, query) => {
      const plan = await plansOf(query)
      expect(plan).toMatch(/Index Scan Backward using tasks_pkey/)
      expect(plan).toMatch(/tasks_search_beginning/)
      expect(plan).not.toMatch(/tasks_search_words/)
    })

    // Chance decides whether the sample has names and words that begin with it, and so how the search looks for those.
    it.each(['r', 'ر'])('is served by the newest records: one letter, %s', async letter => {
      expect(await plansOf(letter)).toMatch(/Index Scan Backward using tasks_pkey/)
    })

    it.each([
      'Lavgud',
      'Zanzibar',
      'the',
      'مشروع',
      'r',
      'qz',
      'deliver the',
      'والمشروع',
      'القط',
      'العقد المكتب',
      'بعقودهم',
      'مشروغ',
      'Zanzibra',
    ])('never reads through a whole table: %s', async query => {
      expect(await plansOf(query)).not.toMatch(/Seq Scan on tasks/)
    })

    it('finds the same as a look at every name, in the same order', async () => {
      const rows = await app.database.db.many<{ ref: string; title: string }>(
        sql`select ref, title from tasks where company_id = ${generated.companyId} order by id`,
      )
      for (const query of [
        'the',
        'review',
        'contract',
        'مشروع',
        'الرياض',
        'lav',
        'with 7',
        'er',
        'ف',
        'x',
        '99',
        'deliver the',
        'المشروع',
        'والمكتب',
        'للتقرير الرياض',
        'العقد والرياض بالمشروع',
        'الحب',
        'عبدالله',
        'العقود',
        'بمكاتبهم',
        'وللتقارير',
        'مشروغ',
        'reveiw',
        'contarct',
      ]) {
        const expected = expectedHits(rows, query, 25)
          .slice(0, 25)
          .map(({ ref }) => ref)
        const { body } = await api.get(`/search?types=task&per_type=25&q=${encodeURIComponent(query)}`)
        expect([query, ...body.data.results.map((hit: { id: string }) => hit.id)]).toEqual([query, ...expected])
      }
    })
  })

  describe('A search for a frequent word and a rare one', () => {
    it.each([
      ['that has other forms', 'the الزنجبارات'],
      ['that has other forms, as another has too', 'للمشاريع الزنجبارات'],
      ['of two letters and an article', 'the القظ'],
      ['of digits', 'the 0509876543'],
    ])('%s does not read what has the frequent one', async (_, query) => {
      const search = () => api.get(`/search?types=task&q=${encodeURIComponent(query)}`)
      // The first one takes a sample.
      await search()
      const { rows } = await rowsReadBy(app.database, search)
      expect(rows).toBeLessThan(500)
    })
  })

  describe('The statements of a search', () => {
    it('have a bounded number of texts, whatever is asked for', async () => {
      const texts = new Set<string>()
      const listening: Pick<Db, 'many'> = {
        many(query) {
          texts.add(query.text)
          return app.database.db.many(query)
        },
      }
      const samples = await sampleNames(app.database.db, generated.companyId)
      const ask = async (words: string[]) => {
        for (let count = 1; count <= words.length; count++) {
          const wanted = {
            viewer: everythingIn(generated.companyId),
            ...spelled(words.slice(0, count).join(' ')),
            scan: 400,
            enough: 5,
          }
          for (const limit of [2, 26]) await findHits(listening as Db, ['task'], { ...wanted, limit, samples })
        }
      }
      const plain = 'مشروع مكتب في عقد الرياض 7 تقرير'.split(' ')
      const prefixed = 'والمشروع بالمكتب القط للعقد عبدالله والرياض فالتقرير'.split(' ')
      for (let n = 0; n < 7; n++) {
        const turned = [...plain.slice(n), ...plain.slice(0, n)]
        await ask(turned)
        await ask(turned.map((word, m) => (m % 2 === n % 2 ? word : (prefixed[m] as string))))
        await ask([...prefixed.slice(n), ...prefixed.slice(0, n)])
      }
      // A query has one to four words, or more: as written, or with other spellings, for which the index serves what one to
      // four words have in common, or two to six alternatives of one word, alone or each with another word. For each there is a look
      // backwards and one by index at each of eight ranks, and one at all records for each of the three worst.
      expect(texts.size).toBeLessThan((5 + 5 * (4 + 2 * 5)) * (2 * 8 + 3))
    })
  })

  describe('An old record', () => {
    it.each([
      ['its bare word', 'خطة ظغصضم', 'والظغصضم'],
      ['its two bare letters', 'خطة ظغ', 'الظغ'],
      ['two letters with another prefix', 'خطة للظغ', 'والظغ'],
      ['its parts written together', 'عبد الظغصض', 'عبدالظغصض'],
      ['an emoji', '🔥', '🔥'],
      ['an emoji that it begins with', '🔥 launch', '🔥'],
      ['a word of a script with vowel signs', 'हिन्दीकहानी किताब', 'कहानी'],
      ['the beginning of a word', 'خطة ظ', 'ظ'],
      ['its whole long name', `${'ﷺ'.repeat(250)} end`, `${'ﷺ'.repeat(250)} end`],
    ])('is found by %s', async (_, title, query) => {
      const { rows } = await app.database.pool.query(
        `update tasks set title = $1 where company_id = $2 and id = (select min(id) from tasks where company_id = $2) returning ref`,
        [title, generated.companyId],
      )
      const { body } = await api.get(`/search?types=task&per_type=25&q=${encodeURIComponent(query)}`)
      expect(body.data.results.map((hit: { id: string }) => hit.id)).toContain(rows[0].ref)
    })
  })

  describe('A slug at size', () => {
    it('is looked up within its parent', async () => {
      const { rows } = await app.database.pool.query(
        `explain select record_id from taken_slugs
       where company_id = $1 and kind = 'task' and parent_id = $2 and slug = $3`,
        [generated.companyId, 1, 'x'],
      )
      expect(JSON.stringify(rows)).toMatch(/tasks_slug.*Index Cond: [^"]*slug = [^"]*task_list_id \+ 0\) = /)
    })
  })
}
