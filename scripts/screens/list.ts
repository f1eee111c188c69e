/** Every screen of which there is a picture, by name. */
import type { Page } from 'playwright-core'
import { publicPages } from '../../apps/web/app/public-pages.ts'
import type { Scene } from './scene.ts'

export type Screen = {
  name: string
  path: string
  who: 'visitor' | 'customer' | 'admin'
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
    { ...customer('servers-empty', at('/s')), who: 'admin' },
    customer('create', at('/create?product=AMETHYST&name=Wiewiórcza+chatka')),
    customer('wallet', wallet),
    customer('wallet-payments', `${wallet}?list=payments`),
    {
      ...customer('wallet-not-found', wallet),
      who: 'admin',
      path: at('/wallets/00000000-0000-4000-8000-000000000000'),
    },
    customer('recharge', `${wallet}/recharge`),
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
    { ...customer('admin', at('/admin')), who: 'admin' },
    { ...customer('admin-search', at('/admin?q=misty')), who: 'admin' },
    { ...customer('user', at(`/user/${scene.customerId}?tab=servers`)), who: 'admin' },
    { ...customer('user-capabilities', at(`/user/${scene.customerId}?tab=capabilities`)), who: 'admin' },
    customer('account-events', at('/account/events')),
    customer('invoice-data', at('/account/settings/invoice')),
    customer('delete-account', at('/account/delete/confirm')),
    { ...customer('capability-sets', at('/admin/capability-sets')), who: 'admin' },
    { ...customer('capability-set-new', at('/admin/capability-sets?set=new')), who: 'admin' },
    { ...customer('create-new-voucher', at('/admin/create-new-voucher')), who: 'admin' },
    customer('voucher', at('/voucher/use')),
    { ...customer('outbox', at('/admin/outbox')), who: 'admin' },
    { ...customer('flags', at('/admin/flags')), who: 'admin' },
    { ...customer('reports', at('/admin/reports')), who: 'admin' },
    { ...customer('admin-invoices', at('/admin/invoices')), who: 'admin' },
    { ...customer('admin-affiliates', at('/admin/affiliates')), who: 'admin' },
    { ...customer('admin-referrals', at('/admin/affiliates?list=referrals')), who: 'admin' },
    { ...customer('admin-bills', at('/admin/affiliates?list=bills')), who: 'admin' },
    { ...customer('reconciliation', at('/admin/reconciliation')), who: 'admin' },
    { ...customer('refunds', at('/admin/refunds')), who: 'admin' },
    { ...customer('debts', at('/admin/refunds?list=debts')), who: 'admin' },
    { ...customer('user-payments', at(`/user/${scene.customerId}?tab=transactions`)), who: 'admin' },
  ]
}
