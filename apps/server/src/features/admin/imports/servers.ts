/** Servers of panels: each with the plan that is nearest, its limits, its people and its schedules; none is started. */
import { DomainError } from '@wakestone/contract/errors'
import { type EngineId, gameOfEngine } from '@wakestone/contract/servers/server'
import { engineIds } from '@wakestone/contract/servers/engine-ids'
import type { SetLimits } from '@wakestone/contract/servers/parameters'
import { serverNameSchema } from '@wakestone/contract/validation'
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { Engine } from '#src/adapters/engines/engine.ts'
import { shareAsBefore } from '#src/features/accounts/sharing/service.ts'
import { listWalletsOf } from '#src/features/money/wallets/service.ts'
import { bringServer } from '#src/features/sales/orders/service.ts'
import { isOnSale, listServerProducts, type ProductRow } from '#src/features/sales/products/service.ts'
import { type ClusterRow, requireAllWays, requireOpenCluster } from '#src/features/servers/clusters/service.ts'
import { addSchedule } from '#src/features/servers/schedules/service.ts'
import type { AccountIds } from './accounts.ts'
import { chooseEngine, offeredVersion, versionOf } from './eggs.ts'
import type { FoundServer } from './model.ts'
import { limitsBeside, nearestPlan } from './plans.ts'
import type { Line } from './report.ts'
import { capabilitiesFor } from './rights.ts'
import { convertSchedule } from './schedules.ts'
import { readInstalledVersion } from './source-files.ts'
import { outcomeOf, type Work } from './work.ts'

type Place = { cluster: ClusterRow; plans: ProductRow[]; engines: ReadonlyMap<string, Engine> }
type Decided = {
  engine: EngineId
  version: string
  plan: InstallPlan
  product: ProductRow
  limits: SetLimits
  name: string
  notes: string[]
}

/** One per customer only, and it sleeps away from who has paid elsewhere. */
const freeProduct = 'FREE'
const dayMilliseconds = 86_400_000
const isEngine = (id: string): id is EngineId => (engineIds as readonly string[]).includes(id)

/** @throws DomainError `cluster_not_found`, `cluster_is_disabled`; `product_not_available` where nothing can be rented */
export async function bringServers(work: Work, found: readonly FoundServer[], ids: AccountIds): Promise<void> {
  if (found.length === 0) return
  const place = await findPlace(work)
  const expires = new Date(Date.now() + work.options.days * dayMilliseconds)
  for (const [index, server] of found.entries()) {
    work.lines.push(await bringOne(work, server, { place, ids, expires }))
    if ((index + 1) % 50 === 0) work.say(`${index + 1} of ${found.length} servers looked at`)
  }
}

async function findPlace({ context, options }: Work): Promise<Place> {
  const cluster = await requireOpenCluster(context.db, options.cluster, { admin: true })
  const products = await listServerProducts(context.db)
  const plans = products.filter(
    ({ id, prices, ...product }) =>
      id !== freeProduct &&
      isOnSale(product) &&
      (options.plan === undefined || id === options.plan) &&
      prices.some((price) => price.cluster_id === cluster.id && price.currency === options.currency),
  )
  if (plans.length === 0) throw new DomainError('product_not_available', { resource: 'billing_product' })
  const engines = await context.engines.listEngines()
  return { cluster, plans, engines: new Map(engines.map((engine) => [engine.id, engine])) }
}

