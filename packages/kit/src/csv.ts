/** CSV as RFC 4180 has it, safe to open in a spreadsheet: a text that would be taken for a formula gets an apostrophe. */
const formula = /^[=+\-@\t\r]/

function cell(value: string | number): string {
  const text = typeof value === 'string' && formula.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One line with its end. Numbers stay numbers, negative ones too. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}
