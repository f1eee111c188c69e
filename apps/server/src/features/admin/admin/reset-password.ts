/** A new password for an administrator who cannot sign in any more, by whoever has the machine. */
import { type Db, inTransaction } from '#src/db/client.ts'
import { renewPassword } from '#src/features/accounts/sign-in/service.ts'
import { findUser, type UserRow } from '#src/features/accounts/users/service.ts'
import { findAdministratorIds } from '#src/features/ground/notifications/service.ts'

/**
 * All of the account's sessions end; a second factor stays asked for.
 * @param login user name or e-mail address; may be left out where one person administers.
 * @throws Error that names the administrators, when it is not clear who is meant.
 */
export async function resetAdministratorPassword(
  db: Db,
  login: string | undefined,
): Promise<{ email: string; password: string }> {
  return inTransaction(db, async (trx) => {
    const found = await Promise.all((await findAdministratorIds(trx)).map((id) => findUser(trx, id)))
    const administrators = found.filter((user) => user !== undefined)
    const meant = login === undefined ? administrators : administrators.filter((user) => isCalled(user, login))
    const [user, another] = meant
    if (user === undefined || another !== undefined) {
      const names = administrators.map(({ username, email }) => `${username} (${email})`).join(', ')
      throw new Error(`${login === undefined ? 'Say whose' : `${login} is no administrator`}; there are: ${names}`)
    }
    return { email: user.email, password: await renewPassword(trx, user) }
  })
}

function isCalled({ username, email }: UserRow, login: string): boolean {
  return [username, email].some((name) => name.toLowerCase() === login.trim().toLowerCase())
}
