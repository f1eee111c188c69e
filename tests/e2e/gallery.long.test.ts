/**
 * Every component looks as it was found good: in all its states, light and dark, narrow and wide. A change that is
 * meant is kept by `node scripts/gallery.ts --update`, and its pictures are looked at.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, steadyLetters } from '../support/browser.ts'
import {
  colourThreshold,
  galleryPictures,
  galleryViews,
  startGallery,
  takeGalleryPictures,
} from '../support/gallery.ts'

/** Where pictures that differ are left, each as expected, as it is, and with the difference in red. */
const failures = join(tmpdir(), 'wakestone-gallery')
/** Edges of letters may fall a shade otherwise on another machine; a border that moved is far more than this. */
const toleratedShare = 0.0002

let gallery: Awaited<ReturnType<typeof startGallery>>
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser(steadyLetters)
  gallery = await startGallery()
})
afterAll(async () => {
  await browser?.close()
  gallery?.stop()
})

test.each(galleryViews)('$theme, $width px', async (view) => {
  const pictures = await takeGalleryPictures(browser, gallery.origin, view)
  const suffix = `-${view.theme}-${view.width}.png`
  const known = readdirSync(galleryPictures).filter((name) => name.endsWith(suffix))
  expect([...pictures.keys()].sort(), 'run `node scripts/gallery.ts --update` after adding a section').toEqual(
    known.sort(),
  )
  const faultsIn = (taken: Map<string, Buffer>) => [...taken].filter(([name, actual]) => compare(name, actual) !== null)
  const doubtful = faultsIn(pictures)
  // On a busy machine letters now and then fall otherwise; what has changed looks so the second time too.
  const again = doubtful.length === 0 ? pictures : await takeGalleryPictures(browser, gallery.origin, view)
  const faults = doubtful.flatMap(([name]) => compare(name, again.get(name)!) ?? [])
  expect(faults, `meant? Then \`node scripts/gallery.ts --update\``).toEqual([])
})

function compare(name: string, actualBytes: Buffer): string | null {
  const expectedBytes = readFileSync(join(galleryPictures, name))
  const [expected, actual] = [PNG.sync.read(expectedBytes), PNG.sync.read(actualBytes)]
  const leave = (kind: string, bytes: Buffer) => {
    if (!existsSync(failures)) mkdirSync(failures, { recursive: true })
    const path = join(failures, name.replace('.png', `.${kind}.png`))
    writeFileSync(path, bytes)
    return path
  }
  if (expected.width !== actual.width || expected.height !== actual.height) {
    leave('expected', expectedBytes)
    return `${name}: ${actual.width} × ${actual.height} instead of ${expected.width} × ${expected.height}, see ${leave('actual', actualBytes)}`
  }
  const { width, height } = expected
  const difference = new PNG({ width, height })
  const count = pixelmatch(expected.data, actual.data, difference.data, width, height, { threshold: colourThreshold })
  if (count <= width * height * toleratedShare) return null
  leave('expected', expectedBytes)
  leave('actual', actualBytes)
  return `${name}: ${count} pixels differ, see ${leave('difference', PNG.sync.write(difference))}`
}
