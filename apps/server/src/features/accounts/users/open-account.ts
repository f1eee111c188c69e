/** A new account: its row, what every account may do, and a wallet in each currency. */
import { randomInt } from 'node:crypto'
import { type Capabilities, newUserCapabilities } from '@wakestone/contract/capabilities'
import type { Transaction } from '#src/db/client.ts'
import { openWallets } from '#src/features/money/wallets/service.ts'
import { grantCapabilities, insertUser, isUsernameTaken, type UserRow } from './repo.ts'

type NewAccount = Omit<Parameters<typeof insertUser>[1], 'username'> & {
  /** Left out: one that resembles the address, to be changed by its owner. */
  username?: string
  /** Beyond those of every account. */
  capabilities?: Capabilities
}

/** @throws a unique violation when the name or the address is taken: see `nameTaken` in `repo.ts`. */
export async function openAccount(trx: Transaction, account: NewAccount): Promise<UserRow> {
  const username = account.username ?? (await inventUsername(trx, account.email))
  const user = await insertUser(trx, { ...account, username })
  await grantCapabilities(trx, user.id, { ...newUserCapabilities, ...account.capabilities })
  await openWallets(trx, { userId: user.id })
  return user
}

async function inventUsername(trx: Transaction, email: string): Promise<string> {
  const local = (email.split('@')[0] ?? '').replace(/[^a-z0-9_]+/gi, '_').slice(0, 18)
  const stem = local.length >= 3 ? local : `player_${local}`
  for (let name = stem; ; name = `${stem}_${randomInt(10_000, 100_000)}`) {
    if (!(await isUsernameTaken(trx, name))) return name
  }
}
