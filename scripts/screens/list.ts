/** Every screen of which there is a picture, by name. */
import type { Page } from 'playwright-core'
import { publicPages } from '../../apps/web/app/public-pages.ts'
import { listScreensBeside } from './beside.ts'
import type { Scene } from './scene.ts'

export type Screen = {
  name: string
  path: string
  /** `debtor`: a customer who owes something; `partner`: one who has brought friends; `waiter`: one who waits for a free place. */
  who: 'visitor' | 'customer' | 'debtor' | 'partner' | 'waiter' | 'admin'
  /** What to do before the picture. */
  prepare?: (page: Page) => Promise<void>
  /** Something lies over the screen: a window of the usual height, not of the page's. */
  isDialog?: boolean
}

/** What customers and operators see most: pictures of these are taken in every language. */
export const mainScreens = [
  'home',
  'offers',
  'create',
  'servers',
  'server',
  'server-asleep',
  'files',
  'backups',
  'players',
  'packages',
  'recharge',
  'wallet',
  'upgrade',
  'server-payments',
  'account',
  'project',
  'shop',
  'website',
  'ticket',
  'docs',
  'addresses',
  'mysql',
  'server-shop',
  'tickets',
  'admin',
  'admin-server',
  'clusters',
  'health',
  'announcements',
  'flags',
]

/** The form of a top-up, paid by a BLIK code: 777777 waits for the payer's bank, 333333 is refused. */
async function typeCode(page: Page, code: string): Promise<void> {
  await page.locator('form input[type=radio]').nth(-1).check({ force: true })
  await page.locator('input[name=blik-code]').fill(code)
  await page.getByTestId('pay').click()
}

