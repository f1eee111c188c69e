import { escapeHtml } from './escape-html.ts'

/**
 * A table of a text as HTML. On a narrow screen each row becomes a block of its own, with the column's name before each
 * cell; the roles say what a style sheet would hide.
 * @param header `html` of each column's name, and its words alone. Rows are HTML.
 */
export function writeTable({
  header,
  rows,
}: {
  header: readonly { html: string; label: string }[]
  rows: readonly (readonly string[])[]
}): string {
  const heads = header.map(({ html, label }) =>
    label.trim() === '' ? '<td role="cell"></td>' : `<th role="columnheader" scope="col">${html}</th>`,
  )
  const lines = rows.map((row) => {
    const cells = row.map(
      (cell, column) => `<td role="cell" data-label="${escapeHtml(header[column]?.label ?? '')}">${cell}</td>`,
    )
    return `<tr role="row">${cells.join('')}</tr>`
  })
  const head = `<thead role="rowgroup"><tr role="row">${heads.join('')}</tr></thead>`
  return `<table role="table">${head}<tbody role="rowgroup">${lines.join('')}</tbody></table>\n`
}
