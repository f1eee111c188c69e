/**
 * Draws the icons of the site into `public/`: `node build-steps/draw-icons.ts`. One lantern; the small ones stand on
 * nothing and follow the system's theme, the others fill a tile that a phone may cut to its own shape.
 */
import { writeFileSync } from 'node:fs'
import sharp from 'sharp'

const folder = new URL('../public/', import.meta.url)
const night = '#0e1116'

function drawLantern({ line, light, weight }: { line: string; light: string; weight: number }): string {
  return (
    `<g fill="none" stroke="${line}" stroke-width="${weight}"><path d="M8.6 8.2V6.4a3.4 3.4 0 0 1 6.8 0v1.8" stroke-linecap="round"/>` +
    `<path d="M7.1 8.2h9.8l1.7 11.2a1.4 1.4 0 0 1-1.4 1.6H6.8a1.4 1.4 0 0 1-1.4-1.6Z" stroke-linejoin="round"/>` +
    `<rect x="9.6" y="11.4" width="4.8" height="6.2" rx="1.4" fill="${light}" stroke="none"/></g>`
  )
}

const svg = (viewBox: string, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${content}</svg>`

/** @param share of the tile's width that the lantern is high */
function drawTile(share: number, radius = 0): string {
  const size = 18.6 / share
  // The lantern's middle is at 12, 12.
  const corner = 12 - size / 2
  const box = [corner, corner, size, size].join(' ')
  const tile = `<rect x="${corner}" y="${corner}" width="${size}" height="${size}" rx="${radius * size}" fill="${night}"/>`
  return svg(box, tile + drawLantern({ line: '#e8ebef', light: '#f5b942', weight: 1.7 }))
}

const drawPng = (source: string, size: number) =>
  sharp(Buffer.from(source), { density: 72 * 32 })
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer()

/** An `.ico` of one picture, which may be a PNG since Windows Vista. */
function packIco(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2) // an icon
  head.writeUInt16LE(1, 4) // of one picture
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10) // planes
  head.writeUInt16LE(32, 12) // bits
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

const themed =
  '<style>g{stroke:#1b1f24}rect{fill:#d8920f}@media(prefers-color-scheme:dark){g{stroke:#e8ebef}rect{fill:#f5b942}}</style>' +
  drawLantern({ line: '#1b1f24', light: '#d8920f', weight: 1.9 })
writeFileSync(new URL('favicon.svg', folder), `${svg('1.5 1.5 21 21', themed)}\n`)
writeFileSync(new URL('favicon.ico', folder), packIco(await drawPng(drawTile(0.82, 0.2), 32), 32))
writeFileSync(new URL('apple-touch-icon.png', folder), await drawPng(drawTile(0.62), 180))
// Shown as they are.
for (const size of [96, 192, 512])
  writeFileSync(new URL(`icon-whole-${size}.png`, folder), await drawPng(drawTile(0.7, 0.22), size))
// What a phone leaves of a maskable icon is at least its inner circle of four fifths.
for (const size of [192, 512]) writeFileSync(new URL(`icon-${size}.png`, folder), await drawPng(drawTile(0.52), size))
