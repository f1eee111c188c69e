/**
 * The user as the contract shows them. Every page asks for that, so what it takes is kept in memory until PostgreSQL
 * tells that something of it changed; only what is in the wallets is read each time.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { User } from '@wakestone/contract/accounts/user'
import type { Language } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import { createToldCache } from '#src/db/told-cache.ts'
import { findAgreements, showAgreements } from '#src/features/accounts/consents/service.ts'
import { countUnread } from '#src/features/ground/notifications/service.ts'
import { showTaxData } from '#src/features/money/tax-data/service.ts'
import { listWalletsOf, renewBalances } from '#src/features/money/wallets/service.ts'
import { findStanding } from '#src/features/sales/referrals/service.ts'
import { listServiceIdsOf } from '#src/features/sales/services/service.ts'
import { listVoucherUsesOf } from '#src/features/sales/vouchers/service.ts'
import { findUser, findUserCapabilities } from './repo.ts'
import { listSocialsOf } from './socials.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'logger'>
type Extent = { /** Leaves wallets, services, invoice data and vouchers out. */ simple?: boolean }

export type ShownUsers = {
  /** As `showUser`, from memory where nothing has changed. */
  show(userId: string, extent?: Extent): Promise<User>
  /** Until all that was committed before is no longer kept. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

/** Rates of VAT change with the date, without a word from the database. */
const secondsKept = 60

export async function openShownUsers(context: Deps & Pick<Context, 'channels'>): Promise<ShownUsers> {
  const accounts = createToldCache<Account>(() => channel.connected(), { seconds: secondsKept })
  const channel = await context.channels.listen('account_changed', {
    onMessage: (userId) => (userId === '' ? accounts.clear() : accounts.forget(userId)),
    onReconnect: () => accounts.clear(),
  })
  return {
    async show(userId, extent) {
      return showAccount(context, await accounts.find(userId, () => readAccount(context, userId)), extent)
    },
    caughtUp: () => channel.caughtUp(),
    close: () => channel.close(),
  }
}

/** @throws DomainError `user_not_found`. */
export async function showUser(context: Deps, userId: string): Promise<User> {
  return showAccount(context, await readAccount(context, userId), {})
}

type Account = NonNullable<Awaited<ReturnType<typeof readAccount>>>

async function readAccount({ db }: Deps, userId: string) {
  const user = await findUser(db, userId)
  if (user === undefined) return undefined
  const [capabilities, unread, socials, standing, agreements, wallets, services, taxData, voucherUses] =
    await Promise.all([
      findUserCapabilities(db, userId),
      countUnread(db, userId),
      listSocialsOf(db, userId),
      findStanding(db, userId),
      findAgreements(db, userId),
      listWalletsOf(db, userId),
      listServiceIdsOf(db, userId),
      showTaxData(db, userId),
      listVoucherUsesOf(db, userId),
    ])
  const { id, username, email } = user
  const language = user.language as Language
  const shown = {
    id,
    username,
    email,
    language,
    time_zone: user.time_zone,
    created_at: user.created_at.toISOString(),
    destroyed_at: null,
    destroy_at: user.destroy_at?.toISOString() ?? null,
    has_password: user.password_hash !== null,
    email_verified: user.email_verified?.toISOString() ?? null,
    accepted_tos: user.accepted_tos?.toISOString() ?? null,
    newsletter: user.newsletter?.toISOString() ?? null,
    paying_user: services.length > 0,
    user_capabilities: capabilities,
    unread_notifications: unread,
    socials,
    ...standing,
  }
  const details = {
    services: services.map((service_id) => ({ service_id })),
    tax_data: taxData,
    voucher_uses: voucherUses,
  }
  return { shown, details, agreements, wallets }
}

const noDetails = { wallets: [], services: [], tax_data: null, voucher_uses: [] }

async function showAccount(
  context: Deps,
  account: Account | undefined,
  { simple = false }: Extent = {},
): Promise<User> {
  if (account === undefined) throw new DomainError('user_not_found', { resource: 'user' })
  const { shown, details, agreements } = account
  const [wallets, agreed] = await Promise.all([
    simple ? [] : renewBalances(context.db, account.wallets),
    showAgreements(context, agreements, shown.language),
  ])
  return { ...shown, ...agreed, ...(simple ? noDetails : { ...details, wallets }) }
}
