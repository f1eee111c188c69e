/** SFTP in Chromium: a password that is shown once and works, a key that is added and removed, in three languages. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listSshKeys } from '@wakestone/contract/accounts/ssh-keys-routes'
import { getRemoteFiles } from '@wakestone/contract/servers/remotefs-routes'
import type { Caller } from '../../support/api.ts'
import { findFaults } from '../../support/axe.ts'
import { openBrowser } from '../../support/browser.ts'
import { openClientFolder, rentAsleep, runProgram, sftp, type SftpApi, startSftpApi } from '../../support/sftp.ts'

let api: SftpApi
let browser: Browser
let owner: Caller
let serverId: string
const client = openClientFolder()

beforeAll(async () => {
  api = await startSftpApi({}, { pages: true })
  browser = await openBrowser()
  owner = await api.signUp()
  serverId = await rentAsleep(api, owner)
})
afterAll(async () => {
  client.close()
  await browser?.close()
  await api?.close()
})

async function signedIn(options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: api.origin, locale: 'en-GB', ...options })
  const { hostname } = new URL(api.origin)
  const cookies = owner
    .cookie()
    .split('; ')
    .map((pair) => pair.split('=') as [string, string])
  await context.addCookies(cookies.map(([name, value]) => ({ name, value, domain: hostname, path: '/' })))
  return context
}
const shot = async (page: Page, name: string) => {
  const folder = process.env['PICTURES']
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

test('a password is made, shown once, and opens the files; another one ends it', async () => {
  const context = await signedIn()
  const page = await context.newPage()
  await page.goto(`/s/${serverId}/files`)
  await page.getByRole('link', { name: 'SFTP' }).click()
  const card = page.locator('#sftp')
  await card.getByRole('button', { name: 'Create password' }).click()
  const shown = card.getByLabel('Your SFTP password')
  await shown.waitFor()
  const password = ((await shown.textContent()) ?? '').trim()
  const { username } = await owner.call(getRemoteFiles, { params: { id: serverId } })
  expect(await card.textContent()).toContain(username)
  expect((await sftp(client, api, { username, password }, 'pwd\n')).out).toContain('/data')
  expect(await findFaults(page)).toEqual([])
  await shot(page, 'made')
  await page.reload()
  await card.getByRole('button', { name: 'New password' }).waitFor()
  expect(await card.textContent()).not.toContain(password)

  await card.getByRole('button', { name: 'New password' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'New password' }).click()
  await shown.waitFor()
  expect((await sftp(client, api, { username, password }, 'pwd\n')).out).toBe('')
  await card.getByRole('button', { name: 'Remove password' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove password' }).click()
  await card.getByRole('button', { name: 'Create password' }).waitFor()
  await card.getByLabel('SSH keys only').click()
  await expect.poll(async () => (await owner.call(getRemoteFiles, { params: { id: serverId } })).keys_only).toBe(true)
  await context.close()
})

test('a key is added, named by its comment, and removed; a private one is refused at once', async () => {
  const keyFile = join(client.folder, 'key')
  await runProgram(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', 'my laptop', '-f', keyFile])
  const context = await signedIn()
  const page = await context.newPage()
  await page.goto('/en/account/settings/security')
  const card = page.locator('#ssh-keys')
  await card.getByRole('button', { name: 'Add key' }).click()
  await card.getByLabel('Public key').fill(readFileSync(keyFile, 'utf8'))
  await card.getByRole('button', { name: 'Add key' }).click()
  await card.getByText('This is a private key').waitFor()
  await card.getByLabel('Public key').fill(readFileSync(`${keyFile}.pub`, 'utf8'))
  await card.getByLabel('Public key').blur()
  expect(await card.getByLabel('Name').inputValue()).toBe('my laptop')
  await card.getByRole('button', { name: 'Add key' }).click()
  await card.getByText('SHA256:').waitFor()
  expect(await findFaults(page)).toEqual([])
  const { username } = await owner.call(getRemoteFiles, { params: { id: serverId } })
  expect((await sftp(client, api, { username, keyFile }, 'pwd\n')).out).toContain('/data')
  await card.getByRole('button', { name: 'Remove my laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect.poll(async () => owner.call(listSshKeys, { params: { id: owner.user.id } })).toEqual([])
  await context.close()
})

test.each([
  { width: 390, colorScheme: 'light' as const, language: 'pl' },
  { width: 768, colorScheme: 'light' as const, language: 'de' },
  { width: 1440, colorScheme: 'light' as const, language: 'pl' },
])('fits at $width in $language', async ({ width, colorScheme, language }) => {
  const context = await signedIn({ viewport: { width, height: 900 }, colorScheme })
  await api.context.database.pool.query('update users set language = $2 where id = $1', [owner.user.id, language])
  const page = await context.newPage()
  for (const [name, path, card] of [
    ['settings', `/s/${serverId}/settings`, '#sftp'],
    ['security', `/${language}/account/settings/security`, '#ssh-keys'],
  ] as const) {
    await page.goto(path)
    await page.locator(`${card} button`).first().waitFor()
    expect(await page.evaluate<number>(`document.documentElement.scrollWidth - innerWidth`)).toBeLessThanOrEqual(0)
    await shot(page, `${name}-${width}-${language}`)
    expect(await findFaults(page)).toEqual([])
  }
  await context.close()
})
