/** Which answers change together: what a mutation makes stale, where it changes more than a list. */
import { listSessions } from '@wakestone/contract/accounts/account-routes'
import { getServerAccess } from '@wakestone/contract/accounts/sharing-routes'
import {
  listUserCraftums,
  listUserEvents,
  listUserServers,
  listUserWallets,
} from '@wakestone/contract/accounts/users-routes'
import {
  getAdminUser,
  listAdminServices,
  listAdminTransactions,
  listUsers,
} from '@wakestone/contract/admin/admin-routes'
import { listUserCapabilitySets } from '@wakestone/contract/admin/capability-sets-routes'
import { getNotification, listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { listUserInvoices } from '@wakestone/contract/invoicing/invoices-routes'
import { getWallet, listWalletLogs, listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import { getAffiliate } from '@wakestone/contract/sales/affiliates-routes'
import {
  getService,
  getServiceCost,
  getServiceUpgrade,
  listServiceAddOns,
  listServiceTransactions,
} from '@wakestone/contract/sales/billings-routes'
import { getPayLater } from '@wakestone/contract/sales/pay-later-routes'
import { getReferrals } from '@wakestone/contract/sales/referrals-routes'
import { listAdminVoucherUses } from '@wakestone/contract/sales/vouchers-routes'
import { getEarlyStart, getWithdrawal } from '@wakestone/contract/sales/withdrawals-routes'
import { listPackageLocks, listPackages, listPackageUpdates } from '@wakestone/contract/servers/packages-routes'
import { getServer, getServerStatus, listServerEvents } from '@wakestone/contract/servers/servers-routes'
import {
  getCraftumDomain,
  getCraftumParameters,
  listCraftumImages,
  listCraftumVersions,
} from '@wakestone/contract/websites/craftums-routes'
import { answersOf } from './query-of.ts'

/** A thing, or all of its kind. */
const one = (id: string | undefined) => (id === undefined ? undefined : { id })

/** A wallet, or all: what it holds and what moved. */
export const aboutWallet = (id?: string) => [
  answersOf(getWallet, one(id)),
  answersOf(listWalletLogs, one(id)),
  answersOf(listWalletTransactions, one(id)),
]

/** What a user has, owes and was told of it: all that buying and paying change. */
export const aboutUser = (id?: string) => [
  answersOf(listUserWallets, one(id)),
  answersOf(listUserServers, one(id)),
  answersOf(listUserInvoices, one(id)),
  answersOf(listUserEvents, one(id)),
  answersOf(listNotifications, one(id)),
  answersOf(getPayLater, one(id)),
  answersOf(getEarlyStart, one(id)),
  answersOf(getReferrals, one(id)),
  answersOf(getAffiliate, one(id)),
]

export const aboutNotifications = (userId: string) => [
  answersOf(listNotifications, { id: userId }),
  answersOf(getNotification, { userId }),
]

/** A user as administrators see them, or all. */
export const aboutAdminUser = (id?: string) => [
  answersOf(getAdminUser, one(id)),
  answersOf(listAdminServices, one(id)),
  answersOf(listAdminTransactions, one(id)),
  answersOf(listAdminVoucherUses, one(id)),
  answersOf(listUserCapabilitySets, one(id)),
  answersOf(listSessions, one(id)),
  answersOf(listUsers),
]

export const aboutServer = (id?: string) => [
  answersOf(getServer, one(id)),
  answersOf(getServerStatus, one(id)),
  answersOf(listServerEvents, one(id)),
  answersOf(getServerAccess, one(id)),
]

/** What is installed on a server, what could be newer, and what it had before. */
export const aboutPackages = (id: string) => [
  answersOf(listPackages, { id }),
  answersOf(listPackageUpdates, { id }),
  answersOf(listPackageLocks, { id }),
]

/** A website, or all: what is in them, and where they are. */
export const aboutWebsite = (id?: string) => [
  answersOf(getCraftumParameters, one(id)),
  answersOf(listCraftumVersions, one(id)),
  answersOf(listCraftumImages, one(id)),
  answersOf(getCraftumDomain, one(id)),
  answersOf(listUserCraftums),
]

/** What a service is, what it costs, and what could be made of it; but for the way out of it. */
export const aboutService = (id?: string) => [
  answersOf(getService, one(id)),
  answersOf(getServiceCost, one(id)),
  answersOf(getServiceUpgrade, one(id)),
  answersOf(listServiceAddOns, one(id)),
  answersOf(listServiceTransactions, one(id)),
]
export const aboutWithdrawal = (id?: string) => answersOf(getWithdrawal, one(id))
