/** How many plugins a server may have, and which packages: as its plan has it, or as an administrator has set for it. */
import type { PackageRules } from '@wakestone/contract/servers/packages'
import type { Context } from '#src/context.ts'
import type { Handle } from '#src/db/client.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import { findPackageRules } from './repo.ts'

export type Rules = PackageRules & { mayHave(name: string): boolean; isRefused(name: string): boolean }

type Deps = { db: Handle; settings: Context['settings'] }

export async function findRules({ db, settings }: Deps, server: Pick<ServerRow, 'id' | 'product_id'>): Promise<Rules> {
  const own = await findPackageRules(db, server.id)
  const rules = {
    max_plugins: own === undefined ? (settings.MAX_PLUGINS[server.product_id] ?? null) : own.max_plugins,
    blacklisted_packages: [...new Set([...settings.BLACKLISTED_PACKAGES, ...(own?.blacklisted_packages ?? [])])],
    allowed_packages: own?.allowed_packages ?? null,
  }
  const refused = new Set(rules.blacklisted_packages)
  const allowed = rules.allowed_packages === null ? null : new Set(rules.allowed_packages)
  const isRefused = (name: string) => refused.has(name)
  return { ...rules, isRefused, mayHave: (name) => !refused.has(name) && (allowed === null || allowed.has(name)) }
}
