/** Text on a page in Inter, whatever alphabet it is in: each run of letters is set in the part of the font that has them. */
import Pdf from 'pdfkit'
import { allowedInXml } from '../text.ts'
import { fontOf, type Part, runsOf, type Weight } from './fonts.ts'

export type Style = { size: number; weight?: Weight; color?: string; align?: 'left' | 'right'; width?: number }

export type Page = ReturnType<typeof createPage>

/** An A4 document of PDF/A-3 that is written from top to bottom; lengths are points. */
export function createPage(info: { title: string; author: string; language: string; created: Date }) {
  // These go into XML as they are.
  const plain = (words: string) => allowedInXml(words).replace(/[<>&]/g, ' ')
  const document = new Pdf({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    tagged: false,
    lang: info.language,
    font: '', // none but ours: it would read Helvetica each time
    displayTitle: true,
    info: {
      Title: plain(info.title),
      Author: plain(info.author),
      Producer: 'Wakestone',
      Creator: 'Wakestone',
      CreationDate: info.created,
      ModDate: info.created,
    },
  } as PDFKit.PDFDocumentOptions)
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  const known = new Set<string>()
  let pages = 1
  const nameOf = (part: Part, weight: Weight) => {
    const name = `${part}-${weight}`
    if (!known.has(name)) {
      // A font that is taken apart already: pdfkit takes it, its types do not say so.
      document.registerFont(name, fontOf(part, weight) as unknown as PDFKit.Mixins.PDFFontSource)
      known.add(name)
    }
    return name
  }

  function widthOf(words: string, { size, weight = 400 }: Style): number {
    return runsOf(words).reduce(
      (sum, run) => sum + document.font(nameOf(run.part, weight)).fontSize(size).widthOfString(run.text),
      0,
    )
  }

  /** Words into lines; a word that is too long is cut. */
  function wrap(words: string, style: Style): string[] {
    const { width } = style
    if (width === undefined) return [words]
    const lines: string[] = []
    for (const paragraph of words.split('\n')) {
      let line = ''
      for (const word of paragraph.split(' ')) {
        const longer = line === '' ? word : `${line} ${word}`
        if (widthOf(longer, style) <= width) {
          line = longer
          continue
        }
        if (line !== '') lines.push(line)
        line = ''
        for (const letter of word) {
          if (widthOf(line + letter, style) > width) {
            lines.push(line)
            line = ''
          }
          line += letter
        }
      }
      lines.push(line)
    }
    return lines
  }

  /** @returns how much height was used. */
  function text(value: string, x: number, y: number, style: Style): number {
    const leading = style.size * 1.4
    const lines = wrap(value, style)
    lines.forEach((line, index) => {
      let left = x
      if (style.align === 'right') left += (style.width ?? 0) - widthOf(line, style)
      for (const run of runsOf(line)) {
        document
          .font(nameOf(run.part, style.weight ?? 400))
          .fontSize(style.size)
          .fillColor(style.color ?? '#101418')
        document.text(run.text, left, y + index * leading, { lineBreak: false })
        left += document.widthOfString(run.text)
      }
    })
    return lines.length * leading
  }

  return {
    width: 595.28,
    height: 841.89,
    text,
    /** Height that a text would take. */
    heightOf: (value: string, style: Style) => wrap(value, style).length * style.size * 1.4,
    line: (x: number, y: number, to: number, color = '#d7dbe0', thickness = 0.75) =>
      void document.moveTo(x, y).lineTo(to, y).lineWidth(thickness).strokeColor(color).stroke(),
    box: (x: number, y: number, width: number, height: number, color: string) =>
      void document.rect(x, y, width, height).fill(color),
    newPage: () => {
      document.addPage()
      pages++
    },
    pages: () => pages,
    attach: (file: { name: string; content: string; type: string; description: string; created: Date }) =>
      void document.file(Buffer.from(file.content), {
        name: file.name,
        type: file.type,
        description: file.description,
        relationship: 'Alternative',
        creationDate: file.created,
        modifiedDate: file.created,
      } as never),
    /** Adds to the metadata of the file. */
    describe: (rdf: string) => void (document as unknown as { appendXML(xml: string): void }).appendXML(rdf),
    /** The product's sign, so many points wide. */
    lantern: (x: number, y: number, side: number) => {
      document
        .save()
        .translate(x, y)
        .scale(side / 21)
        .translate(-1.5, -1.5)
      document.lineWidth(1.9).strokeColor('#15181d').lineCap('round').lineJoin('round')
      document.path('M8.6 8.2V6.4a3.4 3.4 0 0 1 6.8 0v1.8').stroke()
      document.path('M7.1 8.2h9.8l1.7 11.2a1.4 1.4 0 0 1-1.4 1.6H6.8a1.4 1.4 0 0 1-1.4-1.6Z').stroke()
      document.roundedRect(9.6, 11.4, 4.8, 6.2, 1.4).fill('#d8920f')
      document.restore()
    },
    end: (): Promise<Buffer> => {
      document.end()
      return done
    },
  }
}
