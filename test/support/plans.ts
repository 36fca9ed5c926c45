import pg from 'pg'

/** A part of a plan that was run, as far as tests look into it. */
export interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** As the server plans: once for all values. */
export async function planOf(pool: pg.Pool, { text, values }: { text: string; values: unknown[] }): Promise<Plan> {
  const client = await pool.connect()
  try {
    await client.query('set plan_cache_mode = force_generic_plan')
    await client.query(`prepare explained as ${text}`)
    const given = values.map(value => pg.escapeLiteral(String(value))).join(', ')
    const { rows } = await client.query(`explain (analyze, format json) execute explained(${given})`)
    await client.query('deallocate explained')
    return rows[0]['QUERY PLAN'][0].Plan
  } finally {
    client.release()
  }
}
