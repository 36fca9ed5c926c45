import pg from 'pg'
import { fromTimestamp } from './instants.ts'

const { builtins } = pg.types

/** Both engines return the same values: big integers as numbers, dates as text, instants in the form the API answers with. */
pg.types.setTypeParser(builtins.INT8, Number)
pg.types.setTypeParser(builtins.DATE, text => text)
pg.types.setTypeParser(builtins.TIMESTAMPTZ, fromTimestamp)
