/** What is being ordered, as the address holds it: leaving for a top-up and coming back loses nothing. */
import { type BillingPeriod, billingPeriods } from '@wakestone/contract/primitives'
import type { Product } from '@wakestone/contract/sales/product'
import { type Cluster, type EngineId, engineIds, type gamesSchema } from '@wakestone/contract/servers/server'
import { subdomainFromName } from '@wakestone/contract/validation'
import type { Wallet } from '@wakestone/contract/money/wallet'
import type { z } from 'zod'
import { type PeriodSaving, savingsOf } from '#app/features/servers/period-savings.ts'

type Engine = z.infer<typeof gamesSchema>[number]['engines'][number]

export type Draft = {
  product: string | null
  period: BillingPeriod | null
  wallet: string | null
  /** Decides on a wallet while none is chosen: the currency in which prices were compared. */
  currency: string | null
  name: string
  /** Null = follows the name. */
  subdomain: string | null
  cluster: string | null
  engine: EngineId | null
  version: string | null
  /** Code of a voucher. */
  voucher: string | null
}

const keys = [
  'product',
  'period',
  'wallet',
  'currency',
  'name',
  'subdomain',
  'cluster',
  'engine',
  'version',
  'voucher',
] as const

/** Reads a draft out of the address. What no such thing can be is left out; what no longer exists is replaced later. */
export function readDraft(search: URLSearchParams): Draft {
  return {
    product: search.get('product'),
    period: billingPeriods.find((period) => period === search.get('period')) ?? null,
    wallet: search.get('wallet'),
    currency: search.get('currency'),
    name: (search.get('name') ?? '').slice(0, 64),
    subdomain: search.get('subdomain'),
    cluster: search.get('cluster'),
    engine: engineIds.find((engine) => engine === search.get('engine')) ?? null,
    version: search.get('version'),
    voucher: search.get('voucher')?.slice(0, 64) ?? null,
  }
}

/** The draft as a query, without what is not chosen. Other parameters of `base` stay. */
export function writeDraft(draft: Draft, base: URLSearchParams): string {
  const search = new URLSearchParams(base)
  for (const key of keys) {
    const value = draft[key]
    if (value === null || value === '') search.delete(key)
    else search.set(key, value)
  }
  return search.toString()
}

/** Plans that a server can be rented with, cheapest first. */
export function basePlans(products: readonly Product[]): Product[] {
  return products
    .filter(
      (product) =>
        product.visible &&
        product.type === 'GAME_SERVER' &&
        product.depends_on_products.length === 0 &&
        product.prices.length > 0,
    )
    .toSorted((a, b) => Math.min(...Object.values(a.pricePerHour)) - Math.min(...Object.values(b.pricePerHour)))
}

export type Catalogue = {
  plans: readonly Product[]
  wallets: readonly Wallet[]
  clusters: readonly Cluster[]
  engines: readonly Engine[]
}
export type Choice = {
  plan: Product | undefined
  /** A plan that costs nothing: no time or wallet to choose, and an address that is generated. */
  isFree: boolean
  wallet: Wallet | undefined
  cluster: Cluster | undefined
  periods: PeriodSaving[]
  period: BillingPeriod | undefined
  engine: Engine | undefined
  /** What was asked for and is not to be had now, where another engine stands in for it. */
  missingEngine: EngineId | undefined
  version: string | undefined
  subdomain: string
}

/** Fills a draft up with what is usual and replaces what is not to be had. */
export function completeDraft(draft: Draft, { plans, wallets, clusters, engines }: Catalogue): Choice {
  const open = plans.filter((plan) => plan.available)
  const plan =
    open.find((candidate) => candidate.id === draft.product) ??
    open.find((candidate) => candidate.id === 'GRASS') ??
    open[0]
  const isFree = plan?.id === 'FREE'
  const wallet =
    wallets.find((candidate) => candidate.id === draft.wallet) ??
    wallets.find((candidate) => candidate.currency === draft.currency) ??
    wallets.toSorted((a, b) => b.balance.amount - a.balance.amount)[0]
  const priced = clusters.filter(
    (cluster) => !cluster.disabled && plan?.prices.some((price) => price.cluster_id === cluster.id),
  )
  const cluster = priced.find((candidate) => candidate.id === draft.cluster) ?? priced[0]
  const periods = periodsOf(plan, cluster?.id, wallet?.currency)
  const wantedPeriod = isFree ? undefined : periods.find((candidate) => candidate.period === draft.period)
  const period = (wantedPeriod ?? periods[0])?.period
  const wanted = engines.find((candidate) => candidate.id === draft.engine)
  const engine = wanted ?? engines[0]
  const version = engine?.versions.some((candidate) => candidate.id === draft.version)
    ? (draft.version ?? undefined)
    : engine?.latest
  return {
    plan,
    isFree,
    wallet,
    cluster,
    periods,
    period,
    engine,
    missingEngine: wanted === undefined ? (draft.engine ?? undefined) : undefined,
    version,
    subdomain: draft.subdomain ?? subdomainFromName(draft.name),
  }
}

/** Periods with a price, and what longer ones save. */
export function periodsOf(
  plan: Product | undefined,
  clusterId: string | undefined,
  currency: string | undefined,
): PeriodSaving[] {
  const prices =
    plan?.prices.filter((price) => price.cluster_id === clusterId && price.price.currency === currency) ?? []
  return savingsOf(prices.map(({ period, price }) => ({ period, amount: price.amount })))
}
