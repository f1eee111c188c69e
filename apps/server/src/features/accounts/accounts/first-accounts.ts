/**
 * The accounts an installation begins with: the administrator and, outside production, a demo customer.
 */
import type { Context } from '#src/context.ts'
import { ensureAccount } from './service.ts'

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
