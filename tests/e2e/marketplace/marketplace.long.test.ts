/** The marketplace in a browser: read without scripts, filtered by its address, and used by an author. */
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inspectRelease } from '../../../apps/server/src/features/marketplace/releases/inspection.ts'
import { ensureSamples } from '../../../apps/server/src/features/marketplace/samples/service.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { openBrowser } from '../../support/browser.ts'
import { type Author, makeProject, sendToGate, signUpAuthor } from '../../support/marketplace.ts'

let site: TestApi
let browser: Browser
let author: Author

beforeAll(async () => {
  site = await startTestApi({}, { pages: true })
  await ensureSamples(site.context)
  // Each inspection takes seconds, and these few fit on the first page.
  const asked = ['Quiet nights', 'Gentle creepers']
  const waiting = await site.context.db
    .selectFrom('releases')
    .innerJoin('projects', 'projects.id', 'releases.project_id')
    .select('releases.id')
    .where('releases.state', '=', 'checking')
    .orderBy((eb) => eb('projects.name', 'in', asked), 'desc')
    .limit(8)
    .execute()
  for (const { id } of waiting) await inspectRelease(site.context, id)
  author = await signUpAuthor(site)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

async function asAuthor(): Promise<BrowserContext> {
  const context = await browser.newContext()
  await context.addCookies(
    author
      .cookie()
      .split('; ')
      .map((pair) => ({ name: pair.split('=')[0] ?? '', value: pair.split('=')[1] ?? '', url: site.origin })),
  )
  return context
}

test('the gallery and its filters are read without scripts', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(`${site.origin}/en/m`)
  expect(await page.locator('h1').innerText()).toBe('Marketplace')
  const names = await page.locator('main li h2 a').allInnerTexts()
  expect(names).toContain('Quiet nights')
  expect(names.length).toBeGreaterThanOrEqual(7)
  await page.getByRole('searchbox').fill('gentel')
  await page.getByRole('button', { name: 'Search' }).click()
  expect(page.url()).toContain('name=gentel')
  expect(await page.locator('main li h2 a').allInnerTexts()).toEqual(['Gentle creepers'])
  await page.getByRole('link', { name: 'Gentle creepers' }).click()
  expect(await page.locator('h1').innerText()).toContain('Gentle creepers')
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toContain('/en/m/sample-gentle-creepers')
  const told = await page.locator('script[type="application/ld+json"]').allTextContents()
  expect(told.join('')).toContain('"@type":"SoftwareApplication"')
  await page.getByRole('link', { name: 'Releases' }).click()
  const file = await page.getByRole('link', { name: 'gentle-creepers-1.0.0.zip' }).getAttribute('href')
  expect((await fetch(site.origin + file)).status).toBe(200)
  expect((await page.goto(`${site.origin}/pl/m/no-such-project`))?.status()).toBe(404)
  await page.close()
})

test('an author makes a project and is told that publishing takes a second factor', async () => {
  const context = await asAuthor()
  const page = await context.newPage()
  await page.goto(`${site.origin}/en/m/projects/create`)
  await page.getByLabel('Name', { exact: true }).fill('Warm welcome')
  await page.getByLabel('In one sentence').fill('Greets everybody who joins')
  await page.getByLabel('In full').fill('# Hello\n\n**Warm** words.')
  // Whom it is by is said in public, and never by the name of an account.
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByLabel('Name of the author or team').fill('Warm Hands')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.waitForURL(/\/en\/m\/warm-welcome-/)
  await page.getByText('Plugin · by Warm Hands').waitFor()
  expect(await page.locator('main strong').first().innerText()).toBe('Warm')
  await page.getByRole('link', { name: 'New release' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'warm.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') })
  await page.getByLabel('Version', { exact: true }).fill('1.0.0')
  await page.getByLabel('Paper', { exact: true }).check()
  await page.getByLabel('Versions of Minecraft').fill('1.21.4')
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Publishing needs a second login step. Turn one on').waitFor()
  await context.close()
})

test('members see where a release stands; others do not see it', async () => {
  const { slug } = await makeProject(author, 'Waiting one')
  await sendToGate(site, author, { slug })
  const context = await asAuthor()
  const page = await context.newPage()
  await page.goto(`${site.origin}/en/m/${slug}?tab=releases`)
  await page.getByText('Waiting for a moderator').waitFor()
  await page.getByText('Number 1 of 1').waitFor()
  await context.close()
  const answer = await fetch(`${site.origin}/en/m/${slug}?tab=releases`)
  expect(await answer.text()).not.toContain('Waiting for a moderator')
})
