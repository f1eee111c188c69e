/** Brings the database of `DATABASE_URL` to the present shape. */
import { readSettingsOrExit } from '@wakestone/kit/settings'
import { migrate } from '#src/db/migrate.ts'

const { DATABASE_URL, DATABASE_DIRECT_URL } = readSettingsOrExit(process.env)
if (DATABASE_URL === undefined) {
  console.error('DATABASE_URL takes a postgres:// address')
  process.exit(2)
}
const applied = await migrate(DATABASE_DIRECT_URL ?? DATABASE_URL)
console.log(applied.length === 0 ? 'the database is up to date' : applied.map((name) => `applied ${name}`).join('\n'))
