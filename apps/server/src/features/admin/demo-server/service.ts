/** The server that visitors of a demo can join. It is created once, on an installation without any servers. */
import type { Context } from '#src/context.ts'
import type { EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { lockName } from '#src/db/lock-name.ts'
import { hasDemoAccount } from '#src/features/accounts/accounts/service.ts'
import { findUser } from '#src/features/accounts/users/service.ts'
import { findAdministratorIds } from '#src/features/ground/notifications/service.ts'
import { listWalletsOf } from '#src/features/money/wallets/service.ts'
import { bringServer } from '#src/features/sales/orders/service.ts'
import { listServerProducts } from '#src/features/sales/products/service.ts'
import { localClusterId, requireOpenCluster } from '#src/features/servers/clusters/service.ts'
import { requestReconcile, wantRunning } from '#src/features/servers/servers/service.ts'
import { changeFlagBy } from '#src/features/site/flags/service.ts'
import { hasAnyServer } from './repo.ts'

/** Needs no internet and starts within seconds. */
const engine = 'flying-squid'
/** Sleeps when nobody plays; unlike FREE, it wakes without a queue. */
const plan = 'GRASS'
const label = 'try-me'
const years = 10 * 365 * 86_400_000

type Deps = Pick<Context, 'db' | 'boss' | 'settings'> & { engines: EngineCatalogue }

/** @returns its address; undefined if none is wanted or there are servers already */
export async function makeDemoServer(deps: Deps, now = new Date()): Promise<string | undefined> {
  const { db, settings, engines } = deps
  if (!hasDemoAccount(deps) || !(settings.DEMO_SERVER ?? true) || (await hasAnyServer(db))) return undefined
  const product = (await listServerProducts(db)).find(({ id }) => id === plan)
  const offered = (await engines.listEngines()).find(({ id }) => id === engine)
  if (product === undefined || offered === undefined) return undefined
  const version = offered.latest
  const { players } = product.parameters
  const installed = await engines.resolveEngine({ engine, version, serverName: 'Try me', players })
  const made = await inTransaction(db, async (trx) => {
    await lockName(trx, 'demo server')
    const owner = await findOwner(trx)
    if (owner === undefined || (await hasAnyServer(trx))) return undefined
    const cluster = await requireOpenCluster(trx, localClusterId, { admin: true })
    const { serverId, fqdn } = await bringServer(deps, trx, {
      ownerId: owner.id,
      name: 'Try me',
      engine,
      engineVersion: version,
      language: 'en',
      product,
      cluster,
      plan: installed,
      wallet: owner.wallet,
      expires: new Date(now.getTime() + years),
      limits: {},
      subdomain: label,
      disabled: false,
    })
    await wantRunning(trx, serverId)
    await requestReconcile(deps.boss, trx, serverId)
    return { owner, fqdn }
  })
  if (made === undefined) return undefined
  const { owner, fqdn } = made
  const change = { enabled: true, value: fqdn.split('.')[0] ?? label }
  await changeFlagBy(deps, { userId: owner.id, username: owner.username }, { key: 'demo-server', change })
  return fqdn
}

async function findOwner(trx: Transaction) {
  const [id] = await findAdministratorIds(trx)
  const user = id === undefined ? undefined : await findUser(trx, id)
  if (user === undefined) return undefined
  const wallet = (await listWalletsOf(trx, user.id)).find(({ currency }) => currency === 'PLN')
  return wallet && { id: user.id, username: user.username, wallet }
}
