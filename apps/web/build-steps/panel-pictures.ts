/**
 * Makes the pictures of the panel on the home page out of docs/screens: `node build-steps/panel-pictures.ts`,
 * after those were taken anew. Prints the sizes that `pictures.ts` states.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const screens = join(import.meta.dirname, '../../../docs/screens')
const target = join(import.meta.dirname, '../app/screens/home/pictures')

/** The screen, how much of its height is shown, and the widths it is needed in. */
const pictures = [
  { name: 'server', screen: 'server', view: 1440, height: 945, widths: [720, 1440] },
  { name: 'create', screen: 'create', view: 1440, height: 1000, widths: [720, 1440] },
  { name: 'phone', screen: 'server', view: 390, height: 1720, widths: [390] },
] as const

await mkdir(target, { recursive: true })
for (const { name, screen, view, height, widths } of pictures) {
  for (const theme of ['dark', 'light'] as const) {
    const whole = sharp(join(screens, `${screen}-${theme}-${view}.png`))
    const shown = Math.min(height, (await whole.metadata()).height)
    const cut = await whole.extract({ left: 0, top: 0, width: view, height: shown }).png().toBuffer()
    for (const width of widths) {
      const picture = sharp(cut).resize({ width })
      await picture.avif({ quality: 62, effort: 3 }).toFile(join(target, `${name}-${theme}-${width}.avif`))
      if (width === widths.at(-1))
        await picture.webp({ quality: 80, effort: 6 }).toFile(join(target, `${name}-${theme}.webp`))
    }
    process.stdout.write(`${name} ${theme}: ${view} × ${shown}\n`)
  }
}