/** Two of a folder. */
async function chooseFiles(page: Page): Promise<void> {
  for (const row of [2, 3]) await page.getByRole('row').nth(row).getByRole('gridcell').first().click()
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
  const { money, returns } = scene
  const partner = (name: string, path: string): Screen => ({ name, path, who: 'partner' })
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
    debtor('create-owed', '/create?product=GRASS&name=Sowia+przystań'),
    { ...debtor('upgrade-owed', ''), path: `/s/${money.debtorServerId}/payments/upgrade` },
    { ...debtor('server-payments-owed', ''), path: `/s/${money.debtorServerId}/payments` },
    { ...debtor('renew-owed', ''), path: `/s/${money.debtorServerId}/payments/renew` },
    debtor('wallet-owed', `/wallets/${money.debtorWalletId}`),
    debtor('bills-overdue', '/account/bills'),
    customer('payment-waiting', payment(scene.payments.waiting)),
    customer('payment-completed', payment(scene.payments.completed)),
    customer('payment-cancelled', payment(scene.payments.cancelled)),
    customer('payment-failed', payment(scene.payments.failed)),
    customer('payment-missing', payment('')),
    customer('paypal-not-approved', at(`/paypal/continue?transaction=${returns.paypal.waiting}`)),
    customer('paypal-success', at(`/paypal/success?transaction=${returns.paypal.completed}`)),
    customer('paypal-cancelled', at(`/paypal/cancel?transaction=${returns.paypal.cancelled}`)),
    customer('paypal-failed', at(`/paypal/continue?transaction=${returns.paypal.failed}`)),
    customer('paypal-declined', at(`/paypal/continue?transaction=${returns.paypal.declined}`)),
    customer('paynow-waiting', at(`/paynow/continue?transaction=${returns.paynow.waiting}`)),
    customer('paynow-failed', at(`/paynow/continue?transaction=${returns.paynow.failed}`)),
    customer('blik-confirm', `${wallet}/recharge`, async (page) => {
      await typeCode(page, '777777')
      await page.waitForURL(/\/paynow\/continue/)
      await page.waitForTimeout(3000)
    }),
    customer('blik-refused', `${wallet}/recharge`, async (page) => {
      await typeCode(page, '333333')
      await page.locator('[aria-invalid=true]').waitFor()
    }),
    customer('blik-another-code', `${wallet}/recharge`, async (page) => {
      const answer = page.waitForResponse((one) => one.url().endsWith('/transaction') && !one.ok())
      await typeCode(page, '333333')
      const { fields } = (await (await answer).json()) as { fields: { transaction_id: string } }
      await page.goto(new URL(at(`/paynow/continue?transaction=${fields.transaction_id}`), page.url()).href)
      await page.waitForTimeout(1200)
    }),
    // Graphs want some seconds of figures.
    customer('server', '/s/misty-allay', (page) => page.waitForTimeout(20_000)),
    customer('server-stopped', `/s/${scene.restingId}`),
    dialog('server-kill', '/s/misty-allay', async (page) => {
      await page.locator('[aria-haspopup=menu]').last().click()
      await page.getByRole('menuitem').last().click()
      await page.getByRole('dialog').waitFor()
    }),
    customer('server-asleep', `/s/${scene.servers.asleepId}`),
    customer('engine', '/s/misty-allay/settings/engine'),
    customer('packages', '/s/misty-allay/m', (page) => page.locator('main ul li').first().waitFor()),
    customer('packages-installed', '/s/misty-allay/m?view=installed'),
    customer('schedules', '/s/misty-allay/schedules'),
    dialog('schedule-dialog', '/s/misty-allay/schedules', async (page) => {
      await page.locator('main header button').first().click()
      await page.getByRole('dialog').waitFor()
    }),
    customer('settings', '/s/misty-allay/settings', (page) => page.locator('input[type=search]').last().fill('s')),
    { ...visitor('free-queue', '/free-play'), who: 'waiter' },
    customer('server-not-found', '/s/no-such-server'),
    customer('files', '/s/misty-allay/files'),
    customer('files-chosen', '/s/misty-allay/files', chooseFiles),
    dialog('files-menu', '/s/misty-allay/files', async (page) => {
      await page.getByRole('row').nth(3).locator('button').click()
      await page.getByRole('menu').waitFor()
    }),
    customer('files-editor', '/s/misty-allay/files?file=server.properties', async (page) => {
      await page.locator('.cm-content').click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('difficulty=impossible\n')
      await page.keyboard.press('ArrowUp')
    }),
    customer('files-data', '/s/misty-allay/files/world/region?file=world/region/r.0.0.mca', async (page) => {
      for (const name of ['Chunk 0, 0', 'Heightmaps']) await page.getByText(name, { exact: true }).first().click()
      await page.waitForTimeout(500)
    }),
    customer('files-trash', '/s/misty-allay/files/trash'),
    // The last of them: it is remembered as interrupted.
    customer('files-upload', '/s/misty-allay/files', async (page) => {
      const file = (index: number) => ({
        name: `part-${index}.zip`,
        mimeType: 'application/zip',
        buffer: Buffer.alloc(2_000_000),
      })
      await page.route('**/files/tickets', () => {}) // never answered: they stay under way
      await page.getByTestId('choose-files').setInputFiles([1, 2, 3, 4, 5, 6].map(file))
      await page.waitForTimeout(1500)
    }),
    customer('backups', '/s/misty-allay/backups'),
    customer('backup', `/s/misty-allay/backups/${scene.backupId}`),
    customer('map', '/s/misty-allay/mapview?x=32&z=32&zoom=2'),
    customer('events', '/s/misty-allay/events'),
    customer('consents', at('/account/settings/consents')),
    customer('bills', at('/account/bills')),
    customer('referrals', at('/account/referrals')),
    customer('api-keys', at('/account/settings/api-keys')),
    customer('addresses', '/s/misty-allay/settings/addresses'),
    customer('access', '/s/misty-allay/settings/access'),
    customer('events-none', '/s/misty-allay/events?level=50'),
    customer('renew', '/s/misty-allay/payments/renew'),
    customer('server-payments', '/s/misty-allay/payments'),
    customer('upgrade', '/s/misty-allay/payments/upgrade'),
    customer('withdraw', '/s/misty-allay/payments/withdraw'),
    partner('withdraw-upgrade', `/s/${money.upgradedId}/payments/withdraw`),
    partner('withdraw-add-on', `/s/${money.extendedId}/payments/withdraw`),
    partner('upgrade-period', `/s/${money.extendedId}/payments/upgrade?plan=AMETHYST&when=2160h`),
    {
      ...partner('add-on-dialog', `/s/${money.extendedId}/payments`),
      prepare: async (page) => {
        await page.locator('ul').last().locator('li').first().getByRole('button').last().click()
        await page.getByRole('dialog').getByRole('checkbox').check({ force: true })
      },
      isDialog: true,
    },
    partner('server-payments-add-on', `/s/${money.extendedId}/payments`),
    partner('affiliate-member', at('/affiliate')),
    partner('create-affiliate', at('/create?product=GRASS&name=Wieża')),
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
    admin('admin-users', '/admin/users'),
    admin('admin-payments', '/admin/payments'),
    admin('outbox', '/admin/outbox'),
    admin('announcements', '/admin/announcements'),
    admin('flags', '/admin/flags'),
    admin('tickets', '/admin/tickets'),
    admin('feedback', '/admin/feedback'),
    customer('help', at('/account/support')),
    customer('new-ticket', at('/account/support/new')),
    admin('moderation', '/admin/marketplace'),
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
    ...listScreensBeside(scene, language),
  ]
}
