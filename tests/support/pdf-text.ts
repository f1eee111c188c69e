/** Text of a PDF as pdfkit writes it: glyphs of embedded fonts, named by their ToUnicode tables. */
import { inflateSync } from 'node:zlib'

/** All text of all pages, in the order in which it was set, a space between pieces. */
export function readPdfText(pdf: Buffer): string {
  const objects = new Map<string, { head: string; stream: string | undefined }>()
  const source = pdf.toString('latin1')
  for (const match of source.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [, id = '', body = ''] = match
    const start = body.indexOf('stream\n')
    const head = start === -1 ? body : body.slice(0, start)
    let stream: string | undefined
    if (start !== -1) {
      const raw = Buffer.from(body.slice(start + 7, body.lastIndexOf('\nendstream')), 'latin1')
      stream = head.includes('/FlateDecode') ? inflateSync(raw).toString('latin1') : raw.toString('latin1')
    }
    objects.set(id, { head, stream })
  }
  const fonts = new Map<string, Map<number, string>>()
  for (const { head } of objects.values()) {
    for (const [, name = '', reference = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const unicode = /\/ToUnicode (\d+) 0 R/.exec(objects.get(reference)?.head ?? '')?.[1]
      if (unicode !== undefined) fonts.set(name, readToUnicode(objects.get(unicode)?.stream ?? ''))
    }
  }
  const pieces: string[] = []
  for (const { stream } of objects.values()) {
    if (stream === undefined || !stream.includes(' Tf')) continue
    let font = new Map<number, string>()
    for (const [, name, shown] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (name !== undefined) font = fonts.get(name) ?? new Map<number, string>()
      if (shown === undefined) continue
      const glyphs = [...shown.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
      pieces.push(glyphs.map((glyph) => font.get(Number.parseInt(glyph, 16)) ?? '\ufffd').join(''))
    }
  }
  return pieces.join(' ')
}

function readToUnicode(table: string): Map<number, string> {
  const letters = new Map<number, string>()
  const decode = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le')
  for (const [, first = '', list = ''] of table.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g)) {
    let glyph = Number.parseInt(first, 16)
    for (const [, hex = ''] of list.matchAll(/<([0-9a-f\s]*)>/g)) letters.set(glyph++, decode(hex.replace(/\s/g, '')))
  }
  return letters
}
