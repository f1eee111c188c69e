import { languages } from '@wakestone/contract/values'
import { expect, test } from 'vitest'
import { findLanguageRedirect } from './language-redirect.ts'

/** Where `address` leads a visitor who reads Polish: `→` for good, `⇢` for this visitor, `=` nowhere. */
function follow(address: string, spoken: readonly ('en' | 'pl' | 'de')[] = languages): string {
  const url = new URL(`https://wakestone.example${address}`)
  const found = findLanguageRedirect(url, spoken, 'pl')
  if (found === undefined) return '='
  if (found === 'missing') return '404'
  return `${found.isPermanent ? '→' : '⇢'} ${found.to}`
}

test.each([
  ['/', '⇢ /pl'],
  ['/?ref=a%20b', '⇢ /pl?ref=a%20b'],
  ['/offers', '⇢ /pl/offers'],
  ['/offers/', '⇢ /pl/offers'],
  ['/offers/create?a=1&b=%2F', '⇢ /pl/offers/create?a=1&b=%2F'],
  ['/m', '⇢ /pl/m'],
  ['/xx/offers', '⇢ /pl/offers'],
  ['/xx', '⇢ /pl'],
  ['/fr-FR/offers?x', '⇢ /pl/offers?x'],
  ['/es-419/offers', '⇢ /pl/offers'],
  ['/zh-Hant-TW/offers', '⇢ /pl/offers'],
  ['/pl-PL/offers', '→ /pl/offers'],
  ['/pl_PL/offers', '→ /pl/offers'],
  ['/PL-pl/offers?x=1', '→ /pl/offers?x=1'],
  ['/EN', '→ /en'],
  ['/en-US', '→ /en'],
  ['/en-GB/', '→ /en'],
  ['/de-DE/offers', '→ /de/offers'],
  ['/pl/', '→ /pl'],
  ['/pl/offers/', '→ /pl/offers'],
  ['/pl//offers', '→ /pl/offers'],
  ['/pl/offers', '='],
  ['/de?x', '='],
  ['/pl/no/such/page', '='],
  ['/s', '⇢ /pl/s'],
  ['/s/', '⇢ /pl/s'],
  ['/s/quiet-fox', '='],
  ['/s/quiet-fox/events/', '='],
  ['/foo.php', '404'],
  ['/xx/wp-login.php?x', '404'],
  ['/.env', '404'],
  ['/pl/foo.php', '='],
  ['/my-shop', '⇢ /pl/my-shop'],
])('%s %s', (address, expected) => expect(follow(address)).toBe(expected))

test.each([
  ['/de/offers', '⇢ /pl/offers'],
  ['/de-DE/offers?x', '⇢ /pl/offers?x'],
  ['/pl-PL', '→ /pl'],
])('where no German is spoken: %s %s', (address, expected) => expect(follow(address, ['en', 'pl'])).toBe(expected))

test.each([
  '//evil.example',
  '//evil/x',
  '/\\evil/x',
  '///evil',
  '/%2F%2Fevil',
  '/%5Cevil',
  '/xx//evil/x',
  '/pl-PL//evil',
])('%s stays on this host', (address) => {
  const found = findLanguageRedirect({ pathname: address.replaceAll('\\', '/'), search: '' }, languages, 'pl')
  if (found === 'missing' || found === undefined) return
  expect(found.to).toMatch(/^\/pl(?:\/[^/\\]|$)/)
  expect(new URL(found.to, 'https://wakestone.example').host).toBe('wakestone.example')
})
