/**
 * Files in Chromium, through the whole product: a folder is dropped, the connection cut, the page loaded anew, and all of
 * it arrives; two people save one configuration; what was deleted comes back; a finger chooses and opens.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { type FileLine, fileLimits } from '@wakestone/contract/servers/file-values'
import {
  createFileJob,
  deleteFiles,
  listTrash,
  makeFolder,
  removeTrash,
} from '@wakestone/contract/servers/files-routes'
import { createServer, getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { languageCookie } from '@wakestone/contract/language'
import { createCookieClient } from '../../support/api.ts'
import { findFaults } from '../../support/axe.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { type Customer, type TestProduct, useProduct } from '../../support/product.ts'
import { order } from '../../support/servers.ts'

/** So many that they are still on their way when the page is loaded anew, however quick the machine is. */
const count = 500
let product: TestProduct
let browser: Browser
let owner: Customer
let call: ReturnType<typeof createCookieClient>['call']
let serverId: string
const folder = mkdtempSync(join(tmpdir(), 'ws-drop-'))
const pack = join(folder, 'pack')

beforeAll(async () => {
  for (let index = 0; index < count; index += 1) {
    const part = join(pack, `part-${index % 7}`)
    mkdirSync(part, { recursive: true })
    writeFileSync(join(part, `${index}.txt`), `${index} `.repeat(index % 90))
  }
  product = await useProduct()
  owner = await product.signUp()
  call = createCookieClient(product.origin).call
  const { wallets } = await call(loginLocal, { body: { login: owner.login, password: owner.password } })
  const wallet = wallets.find(({ currency }) => currency === 'PLN')!.id
  const more = { name: 'tidy-otter', subdomain: 'tidy-otter', requested_billing_services: ['FREE'] }
  serverId = (await call(createServer, { body: order(wallet, '1.21.4', more) })).id
  const isReady = async () =>
    (await call(getServerStatus, { params: { id: serverId } })).game_status.startsWith('IRL_IDLE')
  for (const deadline = Date.now() + 120_000; !(await isReady()); await delay(300))
    if (Date.now() > deadline) throw new Error('the server did not start')
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
  rmSync(folder, { recursive: true, force: true })
})

