/**
 * Takes the pictures of all components anew, with which tests/e2e/gallery.long.test.ts compares:
 *
 *   node scripts/gallery.ts --update
 *
 * Look at what `git diff` shows before committing it.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import sharp from 'sharp'
import { openBrowser, steadyLetters } from '../tests/support/browser.ts'
import {
  colourThreshold,
  galleryPictures,
  galleryViews,
  startGallery,
  takeGalleryPictures,
} from '../tests/support/gallery.ts'

if (process.argv[2] !== '--update') {
  console.error('node scripts/gallery.ts --update   takes the pictures anew')
  process.exit(2)
}
const gallery = await startGallery()
const browser = await openBrowser(steadyLetters)
try {
  const pictures = new Map<string, Buffer>()
  for (const view of galleryViews)
    for (const [name, png] of await takeGalleryPictures(browser, gallery.origin, view)) pictures.set(name, png)
  rmSync(galleryPictures, { recursive: true, force: true })
  mkdirSync(galleryPictures, { recursive: true })
  for (const [name, png] of pictures) {
    writeFileSync(join(galleryPictures, name), await shrink(png))
  }
} finally {
  await browser.close()
  gallery.stop()
}

/** With a palette a picture is a third of the size; it is used only where no pixel changes. */
async function shrink(png: Buffer): Promise<Buffer> {
  const small = await sharp(png)
    .png({ palette: true, quality: 100, effort: 10, dither: 0, compressionLevel: 9 })
    .toBuffer()
  const [one, other] = [PNG.sync.read(png), PNG.sync.read(small)]
  const isSame =
    pixelmatch(one.data, other.data, undefined, one.width, one.height, { threshold: colourThreshold }) === 0
  return isSame ? small : sharp(png).png({ compressionLevel: 9 }).toBuffer()
}
