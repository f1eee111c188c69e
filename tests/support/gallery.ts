/** Pictures of every component in every state, to be compared with those that were found good. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, errors, type Page } from 'playwright-core'

const root = join(import.meta.dirname, '../..')

export const galleryPictures = join(root, 'tests/e2e/gallery')
export const galleryViews = (['light', 'dark'] as const).flatMap((theme) =>
  [390, 1200].map((width) => ({ theme, width })),
)

/** How far a colour may differ before a pixel counts as changed, 0 to 1. */
export const colourThreshold = 0.012

/** Builds the gallery and serves it until `stop`. */
export async function startGallery(): Promise<{ origin: string; stop: () => void }> {
  const bin = join(root, 'node_modules/.bin/react-router')
  await promisify(execFile)(process.execPath, [bin, 'build', '--mode', 'gallery'], {
    cwd: join(root, 'apps/web'),
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const server = spawn(process.execPath, [join(root, 'apps/web/build-steps/serve-gallery.ts')], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await Promise.race([
    once(server.stdout, 'data'),
    once(server, 'exit').then(() => Promise.reject(new Error('the gallery could not be served'))),
  ])
  return { origin: String(line).trim(), stop: () => void server.kill() }
}

type View = { theme: 'light' | 'dark'; width: number }

/**
 * One PNG for each section, and for each dialog that a button of a section opens. Nothing in them moves. Chromium now and
 * then stops drawing a page while the machine is busy, and then for good: the pictures are taken once more, of a new one.
 */
export async function takeGalleryPictures(browser: Browser, origin: string, view: View): Promise<Map<string, Buffer>> {
  return takePictures(browser, origin, view).catch((error: unknown) => {
    if (error instanceof errors.TimeoutError) return takePictures(browser, origin, view)
    throw error
  })
}

async function takePictures(browser: Browser, origin: string, { theme, width }: View): Promise<Map<string, Buffer>> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
    locale: 'en-GB',
    timezoneId: 'Europe/Warsaw',
  })
  context.setDefaultTimeout(50_000) // another browser may be at work beside this one
  const page = await context.newPage()
  await page.clock.setFixedTime('2026-12-01T12:00:00Z')
  await page.goto(`${origin}/en/gallery`, { waitUntil: 'networkidle' })
  await page.evaluate(`document.fonts.ready`)
  await page.locator('.uplot').waitFor() // brought by a script of its own
  const pictures = new Map<string, Buffer>()
  for (const section of await page.locator('[data-gallery]').all()) {
    const name = `${await section.getAttribute('data-gallery')}-${theme}-${width}`
    pictures.set(`${name}.png`, await section.screenshot({ animations: 'disabled', caret: 'hide' }))
  }
  await takeDialogs(page, `${theme}-${width}`, pictures)
  await context.close()
  return pictures
}

async function takeDialogs(page: Page, view: string, pictures: Map<string, Buffer>) {
  for (const opener of await page.locator('[data-opens]').all()) {
    const name = await opener.getAttribute('data-opens')
    await opener.click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    pictures.set(`${name}-${view}.png`, await dialog.screenshot({ animations: 'disabled', caret: 'hide' }))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
}