async function bringOne(
  work: Work,
  server: FoundServer,
  { place, ids, expires }: { place: Place; ids: AccountIds; expires: Date },
): Promise<Line> {
  const line = { kind: 'server', key: server.key, name: server.name, notes: [] as string[] } as const
  const addresses = (now: string | null) => ({ before: server.addresses, now })
  const before = work.known('server', server.key)
  if (before !== undefined) {
    const { address = null } = before.details as { address?: string }
    return { ...line, outcome: outcomeOf(before, server.row), id: before.made, addresses: addresses(address) }
  }
  const leftOut = (reason: string): Line => ({ ...line, outcome: 'left out', reason, addresses: addresses(null) })
  const { accountKey } = server
  if (accountKey === undefined || !ids.has(accountKey)) return leftOut('its owner did not come along')
  const decided = await decide(work, server, place)
  if ('reason' in decided) return leftOut(decided.reason)
  const shares = sharesOf(server, ids)
  const schedules = server.schedules.map(
    (schedule) => [schedule.name, convertSchedule(schedule, work.options.timeZone)] as const,
  )
  const notes = [...server.notes, ...decided.notes, ...shares.notes]
  for (const [name, schedule] of schedules) {
    if ('reason' in schedule) notes.push(`its schedule ${name} is left out: ${schedule.reason}`)
    else if (!schedule.enabled) notes.push(`its schedule ${name} is switched off`)
  }
  if (server.isSuspended) notes.push('is suspended there, and disabled here')
  if (work.options.isDryRun) return { ...line, notes, outcome: 'made', addresses: addresses(null) }

  const ownerId = ids.get(accountKey)
  if (ownerId === undefined) throw new Error('a server of nobody')
  const made = await work.bring({ kind: 'server', key: server.key, row: server.row }, async (trx) => {
    const wallets = await listWalletsOf(trx, ownerId)
    const wallet = wallets.find(({ currency }) => currency === work.options.currency)
    if (wallet === undefined) throw new Error('an account without a wallet')
    const { serverId, serviceId, fqdn, bedrockPort } = await bringServer(work.context, trx, {
      ownerId,
      name: decided.name,
      engine: decided.engine,
      engineVersion: decided.version,
      language: 'en',
      product: decided.product,
      cluster: place.cluster,
      plan: decided.plan,
      wallet,
      expires,
      limits: decided.limits,
      subdomain: subdomainOf(server.name),
      disabled: server.isSuspended,
    })
    for (const { userId, capabilities } of shares.grants)
      if (userId !== ownerId) await shareAsBefore(trx, { serverId, userId, capabilities })
    for (const [, schedule] of schedules) if (!('reason' in schedule)) await addSchedule(trx, serverId, schedule)
    const address = bedrockPort === null ? fqdn : `${fqdn}:${bedrockPort}`
    return { id: serverId, details: { serviceId, expires, address }, address }
  })
  return { ...line, notes, outcome: 'made', id: made.id, addresses: addresses(made.address) }
}

/** What it is to be, or why it cannot come. */
async function decide(work: Work, server: FoundServer, place: Place): Promise<Decided | { reason: string }> {
  const { options, context } = work
  const choice = chooseEngine(server.egg, options.eggs, isEngine)
  if ('reason' in choice) return choice
  const engine = place.engines.get(choice.engine)
  if (engine === undefined) return { reason: `${choice.engine} cannot be had here now` }
  const wanted =
    choice.version ?? versionOf(server.variables) ?? (await readInstalledVersion(options.files, server.uuid))
  const version = wanted === undefined ? engine.latest : offeredVersion(engine.versions, wanted)
  if (version === undefined)
    return { reason: `${engine.name} ${wanted} is not offered here; name another version with --eggs` }
  const product = nearestPlan(place.plans, server.memory)
  if (product === undefined) return { reason: 'there is no plan for it' }
  const { limits, notes } = limitsBeside(product, server)
  const name = nameOf(server.name)
  if (name !== server.name) notes.push(`is called ${name} here`)
  if (wanted === undefined) notes.push(`has the newest version there; here ${engine.name} ${version}`)
  if (product.id !== undefined) notes.push(`plan ${product.id}`)
  try {
    if (gameOfEngine[choice.engine] === 'minecraft-bedrock') requireAllWays(place.cluster)
    const players = product.parameters.players
    const plan = await context.engines.resolveEngine({ engine: choice.engine, version, serverName: name, players })
    return { engine: choice.engine, version, plan, product, limits, name, notes }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { reason: `${engine.name} ${version} cannot be had now (${error.code}); run the import again later` }
  }
}

function sharesOf({ sharedWith }: FoundServer, ids: AccountIds) {
  const notes: string[] = []
  const grants: { userId: string; capabilities: ReturnType<typeof capabilitiesFor> }[] = []
  for (const { accountKey, permissions } of sharedWith) {
    const capabilities = capabilitiesFor(permissions)
    const userId = ids.get(accountKey)
    if (!ids.has(accountKey)) notes.push('somebody it is shared with did not come along')
    else if (capabilities.length === 0)
      notes.push('somebody it is shared with may do nothing there that is a right of its own here')
    else {
      if (!capabilities.includes('server.manage'))
        notes.push(`is shared with ${capabilities.length} right${capabilities.length === 1 ? '' : 's'} of somebody’s`)
      if (userId !== undefined) grants.push({ userId, capabilities })
    }
  }
  return { grants, notes }
}

const mostLetters = 32

/** A name that servers can have, as near as can be. */
export function nameOf(text: string): string {
  let clean = ''
  for (const letter of text
    .toWellFormed()
    .replace(/\p{C}+/gu, ' ')
    .trim()) {
    if (clean.length + letter.length > mostLetters) break
    clean += letter
  }
  clean = clean.trim()
  const name = clean.length < 3 ? `Server ${clean}`.trim() : clean
  return serverNameSchema.parse(name)
}

/** A name for players to type. */
export const subdomainOf = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/ł/g, 'l')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^-+|-+$/g, '')
