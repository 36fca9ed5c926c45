import pg from 'pg'

/** A node of an executed query plan: only the fields that tests look at. */
export interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Plans a statement as the server does: a generic plan for all values. */
export async function planOf(pool: pg.Pool, { text, values }: { text: string; values: unknown[] }): Promise<Plan> {
  const client = await pool.connect()
  try {
    await client.query('set plan_cache_mode = force_generic_plan')
    await client.query(`prepare explained as ${text}`)
    const given = values.map(literal).join(', ')
    const { rows } = await client.query(`explain (analyze, format json) execute explained(${given})`)
    await client.query('deallocate explained')
    return rows[0]['QUERY PLAN'][0].Plan
  } finally {
    client.release()
  }
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.map(each => JSON.stringify(each))}}` : String(value))
}
