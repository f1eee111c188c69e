/** What axe finds on a page, from narrow to wide and in both themes. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { isLong } from './long.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Describing all that is well would take half of the time. */
const faultsOnly: RunOptions = { reporter: 'no-passes', resultTypes: ['violations'] }
/** Everything but what is merely advised; controls have to be large enough for a finger. Style sheets are read too. */
const all: RunOptions = { ...faultsOnly, rules: { 'target-size': { enabled: true } } }
/** The same style sheets again would say nothing new, and take a third of the time. */
const allButSheets: RunOptions = { ...all, preload: false }
/** A theme changes colours and nothing else, so the second one is judged by them. */
const colours: RunOptions = { ...faultsOnly, preload: false, runOnly: ['color-contrast', 'link-in-text-block'] }

/**
 * Looks at a page as it is now: it is resized rather than loaded anew, so open menus stay open. `npm test` looks at the
 * narrowest in the dark alone, which shows most.
 * The context must bypass the content security policy, which would keep axe out.
 * @returns one line per fault
 */
export async function findFaults(page: Page): Promise<string[]> {
  return lookAt(page, isLong ? everyLook : oneLook)
}

/** Has all pages of a context bring it along, which takes less than sending it to each. */
export const bringAxe = (context: BrowserContext): Promise<unknown> => context.addInitScript(axe)

/** The same on a phone alone, in both themes. */
export const findFaultsOnPhone = (page: Page): Promise<string[]> =>
  lookAt(page, [
    { colorScheme: 'light', width: 390, options: all },
    { colorScheme: 'dark', width: 390, options: colours },
  ])

const everyLook: readonly Look[] = [
  ...[320, 768, 1440].map((width, index) => ({
    colorScheme: 'light' as const,
    width,
    options: index === 0 ? all : allButSheets,
  })),
  ...[320, 768, 1440].map((width) => ({ colorScheme: 'dark' as const, width, options: colours })),
]
const oneLook: readonly Look[] = [{ colorScheme: 'dark', width: 320, options: all }]

type Look = { colorScheme: 'light' | 'dark'; width: number; options: RunOptions }

async function lookAt(page: Page, looks: readonly Look[]): Promise<string[]> {
  const faults: string[] = []
  // Half a megabyte is not sent, nor read, for nothing.
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(axe)
  for (const { colorScheme, width, options } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    // From the top: axe takes what is scrolled halfway under the top bar for too small a target.
    await page.evaluate('scrollTo({ top: 0, behavior: "instant" })')
    // Two frames: one for the layout to be told, one for it to be drawn.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
    for (const { id, help, nodes } of violations) {
      const places = nodes.map(
        ({ target, failureSummary }) => `${target.join(' ')} ${failureSummary?.split('\n')[1]?.trim()}`,
      )
      faults.push(`${colorScheme}, ${width}: ${id} (${help}) at ${places.join('; ')}`)
    }
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    if (overflow > 0) faults.push(`${colorScheme}, ${width}: scrolls sideways by ${overflow} px`)
  }
  return faults
}
