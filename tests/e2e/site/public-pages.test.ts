/** Pages that sell: read without scripts in every language, prices as the API has them, forms with and without scripts. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listProducts } from '@wakestone/contract/sales/billings-routes'
import { changeFlag } from '@wakestone/contract/site/flags-routes'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { billingPeriods, languages, walletCurrencies } from '@wakestone/contract/values'
import { formatMoney } from '../../../apps/web/app/i18n/format.ts'
import { createCookieClient } from '../../support/api.ts'
import { openBrowser } from '../../support/browser.ts'
import { isLong } from '../../support/long.ts'
import { waitForMail } from '../../support/mail.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'

let product: TestProduct
let browser: Browser
beforeAll(async () => {
  product = await useProduct()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

/** The page as text, as a visitor without scripts gets it. */
async function read(path: string, cookie = ''): Promise<{ status: number; html: string; policy: string }> {
  const response = await fetch(product.origin + path, { headers: { cookie } })
  const html = (await response.text()).replace(/<!--.*?-->/g, '').replaceAll('&#x27;', '’')
  return { status: response.status, html, policy: response.headers.get('content-security-policy') ?? '' }
}

const texts = {
  en: {
    '': ['Name it.', 'Look inside', 'Paper', 'PostgreSQL', 'Is the free server really free?', 'Discord'],
    '/offers': ['Plans and prices', '2 GiB', 'In every plan', 'More memory'],
    '/offers/create': ['Continue with a new account', 'I have an account'],
    '/contact': ['Write to us', 'What is it about?', 'Send'],
  },
  pl: {
    '': ['Nazwij.', 'Zajrzyj do środka', 'Paper', 'PostgreSQL', 'Czy darmowy serwer jest naprawdę darmowy?'],
    '/offers': ['Plany i ceny', '2\u00a0GiB', 'W każdym planie', 'Więcej pamięci'],
    '/offers/create': ['Dalej z nowym kontem', 'Mam już konto'],
    '/contact': ['Napisz do nas', 'Czego to dotyczy?', 'Wyślij'],
  },
  de: {
    '': ['Benennen.', 'Ein Blick hinein', 'Paper', 'PostgreSQL', 'Ist der kostenlose Server wirklich kostenlos?'],
    '/offers': ['Tarife und Preise', '2\u00a0GiB', 'In jedem Tarif', 'Mehr Arbeitsspeicher'],
    '/offers/create': ['Weiter mit neuem Konto', 'Ich habe ein Konto'],
    '/contact': ['Schreib uns', 'Worum geht es?', 'Senden'],
  },
} as const

test.each(languages)('every text is in the page itself (%s)', async (language) => {
  for (const [path, wanted] of Object.entries(texts[language])) {
    const { status, html } = await read(`/${language}${path}`)
    expect(status).toBe(200)
    const shown = html.replaceAll('\u00a0', ' ')
    for (const text of wanted) expect(shown, `${language}${path}`).toContain(text.replaceAll('\u00a0', ' '))
  }
})

test.each(walletCurrencies)('prices are those of the API, gross with the VAT (%s)', async (currency) => {
  const all = await createCookieClient(product.origin).call(listProducts, {})
  const products = all.filter(({ type }) => type === 'GAME_SERVER')
  const prices = products.flatMap(({ id, prices: own }) => own.map((price) => ({ id, ...price })))
  for (const period of billingPeriods) {
    const wanted = prices.filter((price) => price.period === period && price.gross_price.currency === currency)
    expect(wanted).toHaveLength(3)
    for (const path of ['', '/offers', '/offers/create']) {
      const { html } = await read(`/pl${path}?period=${period}&currency=${currency}`)
      for (const { gross_price: gross, price } of wanted) {
        expect(html).toContain(`>${formatMoney(gross, 'pl', true)}<`)
        const tax = { amount: gross.amount - price.amount, currency }
        if (tax.amount > 0) expect(html).toContain(`w tym ${formatMoney(tax, 'pl')} VAT`)
      }
    }
  }
})

test('a choice made without an account is kept on the way to the order', async () => {
  const { html } = await read('/en/offers/create?product=AMETHYST&period=2160h&currency=EUR')
  const order = encodeURIComponent('/en/create?product=AMETHYST&period=2160h&currency=EUR')
  expect(html).toContain(`href="/en/register?from=${order}"`)
  expect(html).toContain(`href="/en/login?from=${order}"`)
})

