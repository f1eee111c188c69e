/** A website whose every text is an attack, in a browser: nothing of it runs, in the editor beside the panel or on its own host. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Block, blockTypes, type WebsiteContent } from '@wakestone/contract/websites/content'
import { createCraftum, getCraftumParameters, publishCraftum } from '@wakestone/contract/websites/craftums-routes'
import * as routes from '@wakestone/contract/websites/craftums-routes'
import { type Caller, startTestApi, type TestApi } from '../../support/api.ts'
import { openBrowser } from '../../support/browser.ts'
import { blockOf, contentOf, markdown, texts } from '../../support/hostile-websites.ts'
import { topUp } from '../../support/servers.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 })

let api: TestApi
let browser: Browser
let context: BrowserContext
let owner: Caller
let id: string

beforeAll(async () => {
  api = await startTestApi({}, { pages: true })
  Object.assign(api.context.settings, { PUBLIC_URL: api.origin })
  owner = await api.signUp({ capabilities: { 'user.craftum': true } })
  const body = {
    name: '<img src=x onerror=window.hacked=1>',
    subdomain: 'hostile-eyes',
    wallet_id: await topUp(api.context, owner, 10_000),
    currency: 'PLN' as const,
    billing_period: '720h' as const,
  }
  ;({ id } = await owner.call(createCraftum, { body }))
  browser = await openBrowser()
  context = await browser.newContext({ locale: 'en-GB' })
  context.setDefaultTimeout(120_000)
  const headers = { origin: api.origin }
  const data = { login: owner.user.email, password: owner.password }
  await context.request.post(`${api.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  await context.request.post(`${api.origin}/api/v1/users/login/local`, { data, headers })
})
afterAll(async () => {
  await browser?.close()
  await api?.close()
})

async function publish(content: WebsiteContent): Promise<void> {
  const revisionOf = async () => (await owner.call(getCraftumParameters, { params: { id } })).revision
  await owner.call(routes.changeCraftum, { params: { id }, body: { content, revision: await revisionOf() } })
  await owner.call(publishCraftum, { params: { id }, body: { revision: await revisionOf() } })
}

/** What a page has asked of others, and whether anything of it ran. */
async function look(page: Page, address: string): Promise<{ hacked: unknown; evil: string[]; dialogs: number }> {
  const evil: string[] = []
  let dialogs = 0
  const note = (request: { url(): string }) => void (request.url().includes('evil.example') && evil.push(request.url()))
  const shut = (dialog: { dismiss(): Promise<void> }) => void (dialogs++, void dialog.dismiss())
  page.on('request', note).on('dialog', shut)
  await page.goto(address, { waitUntil: 'networkidle' })
  const hacked = await page.evaluate('window.hacked')
  page.off('request', note).off('dialog', shut)
  return { hacked, evil, dialogs }
}
const nothing = { hacked: undefined, evil: [], dialogs: 0 }

test.each(blockTypes)('%s: nothing runs on the website', async (type) => {
  const isMarkdown = type === 'text' || type === 'news' || type === 'rules'
  const bodies = isMarkdown ? markdown : texts
  const blocks = bodies.map((body, index): Block => {
    const given = isMarkdown ? { text: texts[index % texts.length]!.slice(0, 60), body } : { text: body.slice(0, 60) }
    return { ...blockOf(type, given), id: `${type}-${index}` }
  })
  await publish(contentOf(blocks, texts[0]))
  const page = await context.newPage()
  const host = `http://hostile-eyes.sites.localhost:${new URL(api.origin).port}/`
  expect(await look(page, host)).toEqual(nothing)
  expect(await page.locator('main').innerText()).toContain('hacked=1')
  await page.close()
})

test('nothing runs in the editor, which shows it beside the panel', async () => {
  const blocks = blockTypes.flatMap((type) =>
    texts.slice(0, 3).map((text, index) => ({ ...blockOf(type, { text: text.slice(0, 60) }), id: `${type}-${index}` })),
  )
  await publish(contentOf(blocks, texts[1]))
  const page = await context.newPage()
  expect(await look(page, `${api.origin}/en/c/${id}`)).toEqual(nothing)
  await page.locator('.ws-site').getByText('window.hacked=1', { exact: false }).first().waitFor()
  expect(await page.evaluate('window.hacked')).toBeUndefined()
  expect(await look(page, `${api.origin}/en/c`)).toEqual(nothing)
  await page.close()
})
