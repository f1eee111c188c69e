/** The story of a first customer; told twice in a row, since the second customer meets what the first one left. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { isLong } from '../support/long.ts'
import { type TestProduct, useProduct } from '../support/product.ts'
import { tellStory } from '../support/story.ts'

let product: TestProduct
let browser: Browser
beforeAll(async () => {
  product = await useProduct()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

test.each(isLong ? ['zosia', 'piotrek'] : ['zosia'])('%s rents a server and a friend joins it', async (name) => {
  await tellStory(product, browser, name)
})