test('reviews of another site are framed outside Poland, and with consent to advertising only', async () => {
  const consent = (allowed: boolean) =>
    `ws_consent=${encodeURIComponent(
      JSON.stringify({
        version: 1,
        essential: true,
        ad_storage: allowed,
        analytics_storage: allowed,
        ad_user_data: allowed,
        ad_personalization: allowed,
      }),
    )}`
  const isFramed = async (cookie: string) => (await read('/en', cookie)).html.includes('<iframe')
  expect(await isFramed('ws_country=DE')).toBe(false)
  expect(await isFramed(`ws_country=DE; ${consent(false)}`)).toBe(false)
  expect(await isFramed(`ws_country=PL; ${consent(true)}`)).toBe(false)
  expect(await isFramed(`ws_country=DE; ${consent(true)}`)).toBe(true)
  expect((await read('/en')).policy).toContain('frame-src https://reviews.example')
})

test.runIf(isLong)('the trial is offered by the address, once the flag is on', async () => {
  const page = await browser.newPage({ locale: 'en-GB' })
  const dialog = page.getByRole('dialog', { name: 'Try Amethyst for free' })
  await page.goto(`${product.origin}/en?redeem-free-server`, { waitUntil: 'networkidle' })
  expect(await dialog.count()).toBe(0)
  const { call } = createCookieClient(product.origin)
  await call(loginLocal, { body: { login: 'admin', password: product.secrets.adminPassword } })
  await call(changeFlag, { params: { key: 'redeem-free-server' }, body: { enabled: true, value: true } })
  await expect
    .poll(
      async () => {
        await page.goto(`${product.origin}/en?redeem-free-server`, { waitUntil: 'networkidle' })
        return dialog.count()
      },
      { timeout: 20_000 },
    )
    .toBe(1)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.close()
})

test('a message reaches support, checked as it is typed', async () => {
  const page = await browser.newPage({ locale: 'en-GB' })
  await page.goto(`${product.origin}/en/contact#contact`)
  const email = page.getByRole('textbox', { name: 'Your e-mail' })
  await email.fill('zosia')
  await email.blur()
  await page.getByText('This is not an e-mail address.').waitFor()
  await email.fill('lantern.buyer@example.test')
  await page.getByRole('combobox', { name: 'What is it about?' }).selectOption('payments')
  await page.getByRole('textbox', { name: 'Message' }).fill('The lantern blinks, and I cannot pay for it.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Fill this in.').waitFor()
  expect(await email.inputValue()).toBe('lantern.buyer@example.test')
  await page.getByRole('textbox', { name: 'Subject' }).fill('A lantern that blinks')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('heading', { name: 'We’ve got your message' }).waitFor()
  await page.getByText(/number is \d+\. We’ll reply to lantern\.buyer@example\.test/).waitFor()
  await page.close()
  expect((await waitForMail(product.dataDir, 'desk@example.test', /A lantern that blinks/)).text).toContain(
    'The lantern blinks',
  )
})

test.runIf(isLong)('without scripts a message reaches support, and an account can be opened and entered', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${product.origin}/en/contact`)
  await page.getByRole('textbox', { name: 'Your e-mail' }).fill('no-scripts@example.test')
  await page.getByRole('textbox', { name: 'Message' }).fill('A message of a careful reader.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Fill this in.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('A message of a careful reader.')
  await page.getByRole('textbox', { name: 'Subject' }).fill('Without scripts')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText(/We’ll reply to no-scripts@example\.test/).waitFor()
  await waitForMail(product.dataDir, 'no-scripts@example.test')

  await page.goto(`${product.origin}/en/register?from=%2Fen%2Foffers`)
  await page.locator('noscript p', { hasText: 'JavaScript is off.' }).waitFor()
  await page.getByRole('textbox', { name: 'User name' }).fill('careful_one')
  await page.getByRole('textbox', { name: 'E-mail' }).fill('careful@example.test')
  await page.getByRole('textbox', { name: 'Password' }).fill('short')
  await page.getByRole('checkbox', { name: /accept the terms/ }).check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('At least 10 characters.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Password' }).inputValue()).toBe('')
  await page.getByRole('textbox', { name: 'Password' }).fill('a lantern in the night')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${product.origin}/en/offers`)

  await context.clearCookies()
  await page.goto(`${product.origin}/en/login`)
  await page.getByRole('textbox', { name: 'User name or e-mail' }).fill('careful_one')
  await page.getByRole('textbox', { name: 'Password' }).fill('not the right one')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('The name or password isn’t right.').waitFor()
  await page.getByRole('textbox', { name: 'Password' }).fill('a lantern in the night')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(`${product.origin}/en/s`)
  await context.close()
})
