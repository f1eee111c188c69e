/**
 * CSV as RFC 4180 has it, safe to open in a spreadsheet: a text that would be taken for a formula gets an apostrophe. So
 * does what would be one in the middle of a text: where commas are decimal points, a spreadsheet takes semicolons or tabs
 * for the ends of cells, and quotes within a cell mean nothing to it.
 */
const formula = /^(?=\s*[=+\-@])|^(?=[\t\r])|(?<=[;\t\r\n])(?=[\s"]*[=+\-@])/g

function cell(value: string | number): string {
  const text = typeof value === 'string' ? value.replace(formula, "'") : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One line with its end. Numbers stay numbers, negative ones too. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}