/** A browser of its own, signed in as the owner of the server. */
async function enter(options: BrowserContextOptions = {}): Promise<{ context: BrowserContext; page: Page }> {
  // Our content security policy would keep axe out.
  const context = await browser.newContext({ bypassCSP: true, locale: 'en-GB', reducedMotion: 'reduce', ...options })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  const { login, password } = owner
  await context.request.post(`${product.origin}/api/v1/users/login/local`, { data: { login, password }, headers })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  return { context, page }
}
async function open(page: Page, path: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${product.origin}/s/${serverId}/files${path}`)
  await waitForScripts(page)
}
const content = async (context: BrowserContext, path: string) => {
  const query = new URLSearchParams({ path })
  return (await context.request.get(`${product.origin}/api/v1/servers/${serverId}/files/content?${query}`)).body()
}
/** Bytes of every file in a folder and below it. */
async function sizesBelow(context: BrowserContext, folderPath: string): Promise<Record<string, number>> {
  const query = new URLSearchParams({ path: folderPath })
  const answer = await context.request.get(`${product.origin}/api/v1/servers/${serverId}/files/list?${query}`)
  const lines = (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as FileLine)
  const found: Record<string, number> = {}
  for (const [name, type, size] of lines.slice(0, -1)) {
    const path = `${folderPath}/${name}`
    if (type === 'folder') Object.assign(found, await sizesBelow(context, path))
    else found[path] = size
  }
  return found
}
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const photograph = (page: Page, name: string) =>
  onTestFailed(async () => {
    console.log(await page.locator('body').innerText())
    await page.screenshot({ path: `test-results/files-${name}.png` })
  })

/** Drops a file or folder of this machine, as a visitor drags it in from the desktop. */
async function drop(page: Page, path: string, { x, y }: { x: number; y: number }): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devTools.send('Input.dispatchDragEvent', { type, x, y, data })
  await devTools.detach()
}

test('the palette finds a setting and a file of the server', async () => {
  const { context, page } = await enter()
  await page.goto(`${product.origin}/s/${serverId}`)
  await waitForScripts(page)
  const find = async (typed: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command palette' }).fill(typed)
  }
  await find('view distance')
  await page.getByRole('group', { name: 'Settings' }).getByRole('option').first().click()
  await page.waitForURL(/\/settings\?setting=view-distance$/)
  await page.getByRole('searchbox', { name: 'Search settings' }).waitFor()
  await find('server.prop')
  await page.getByRole('group', { name: 'Files' }).getByRole('option', { name: 'server.properties' }).click()
  await page.waitForURL(/\/files\?file=server\.properties$/)
  await page.locator('.cm-content').getByText('max-players').waitFor()
  await context.close()
})

test(`a folder of ${count} files arrives, though the connection is cut and the page loaded anew`, async () => {
  await call(makeFolder, { params: { id: serverId }, body: { path: 'plugins/drop' } })
  const { context, page } = await enter()
  photograph(page, 'drop')
  const tickets: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/files/tickets')) tickets.push(request.postDataJSON().path)
  })
  await open(page, '/plugins/drop')
  await page.getByText('Nothing here yet').waitFor()
  await drop(page, pack, { x: 900, y: 500 })
  await page.getByText(new RegExp(`^\\d{2,} of ${count} ·`)).waitFor()

  await context.setOffline(true)
  await page.getByText('No connection. The upload resumes automatically.').last().waitFor()
  const sentBefore = tickets.length
  await context.setOffline(false)
  await page.getByText(`Uploading ${count} files`).last().waitFor()
  await expect.poll(() => tickets.length, { timeout: 20_000 }).toBeGreaterThan(sentBefore + 20)

  // It asks first, since what is on its way would be lost.
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await waitForScripts(page)
  await page.getByText('The upload of pack was interrupted').waitFor()
  const begun = new Set(tickets)
  tickets.length = 0
  await page.getByRole('button', { name: 'Continue' }).click()
  // A browser that does not know the folder any more has it chosen again.
  const again = page.getByRole('button', { name: 'Choose the folder' })
  await again.or(page.getByText(/files uploaded|Uploading/).last()).waitFor()
  if (await again.isVisible()) await page.getByTestId('choose-folder').setInputFiles(pack)
  await page
    .getByText(/\d files? uploaded/)
    .last()
    .waitFor({ timeout: 60_000 })
  expect(tickets.length).toBeLessThan(count)
  expect(new Set([...begun, ...tickets]).size).toBe(count)

  const sent = readdirSync(pack, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const pathOf = (local: string) => `plugins/drop/${local.slice(folder.length + 1)}`
  const sizes = Object.fromEntries(sent.map((local) => [pathOf(local), statSync(local).size]))
  expect(await sizesBelow(context, 'plugins/drop')).toEqual(sizes)
  for (const local of sent.filter((_, index) => index % 20 === 0))
    expect(hash(await content(context, pathOf(local))), local).toBe(hash(readFileSync(local)))

  // Without a reload the list shows what has come.
  await page.getByRole('grid').getByRole('link', { name: 'pack' }).click()
  await page.getByRole('row', { name: /part-6/ }).waitFor()
  expect(await findFaults(page)).toEqual([])
  await context.close()
})

test('a part with a flipped byte is refused, and sent again', async () => {
  await call(makeFolder, { params: { id: serverId }, body: { path: 'spoiled' } })
  const { context, page } = await enter()
  photograph(page, 'checksum')
  // The network spoils one byte of the second part, once: behind our code, which has counted the sum by then.
  await page.addInitScript(`
    const { send } = XMLHttpRequest.prototype
    let parts = 0
    XMLHttpRequest.prototype.send = function (body) {
      if (!(body instanceof Blob) || ++parts !== 2) return send.call(this, body)
      body.arrayBuffer().then((bytes) => {
        new Uint8Array(bytes)[77] ^= 1
        send.call(this, bytes)
      })
    }`)
  const answers: number[] = []
  page.on('response', (answer) => {
    if (answer.request().method() === 'PATCH') answers.push(answer.status())
  })
  await open(page, '/spoiled')
  await page.getByText('Nothing here yet').waitFor()
  const bytes = randomBytes(2 * fileLimits.chunkBytes + 5)
  const file = join(folder, 'world.bin')
  writeFileSync(file, bytes)
  await page.getByTestId('choose-files').setInputFiles(file)
  await page.getByText('1 file uploaded').last().waitFor()
  expect(answers).toEqual([204, 460, 204, 204])
  expect(hash(await content(context, 'spoiled/world.bin'))).toBe(hash(bytes))
  await context.close()
})

test('what somebody else does is seen at once, and so is what becomes of it', async () => {
  await call(makeFolder, { params: { id: serverId }, body: { path: 'shared/inner' } })
  const { context, page } = await enter()
  photograph(page, 'live')
  await open(page, '/shared')
  await page.getByRole('row', { name: /^inner/ }).waitFor()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.waitForTimeout(2500)
  expect(asked.filter((address) => address.endsWith('/files/jobs'))).toEqual([])
  await call(makeFolder, { params: { id: serverId }, body: { path: 'shared/new' } })
  await page.getByRole('row', { name: /^new/ }).waitFor({ timeout: 4000 })
  const paths = ['shared/inner', 'shared/new']
  const body = { kind: 'pack', paths, to: 'shared/both.zip', format: 'zip' } as const
  await call(createFileJob, { params: { id: serverId }, body })
  await page.getByRole('row', { name: /^both\.zip/ }).waitFor({ timeout: 6000 })
  await context.close()
})

test('a region is unfolded down to what stands in a chunk', async () => {
  const { context, page } = await enter()
  photograph(page, 'region')
  const path = 'old/r.0.0.mca'
  await call(makeFolder, { params: { id: serverId }, body: { path: 'old' } })
  const address = `${product.origin}/api/v1/servers/${serverId}/files/content?${new URLSearchParams({ path })}`
  const region = readFileSync(join(import.meta.dirname, '../../fixtures/regions/1.21.1/r.0.0.mca'))
  const headers = { 'content-type': 'application/octet-stream', origin: product.origin }
  expect((await context.request.put(address, { data: region, headers })).ok()).toBe(true)
  await open(page, `/old?${new URLSearchParams({ file: path })}`)
  await page.getByText('Chunk 0, 0', { exact: true }).click()
  await page.getByText('DataVersion').waitFor()
  await page.getByText('sections', { exact: true }).click()
  expect(await findFaults(page)).toEqual([])
  await context.close()
})

test('who saves second sees what the first has saved, and keeps what they want of both', async () => {
  const first = await enter()
  const second = await enter()
  photograph(second.page, 'merge')
  for (const { page } of [first, second]) {
    await open(page, '?file=server.properties')
    await page.locator('.cm-content').getByText('max-players').waitFor()
  }
  const type = async ({ page }: { page: Page }, text: string) => {
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(text)
  }
  // An editor without changes of its own is brought up to date at once, so this one gets some first.
  await type(second, '# by the second\n')
  await second.page.getByRole('img', { name: 'Not saved' }).waitFor()
  await type(first, '# by the first\n')
  await first.page.keyboard.press('Control+s')
  await first.page.getByText('Saved', { exact: true }).waitFor()
  expect(await findFaults(first.page)).toEqual([])

  await second.page.keyboard.press('Control+s')
  await second.page.getByText('Somebody else has saved this file in the meantime.').waitFor()
  expect(await findFaults(second.page)).toEqual([])
  await second.page.setViewportSize({ width: 1440, height: 900 })
  await second.page.getByRole('button', { name: 'Save my text' }).click()
  await second.page.getByText('Saved', { exact: true }).waitFor()
  const saved = (await content(second.context, 'server.properties')).toString()
  expect([saved.includes('# by the first'), saved.includes('# by the second')]).toEqual([false, true])

  // What the first has written is an earlier version now, and comes back from there.
  await second.page.getByRole('button', { name: 'Earlier versions' }).click()
  await second.page.getByText('# by the first').waitFor()
  await second.page.getByRole('button', { name: 'Bring this version back' }).click()
  await second.page.keyboard.press('Control+s')
  await second.page.getByText('Saved', { exact: true }).waitFor()
  expect((await content(second.context, 'server.properties')).toString()).toContain('# by the first')
  await first.context.close()
  await second.context.close()
})

test('what is deleted waits in the trash, and comes back from there', async () => {
  const { context, page } = await enter()
  photograph(page, 'trash')
  await call(makeFolder, { params: { id: serverId }, body: { path: 'keepsakes/inner' } })
  await open(page, '')
  const row = page.getByRole('row', { name: /^keepsakes/ })
  await row.waitFor()
  await page.getByRole('grid').focus()
  await page.keyboard.type('keep')
  expect(await row.getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Delete')
  await page.getByText('Moved one item to the trash').waitFor()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.waitFor()

  await row.getByRole('button', { name: 'Actions for keepsakes' }).click()
  await page.getByRole('menuitem', { name: /Move to trash/ }).waitFor()
  expect(await findFaults(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('menuitem', { name: /Move to trash/ }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByRole('checkbox', { name: 'Select keepsakes' }).check()
  expect(await findFaults(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('The trash is empty').waitFor()
  expect((await call(listTrash, { params: { id: serverId } })).entries).toEqual([])
  await open(page, '/keepsakes')
  await page.getByRole('row', { name: /^inner/ }).waitFor()
  await context.close()
})

test('one file comes out of a deleted folder: on a phone, in Polish, in the dark', async () => {
  const { context, page } = await enter({
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    locale: 'pl-PL',
    hasTouch: true,
  })
  photograph(page, 'trash-phone')
  await context.addCookies([{ name: languageCookie, value: 'pl', url: product.origin }])
  const params = { id: serverId }
  await call(makeFolder, { params, body: { path: 'pamiatki/album' } })
  const save = (path: string) =>
    context.request.put(`${product.origin}/api/v1/servers/${serverId}/files/content?${new URLSearchParams({ path })}`, {
      data: path,
      headers: { origin: product.origin, 'content-type': 'application/octet-stream' },
    })
  for (const name of ['jeden.txt', 'dwa.txt']) expect((await save(`pamiatki/album/${name}`)).ok()).toBe(true)
  await call(deleteFiles, { params, body: { paths: ['pamiatki'] } })
  await page.goto(`${product.origin}/s/${serverId}/files/trash`)
  await waitForScripts(page)
  await page.getByRole('link', { name: 'Zajrzyj do pamiatki' }).click()
  await page.getByRole('link', { name: 'album' }).click()
  await page.getByRole('checkbox', { name: /jeden\.txt/ }).check()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  expect(await findFaults(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Przywróć wybrane' }).click()
  await expect
    .poll(async () => (await content(context, 'pamiatki/album/jeden.txt')).toString(), { timeout: 20_000 })
    .toBe('pamiatki/album/jeden.txt')
  const { entries } = await call(listTrash, { params })
  expect(entries.map(({ path }) => path)).toEqual(['pamiatki'])
  await call(removeTrash, { params, body: { ids: null } })
  await context.close()
})

test('a finger that rests chooses, and a tap opens', async () => {
  const { context, page } = await enter({ hasTouch: true, viewport: { width: 390, height: 844 } })
  photograph(page, 'touch')
  for (const path of ['touched/a', 'touched/b']) await call(makeFolder, { params: { id: serverId }, body: { path } })
  await page.goto(`${product.origin}/s/${serverId}/files/touched`)
  await waitForScripts(page)
  const devTools = await context.newCDPSession(page)
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} `) })
  const touch = async (name: string, milliseconds: number) => {
    await row(name).waitFor()
    const { x, y, height } = (await row(name).boundingBox())!
    const touchPoints = [{ x: x + 200, y: y + height / 2 }]
    await devTools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await page.waitForTimeout(milliseconds)
    await devTools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  const isChosen = (name: string) => row(name).getAttribute('aria-selected')
  await touch('a', 700)
  await expect.poll(() => isChosen('a')).toBe('true')
  await touch('b', 50)
  await expect.poll(() => isChosen('b')).toBe('true')
  expect(await findFaults(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  const bar = page.getByRole('toolbar', { name: 'Actions for the selection' })
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expect.poll(() => isChosen('a')).toBe('false')
  await touch('a', 50)
  await page.waitForURL(/\/files\/touched\/a$/)
  await context.close()
})
