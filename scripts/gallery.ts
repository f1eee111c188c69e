/**
 * Takes the pictures of all components anew, with which tests/e2e/gallery.long.test.ts compares:
 *
 *   node scripts/gallery.ts --update
 *
 * Look at what `git diff` shows before committing it.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { openBrowser, steadyLetters } from '../tests/support/browser.ts'
import { galleryPictures, galleryViews, startGallery, takeGalleryPictures } from '../tests/support/gallery.ts'

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
    // A palette is a third of the size, and nothing that the comparison sees is lost.
    const small = sharp(png).png({ palette: true, quality: 100, effort: 10, dither: 0, compressionLevel: 9 })
    await small.toFile(join(galleryPictures, name))
  }
} finally {
  await browser.close()
  gallery.stop()
}
