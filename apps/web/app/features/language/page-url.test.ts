import { expect, test } from 'vitest'
import { pageUrl } from './page-url.ts'

test.each([
  ['/en/create?product=GRASS', '/en/create?product=GRASS'],
  ['/en/create.data?product=GRASS&_routes=a%2Cb', '/en/create?product=GRASS'],
  ['/pl.data', '/pl'],
  ['/_.data', '/'],
  ['/en/_.data', '/en/'],
])('%s is about %s', (asked, page) => {
  const { pathname, search } = pageUrl(new Request(`http://localhost${asked}`))
  expect(pathname + search).toBe(page)
})
