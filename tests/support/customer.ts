/** What customers do before a test begins. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Capabilities } from '@wakestone/contract/capabilities'
import type { Currency } from '@wakestone/contract/primitives'
import { createServer } from '@wakestone/contract/routes/servers'
import type { CreateServerBody, Server } from '@wakestone/contract/server'
import type { Wallet } from '@wakestone/contract/wallet'
import type { Caller, TestApi } from './api.ts'

/** Puts money on a wallet as a confirmed payment would, without going through a provider. */
export async function topUp(
  api: TestApi,
  { user }: Caller,
  { currency, amount }: { currency: Currency; amount: number },
): Promise<Wallet> {
  const wallet = user.wallets.find((one) => one.currency === currency)
  if (wallet === undefined) throw new Error(`no ${currency} wallet`)
  const entries = [
    { code: `gateway:test:${currency}`, currency, amount: -amount },
    { code: `wallet:${wallet.id}`, currency, amount },
  ]
  await sql`select ledger_post(${randomUUID()}, 'test', ${randomUUID()}, 'DEPOSIT', ${JSON.stringify(entries)})`.execute(
    api.context.db,
  )
  return wallet
}

export const grassOrder = (walletId: string, subdomain: string): CreateServerBody => ({
  name: subdomain,
  subdomain,
  cluster_id: 'local',
  game: 'minecraft-java',
  engine: 'flying-squid',
  engine_version: '1.21.4',
  requested_billing_services: ['GRASS'],
  billing_period: '720h',
  currency: 'PLN',
  wallet_id: walletId,
  language: 'en',
})

export function rentServer(
  { call }: Caller,
  { walletId, subdomain }: { walletId: string; subdomain: string },
): Promise<Server> {
  return call(createServer, { body: grassOrder(walletId, subdomain) })
}

/** Gives another user capabilities on a server. */
export async function shareServer(
  api: TestApi,
  serverId: string,
  userId: string,
  capabilities: Capabilities,
): Promise<void> {
  const rows = Object.entries(capabilities).map(([name, value]) => ({
    user_id: userId,
    resource_type: 'server',
    resource_id: serverId,
    name,
    value: JSON.stringify(value),
  }))
  await api.context.db.insertInto('user_capabilities').values(rows).execute()
}
