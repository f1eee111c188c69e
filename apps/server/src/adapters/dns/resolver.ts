/** What the world's name servers say of domains that are not ours. */
import { Resolver } from 'node:dns/promises'
import type { Settings } from '@wakestone/kit/settings'

const TIMEOUT_MS = 3_000
/** More is not read of any one name. */
const MOST_RECORDS = 50

/** `undefined`: nobody could say, which means neither that there is something nor that there is nothing. */
export type Answer<Value> = Value[] | undefined

export type DomainResolver = {
  texts(name: string): Promise<Answer<string>>
  /** Addresses, of both kinds. */
  addresses(name: string): Promise<Answer<string>>
  /** Where SRV records lead to, in lower case. */
  services(name: string): Promise<Answer<{ name: string; port: number }>>
}

/** There is surely nothing. */
const nothing = new Set(['ENOTFOUND', 'ENODATA'])

export function createDomainResolver({ DNS_RESOLVERS }: Pick<Settings, 'DNS_RESOLVERS'>): DomainResolver {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 })
  if (DNS_RESOLVERS.length > 0) resolver.setServers(DNS_RESOLVERS)

  async function ask<Value>(question: Promise<Value[]>): Promise<Answer<Value>> {
    try {
      return (await question).slice(0, MOST_RECORDS)
    } catch (error) {
      return nothing.has((error as NodeJS.ErrnoException).code ?? '') ? [] : undefined
    }
  }

  return {
    texts: async (name) => (await ask(resolver.resolveTxt(name)))?.map((parts) => parts.join('')),
    async addresses(name) {
      const [v4, v6] = await Promise.all([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))])
      const known = [...(v4 ?? []), ...(v6 ?? [])]
      return known.length === 0 && (v4 === undefined || v6 === undefined) ? undefined : known
    },
    services: async (name) =>
      (await ask(resolver.resolveSrv(name)))?.map((record) => ({
        name: record.name.toLowerCase().replace(/\.$/, ''),
        port: record.port,
      })),
  }
}
