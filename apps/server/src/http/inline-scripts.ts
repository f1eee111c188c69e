/**
 * Makes a page fit to be shown to many: its scripts are let in by what they are, instead of by a nonce, which no two
 * answers may share. Only scripts with the page's own nonce are named, so one that was slipped in stays shut out.
 */
import { createHash } from 'node:crypto'

const script = /<script\b([^>]*)>([\s\S]*?)<\/script>/g

/**
 * @returns the page without its nonce, and the sources that let its scripts in; undefined if the nonce is elsewhere too.
 */
export function nameScripts(html: string, nonce: string): { html: string; sources: readonly string[] } | undefined {
  const attribute = ` nonce="${nonce}"`
  const sources = new Set<string>()
  for (const [, attributes = '', text = ''] of html.matchAll(script)) {
    const isRun = !attributes.includes('type="application/ld+json"')
    if (isRun && text !== '' && attributes.includes(attribute))
      sources.add(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  }
  const shared = html.replaceAll(attribute, '')
  return shared.includes(nonce) ? undefined : { html: shared, sources: [...sources] }
}
