/** Gives an administrator of the database of `DATABASE_URL` a new password and prints it: `admin-password.ts [login]`. */
import { readSettingsOrExit } from '@wakestone/kit/settings'
import '#src/listeners.ts'
import { openDatabase } from '#src/db/client.ts'
import { resetAdministratorPassword } from '#src/features/admin/admin/service.ts'

const { DATABASE_URL } = readSettingsOrExit(process.env)
if (DATABASE_URL === undefined) {
  console.error('DATABASE_URL takes a postgres:// address')
  process.exit(2)
}
const database = openDatabase({ url: DATABASE_URL, onError: (error) => console.error(error.message) })
try {
  const { email, password } = await resetAdministratorPassword(database.db, process.argv[2])
  console.log(`${email}  ${password}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await database.close()
}
