/** Every screen of which there is a picture, by name. */
import type { Page } from 'playwright-core'
import { publicPages } from '../../apps/web/app/public-pages.ts'
import type { Scene } from './scene.ts'

export type Screen = {
  name: string
  path: string
  /** `debtor`: a customer who owes something. */
  who: 'visitor' | 'customer' | 'debtor' | 'admin'
  /** What to do before the picture. */
  prepare?: (page: Page) => Promise<void>
  /** Something lies over the screen: a window of the usual height, not of the page's. */
  isDialog?: boolean
}

export function listScreens(scene: Scene, language: string): Screen[] {
  const at = (path: string) => `/${language}${path}`
  const wallet = at(`/wallets/${scene.walletId}`)
  const payment = (id: string) => at(`/payu/continue?transaction=${id}`)
  const visitor = (name: string, path: string): Screen => ({ name, path: at(path), who: 'visitor' })
  const customer = (name: string, path: string, prepare?: Screen['prepare']): Screen => ({
    name,
    path,
    who: 'customer',
    ...(prepare === undefined ? {} : { prepare }),
  })
  const dialog = (name: string, path: string, prepare: Screen['prepare']): Screen => ({
    ...customer(name, path, prepare),
    isDialog: true,
  })
  const { money } = scene
  const debtor = (name: string, path: string): Screen => ({ name, path: at(path), who: 'debtor' })
  const admin = (name: string, path: string): Screen => ({ name, path: at(path), who: 'admin' })
  return [
    ...publicPages.map(({ path }) => visitor(path === '' ? 'home' : path.slice(1).replaceAll('/', '-'), path)),
    visitor('not-found', '/no-such-page'),
    visitor('login-discord-failed', '/login/discord?code=forged&state=forged'),
    visitor('invitation-failed', '/invitation?code=forged'),
    visitor('confirm-email-failed', '/email/confirm'),
    {
      ...visitor('register-wrong', '/register'),
      prepare: async (page) => {
        await page.locator('input[name=email]').fill('zosia@')
        await page.locator('form [type=submit]').first().click()
      },
    },
    customer('servers', at('/s')),
    admin('servers-empty', '/s'),
    customer('create', at('/create?product=AMETHYST&name=Wiewiórcza+chatka')),
    customer('wallet', wallet),
    customer('wallet-payments', `${wallet}?list=payments`),
    {
      ...customer('wallet-not-found', wallet),
      who: 'admin',
      path: at('/wallets/00000000-0000-4000-8000-000000000000'),
    },
    customer('recharge', `${wallet}/recharge`),
    customer('recharge-blik', `${wallet}/recharge`, (page) =>
      page.locator('form input[type=radio]').nth(-1).check({ force: true }),
    ),
    debtor('recharge-owed', `/wallets/${money.debtorWalletId}/recharge`),
    debtor('wallet-owed', `/wallets/${money.debtorWalletId}`),
    debtor('bills-overdue', '/account/bills'),
    customer('payment-waiting', payment(scene.payments.waiting)),
    customer('payment-completed', payment(scene.payments.completed)),
    customer('payment-cancelled', payment(scene.payments.cancelled)),
    customer('payment-failed', payment(scene.payments.failed)),
    customer('payment-missing', payment('')),
    // Graphs want some seconds of figures.
    customer('server', '/s/misty-allay', (page) => page.waitForTimeout(20_000)),
    customer('server-stopped', `/s/${scene.restingId}`),
    dialog('server-kill', '/s/misty-allay', async (page) => {
      await page.locator('[aria-haspopup=menu]').last().click()
      await page.getByRole('menuitem').last().click()
      await page.getByRole('dialog').waitFor()
    }),
    customer('server-not-found', '/s/no-such-server'),
    customer('events', '/s/misty-allay/events'),
    customer('consents', at('/account/settings/consents')),
    customer('bills', at('/account/bills')),
    customer('referrals', at('/account/referrals')),
    customer('api-keys', at('/account/settings/api-keys')),
    customer('access', '/s/misty-allay/settings/access'),
    customer('events-none', '/s/misty-allay/events?level=50'),
    customer('renew', '/s/misty-allay/payments/renew'),
    customer('server-payments', '/s/misty-allay/payments'),
    customer('upgrade', '/s/misty-allay/payments/upgrade'),
    customer('withdraw', '/s/misty-allay/payments/withdraw'),
    customer('invoices', at('/account/invoices')),
    dialog('palette', at('/s'), async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
    }),
    customer('account', at('/account/settings')),
    customer('security', at('/account/settings/security')),
    customer('notification-settings', at('/account/settings/notifications')),
    customer('notifications', at('/notifications')),
    admin('admin', '/admin'),
    admin('admin-search', '/admin?q=misty'),
    admin('user', `/user/${scene.customerId}?tab=servers`),
    admin('user-capabilities', `/user/${scene.customerId}?tab=capabilities`),
    customer('account-events', at('/account/events')),
    customer('invoice-data', at('/account/settings/invoice')),
    customer('delete-account', at('/account/delete/confirm')),
    admin('capability-sets', '/admin/capability-sets'),
    admin('capability-set-new', '/admin/capability-sets?set=new'),
    admin('create-new-voucher', '/admin/create-new-voucher'),
    customer('voucher', at('/voucher/use')),
    customer('voucher-known', at(`/voucher/use?code=${money.codes.money}`)),
    customer('voucher-trial', at(`/voucher/use?code=${money.codes.trial}`)),
    customer('create-coupon', at(`/create?product=GRASS&voucher=${money.codes.coupon}`)),
    admin('outbox', '/admin/outbox'),
    admin('flags', '/admin/flags'),
    admin('reports', '/admin/reports'),
    admin('reports-tax', '/admin/reports?report=tax'),
    admin('admin-invoices', '/admin/invoices'),
    admin('admin-affiliates', '/admin/affiliates'),
    admin('admin-referrals', '/admin/affiliates?list=referrals'),
    admin('admin-bills', '/admin/affiliates?list=bills'),
    admin('reconciliation', '/admin/reconciliation'),
    admin('reconciliation-report', `/admin/reconciliation/${money.reportId}`),
    admin('refunds', '/admin/refunds'),
    admin('debts', '/admin/refunds?list=debts'),
    admin('user-payments', `/user/${scene.customerId}?tab=transactions`),
    admin('user-wallets', `/user/${money.debtorId}?tab=wallets`),
    admin('user-services', `/user/${money.debtorId}?tab=services`),
    admin('user-vouchers', `/user/${scene.customerId}?tab=vouchers`),
    {
      ...admin('user-refund', `/user/${scene.customerId}?tab=transactions`),
      isDialog: true,
      prepare: async (page) => {
        await page.locator('table button').first().click()
        await page.getByRole('dialog').locator('form').waitFor()
      },
    },
  ]
}
