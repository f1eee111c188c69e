/** Pages that axe looks at: signed in, in Polish, and opened until nothing on them moves any more. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { bringAxe } from './axe.ts'
import { waitForScripts } from './browser.ts'

export type Login = { login: string; password: string }

export async function enterForAxe(
  browser: Browser,
  { origin }: { origin: string },
  login?: Login,
): Promise<BrowserContext> {
  // Our content security policy would keep axe out.
  const context = await browser.newContext({ bypassCSP: true, locale: 'pl-PL' })
  await bringAxe(context)
  const headers = { origin }
  await context.request.post(`${origin}/consent`, { form: { choice: 'necessary', back: '/pl' }, headers })
  if (login !== undefined) {
    const answer = await context.request.post(`${origin}/api/v1/users/login/local`, { data: login, headers })
    if (!answer.ok()) throw new Error(`${login.login} cannot sign in: ${await answer.text()}`)
  }
  return context
}

export async function openQuiet(page: Page, origin: string, path: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  // Requests of the page before are none of this one's.
  const asked = new Set<Request>()
  const begin = (request: Request) => void (isCall(request) && asked.add(request))
  const end = (request: Request) => void asked.delete(request)
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  await page.goto(origin + path)
  await waitForScripts(page)
  // What it asks for has come, and is drawn; what comes of that may ask for more.
  for (const deadline = Date.now() + 15_000; Date.now() < deadline;) {
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    if (asked.size === 0 && (await page.locator('[aria-busy=true]').count()) === 0) break
    await delay(20)
  }
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
  // Where we meant to be: not sent to the login, and not on the page for errors.
  expect(new URL(page.url()).pathname).toBe(path.split('?')[0])
}
/** Streams do not end. */
const isCall = (request: Request) => /^\/api\/(?!.*\/stream$)/.test(new URL(request.url()).pathname)
