/** CSV as RFC 4180 has it, safe to open in a spreadsheet: a cell that would be taken for a formula gets an apostrophe. */
const formula = /^[=+\-@\t\r]/

function cell(value: string): string {
  const text = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}
