/**
 * Makes the pictures of the panel on the home page, in each language, out of docs/screens:
 * `node build-steps/panel-pictures.ts`, after those were taken anew. Prints the sizes that `pictures.ts` states.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { languages } from '@wakestone/contract/primitives'
import sharp from 'sharp'

const screens = join(import.meta.dirname, '../../../docs/screens')
const target = join(import.meta.dirname, '../app/screens/home/pictures')

/** The screen, what is cut out of it, without the panel's menu where there is one, and the widths it is needed in. */
const pictures = [
  { name: 'server', screen: 'server', view: 1440, left: 228, height: 900, widths: [720, 1212] },
  { name: 'create', screen: 'create', view: 1440, left: 228, height: 960, widths: [720, 1212] },
  { name: 'phone', screen: 'server', view: 390, left: 0, height: 1720, widths: [390] },
] as const

await mkdir(target, { recursive: true })
for (const language of languages) {
  const folder = language === 'en' ? screens : join(screens, language)
  for (const { name, screen, view, left, height, widths } of pictures) {
    for (const theme of ['dark', 'light'] as const) {
      const whole = sharp(join(folder, `${screen}-${theme}-${view}.webp`))
      const shown = Math.min(height, (await whole.metadata()).height)
      const cut = await whole
        .extract({ left, top: 0, width: view - left, height: shown })
        .png()
        .toBuffer()
      const file = join(target, `${name}-${language}-${theme}`)
      for (const width of widths) {
        const picture = sharp(cut).resize({ width })
        await picture.avif({ quality: 62, effort: 3 }).toFile(`${file}-${width}.avif`)
        if (width === widths.at(-1)) await picture.webp({ quality: 80, effort: 6 }).toFile(`${file}.webp`)
      }
      process.stdout.write(`${name} ${language} ${theme}: ${view - left} × ${shown}\n`)
    }
  }
}
