/**
 * Takes the pictures of maps anew, with which apps/map-renderer/src/draw-region.test.ts compares:
 *
 *   node scripts/map-pictures.ts --update
 *
 * Look at what `git diff` shows before committing it.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import {
  referencePictures,
  regionVersions,
  takeRegionPicture,
} from '../apps/map-renderer/src/test-support/region-picture.ts'

if (process.argv[2] !== '--update') {
  console.error('node scripts/map-pictures.ts --update   takes the pictures anew')
  process.exit(2)
}
mkdirSync(referencePictures, { recursive: true })
for (const version of regionVersions)
  writeFileSync(join(referencePictures, `${version}.png`), PNG.sync.write(await takeRegionPicture(version)))
