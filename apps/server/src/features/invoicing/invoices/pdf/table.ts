import { colours, isTaxed, margin, moneyOf, type Paper, percentOf, roomFor } from './paper.ts'

/** The lines; a page that they go on to has the headings again. @returns where they end. */
export function table(paper: Paper, from: number): number {
  const { page, printed, texts, right } = paper
  const { snapshot, language } = printed
  const money = moneyOf(printed)
  const rateText = (rate: number) => (isTaxed(snapshot) ? percentOf(rate, language) : texts.notTaxed)
  // Right edges of the columns of figures.
  const columns = {
    quantity: right - 328,
    unit: right - 258,
    net: right - 190,
    rate: right - 144,
    vat: right - 78,
    gross: right,
  }
  const figure = (
    text: string,
    edge: number,
    y: number,
    style: { weight?: 400 | 600; color?: string; size?: number } = {},
  ) => page.text(text, edge - 90, y, { size: 9, width: 90, align: 'right', ...style })
  function headings(y: number): number {
    page.box(margin, y, right - margin, 22, colours.panel)
    const heading = { size: 8.5, weight: 600 as const, color: colours.soft }
    page.text(texts.description, margin + 8, y + 5, heading)
    for (const [name, edge] of Object.entries(columns) as [keyof typeof columns, number][]) {
      const label = {
        quantity: texts.quantity,
        unit: texts.unitNet,
        net: texts.net,
        rate: texts.rate,
        vat: texts.vat,
        gross: texts.gross,
      }[name]
      figure(label, name === 'gross' ? edge - 8 : edge, y + 5, heading)
    }
    return y + 30
  }
  let y = headings(from)
  for (const line of snapshot.lines) {
    const description = { size: 9.5, width: columns.quantity - 34 - margin }
    const room = roomFor(paper, y, page.heightOf(line.description[language], description) + 12)
    if (room !== y) y = headings(room)
    const height = page.text(line.description[language], margin + 8, y, description)
    figure(String(line.net < 0 ? -line.quantity : line.quantity), columns.quantity, y)
    figure(money(Math.round(Math.abs(line.net) / line.quantity)), columns.unit, y)
    figure(money(line.net), columns.net, y)
    figure(rateText(line.rate), columns.rate, y)
    figure(isTaxed(snapshot) ? money(line.vat) : '–', columns.vat, y)
    figure(money(line.gross), columns.gross - 8, y, { weight: 600 })
    y += Math.max(height, 13) + 7
    page.line(margin, y - 3, right, colours.rule, 0.5)
    y += 4
  }
  return y
}
