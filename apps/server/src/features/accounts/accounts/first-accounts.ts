/**
 * The accounts an installation begins with: the administrator and, outside production, a demo customer. They are made
 * once; from then on they are their owners', and no start changes anything about them.
 */
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { lockName } from '#src/db/lock-name.ts'
import { hashPassword, isPasswordRight } from '#src/features/accounts/sign-in/service.ts'
import {
  findUser,
  findUserByLogin,
  isUsernameTaken,
  openAccount,
  type UserRow,
} from '#src/features/accounts/users/service.ts'
import { findAdministratorIds } from '#src/features/ground/notifications/service.ts'

export const demoAccount = { username: 'demo', email: 'demo@wakestone.local' } as const

/** An account as a start tells of it. */
type FirstAccount = { email: string; hasFirstPassword: boolean }
export type FirstAccounts = { administrator: FirstAccount; demo: FirstAccount | undefined }

/** Something that only the operator can decide: the product does not start. */
export class AccountConflict extends Error {}

/** Whether this installation has a demo customer; never in production. */
export function hasDemoAccount({ settings }: Pick<Context, 'settings'>): boolean {
  return settings.NODE_ENV !== 'production' && (settings.DEMO ?? true)
}

/** @throws AccountConflict when nobody administers, and ADMIN_EMAIL belongs to a customer. */
export async function ensureAccounts(context: Context): Promise<FirstAccounts> {
  const { settings, secrets } = context
  const [administrator, demo] = await inTransaction(context.db, async (trx) => {
    await lockName(trx, 'first accounts') // several APIs may start at once
    return [
      await ensureAdministrator(context, trx, await findAdministratorIds(trx)),
      hasDemoAccount(context) ? await ensureDemoCustomer(context, trx) : undefined,
    ]
  })
  return {
    administrator: await describe(administrator, settings.ADMIN_PASSWORD ?? secrets.adminPassword),
    demo: demo && (await describe(demo, secrets.demoPassword)),
  }
}

/** Whoever administers counts, whatever ADMIN_EMAIL says by now. */
async function ensureAdministrator(
  { settings, secrets }: Context,
  trx: Transaction,
  administratorIds: string[],
): Promise<UserRow> {
  const email = settings.ADMIN_EMAIL.toLowerCase()
  const administrators = await Promise.all(administratorIds.toSorted().map((id) => findUser(trx, id)))
  const known = administrators.find((user) => user?.email.toLowerCase() === email) ?? administrators[0]
  if (known !== undefined) return known
  if ((await findUserByLogin(trx, email)) !== undefined) {
    throw new AccountConflict(
      `Nobody administers this installation, and ADMIN_EMAIL (${email}) belongs to a customer: ` +
        'set ADMIN_EMAIL to an address without an account, and an administrator is made for it',
    )
  }
  return makeAccount(trx, settings, {
    username: 'admin',
    email,
    password: settings.ADMIN_PASSWORD ?? secrets.adminPassword,
    capabilities: { admin: true },
  })
}

async function ensureDemoCustomer({ settings, secrets }: Context, trx: Transaction): Promise<UserRow> {
  const known = await findUserByLogin(trx, demoAccount.email)
  if (known !== undefined) return known
  return makeAccount(trx, settings, {
    ...demoAccount,
    password: secrets.demoPassword,
    capabilities: { 'marketplace.project-create': true, 'user.craftum': true },
  })
}

async function makeAccount(
  trx: Transaction,
  settings: Context['settings'],
  account: { username: string; email: string; password: string; capabilities: Record<string, boolean> },
): Promise<UserRow> {
  const { username, password, ...rest } = account
  return openAccount(trx, {
    ...rest,
    ...((await isUsernameTaken(trx, username)) ? {} : { username }),
    passwordHash: await hashPassword(password),
    language: 'en',
    countryCode: settings.DEFAULT_COUNTRY,
    newsletter: false,
    emailVerified: true,
  })
}

const describe = async ({ email, password_hash }: UserRow, firstPassword: string): Promise<FirstAccount> => ({
  email,
  hasFirstPassword: await isPasswordRight(password_hash, firstPassword),
})
