/** Stretches the texts of a page in the browser, and finds what does not fit any more. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const inPage = readFileSync(new URL('long-texts.page.js', import.meta.url), 'utf8')

/** Every text of one language with the longest version any language has of it. */
export function longestOf(trees: readonly unknown[], shown: unknown): [string, string][] {
  const pairs: [string, string][] = []
  const walk = (nodes: unknown[], own: unknown): void => {
    if (typeof own === 'string') {
      const versions = nodes.filter((node): node is string => typeof node === 'string')
      pairs.push([own, versions.reduce((long, text) => (text.length > long.length ? text : long), own)])
    } else if (typeof own === 'object' && own !== null) {
      for (const key of Object.keys(own)) {
        const below = nodes.map((node) => (node as Record<string, unknown> | undefined)?.[key])
        walk(below, (own as Record<string, unknown>)[key])
      }
    }
  }
  walk([...trees], shown)
  return pairs
}

/**
 * Puts the longest version in place of every text on the page, and makes it longer by `more` of its length with words
 * of its own. Texts with values in them are stretched as they are. Numbers and addresses stay.
 */
export async function stretchTexts(page: Page, longest: [string, string][], more: number): Promise<void> {
  await page.evaluate(`${inPage}; longTexts.stretchTexts(${JSON.stringify(longest)}, ${more})`)
}

/** What sticks out of the page or is cut off: one line each. */
export function findMisfits(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`${inPage}; longTexts.findMisfits()`)
}
