/** Terms that demand consent stand before the screens of the panel in a browser, until somebody agrees or leaves. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verify } from '@wakestone/contract/accounts/users-routes'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { findFaults } from '../../support/axe.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ws-terms-'))
let site: TestApi
let browser: Browser
beforeAll(async () => {
  site = await startTestApi({ DATA_DIR: dataDir }, { pages: true })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('the wall shows what to read, leaves the account open, and is gone for good once one has agreed', async () => {
  const owner = await site.signUp()
  const folder = join(dataDir, 'content/legal/terms-of-service')
  mkdirSync(folder, { recursive: true })
  const head = 'title: Terms\nversion: 99.1\ndate: 2026-01-01\nconsent: required'
  writeFileSync(join(folder, 'en.md'), `---\n${head}\n---\n\n## Only\n\nBe kind.\n`)

  const context = await browser.newContext({ bypassCSP: true, locale: 'en-GB' })
  const headers = { origin: site.origin }
  await context.request.post(`${site.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  const data = { login: owner.user.email, password: owner.password }
  expect((await context.request.post(`${site.origin}/api/v1/users/login/local`, { data, headers })).ok()).toBe(true)
  const page = await context.newPage()
  const open = async (path: string) => {
    await page.goto(`${site.origin}/en${path}`)
    await waitForScripts(page)
  }
  const wall = page.getByRole('heading', { name: 'Our terms have changed' })
  const walletPath = `/wallets/${owner.user.wallets[0]?.id}`

  await open('/account/settings')
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
  expect(await wall.count()).toBe(0)

  await open(walletPath)
  await wall.waitFor()
  expect(await page.getByTestId('wallet-balance').count()).toBe(0)
  expect(await page.locator('main').innerText()).toContain('Version 99.1')
  expect(await findFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'I agree' }).click()
  await page.getByTestId('wallet-balance').waitFor()
  expect(await wall.count()).toBe(0)
  expect((await owner.call(verify, {})).consents_due).toEqual([])

  await open('/s')
  expect(await wall.count()).toBe(0)
  await context.close()
})
