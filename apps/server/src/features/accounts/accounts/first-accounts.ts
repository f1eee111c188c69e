/**
 * The accounts an installation begins with: the administrator and, outside production, a demo customer.
 */
import type { Context } from '#src/context.ts'
import type { Language } from '@wakestone/contract/primitives'
import { inTransaction } from '#src/db/client.ts'
import { hashPassword, isPasswordRight } from '#src/features/accounts/sign-in/service.ts'
import { changeUser, findUserByLogin, openAccount } from '#src/features/accounts/users/service.ts'

export const demoAccount = { username: 'demo', email: 'demo@wakestone.local' } as const

/** Whether this installation has a demo customer; never in production. */
export function hasDemoAccount({ settings }: Pick<Context, 'settings'>): boolean {
  return settings.NODE_ENV !== 'production' && (settings.DEMO ?? true)
}

export async function ensureAccounts(context: Context): Promise<void> {
  const { settings, secrets } = context
  const password = settings.ADMIN_PASSWORD ?? secrets.adminPassword
  await ensureAccount(context, {
    username: 'admin',
    email: settings.ADMIN_EMAIL.toLowerCase(),
    password,
    language: 'en',
    capabilities: { admin: true },
  })
  if (!hasDemoAccount(context)) return
  await ensureAccount(context, { ...demoAccount, password: secrets.demoPassword, language: 'en', capabilities: {} })
}

/**
 * Makes sure that an account of the operator's exists with this password: the administrator, the demo customer.
 * An existing one keeps everything but its password.
 */
async function ensureAccount(
  context: Context,
  account: {
    username: string
    email: string
    password: string
    language: Language
    capabilities: Record<string, boolean>
  },
): Promise<string> {
  const known = await findUserByLogin(context.db, account.email)
  if (known !== undefined && (await isPasswordRight(known.password_hash, account.password))) return known.id
  const passwordHash = await hashPassword(account.password)
  return inTransaction(context.db, async (trx) => {
    if (known !== undefined) {
      await changeUser(trx, known.id, { password_hash: passwordHash })
      return known.id
    }
    const user = await openAccount(trx, {
      ...account,
      passwordHash,
      countryCode: context.settings.DEFAULT_COUNTRY,
      newsletter: false,
      emailVerified: true,
    })
    return user.id
  })
}
