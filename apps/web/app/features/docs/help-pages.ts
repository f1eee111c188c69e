/** Which page of the documentation explains which screen: the first pattern that fits an address counts. */
import { matchPath } from 'react-router'

export const helpPages: readonly (readonly [pattern: string, page: string])[] = [
  ['/s/:identity', '/guide/console'],
  ['/s/:identity/files/*', '/guide/files'],
  ['/s/:identity/app/worlds', '/guide/files'],
  ['/s/:identity/mysql', '/guide/files'],
  ['/s/:identity/mapview', '/guide/files'],
  ['/s/:identity/players/*', '/guide/players'],
  ['/s/:identity/settings/access', '/guide/players'],
  ['/s/:identity/backups/*', '/guide/backups'],
  ['/s/:identity/m/*', '/guide/packages'],
  ['/s/:identity/settings/engine', '/guide/packages'],
  ['/s/:identity/settings/addresses', '/guide/addresses'],
  ['/s/:identity/schedules', '/guide/schedules'],
  ['/s/:identity/payments/*', '/guide/wallet'],
  ['/s/:identity/shop', '/guide/websites'],
  ['/s/:identity/settings', '/guide/console'],
  ['/s/:identity/events/*', '/guide/console'],
  ['/:lang/s', '/guide/renting'],
  ['/:lang/create', '/guide/renting'],
  ['/:lang/free-play', '/guide/renting'],
  ['/:lang/wallets/*', '/guide/wallet'],
  ['/:lang/voucher/use', '/guide/wallet'],
  ['/:lang/account/bills', '/guide/wallet'],
  ['/:lang/account/invoices', '/guide/wallet'],
  ['/:lang/c/*', '/guide/websites'],
  ['/:lang/offers/craftum/create', '/guide/websites'],
  ['/:lang/account/*', '/guide/support'],
  ['/:lang/m/projects/*', '/developers/authors'],
  ['/:lang/m/:slug/releases/*', '/developers/authors'],
  ['/:lang/admin/clusters', '/operators/clusters'],
  ['/:lang/admin/tickets/*', '/operators/support'],
  ['/:lang/admin/feedback', '/operators/support'],
  ['/:lang/admin/create-new-voucher', '/operators/vouchers'],
  ['/:lang/admin/refunds', '/operators/money'],
  ['/:lang/admin/payments', '/operators/money'],
  ['/:lang/admin/*', '/operators/operating'],
]

/** Path below `/docs`; undefined for a screen that explains itself. */
export function findHelp(pathname: string): string | undefined {
  return helpPages.find(([pattern]) => matchPath(pattern, pathname) !== null)?.[1]
}
