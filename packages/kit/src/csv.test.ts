import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('cells with commas, quotes and line ends are quoted, lines end as RFC 4180 has it', () => {
  expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', ''])).toBe('a,"b,c","say ""hi""","two\nlines",\r\n')
})

test.each(['=1+1', '+48', '-1', '@SUM(A1)', '\tx', '\rx', '=HYPERLINK("http://evil.example")'])(
  'what a spreadsheet takes for a formula is text: %j',
  (value) => {
    expect(csvLine([value]).replace(/^"/, '')).toMatch(/^'/)
  },
)

test('numbers stay numbers', () => {
  expect(csvLine([-12.5, 0, '-12.5'])).toBe("-12.5,0,'-12.5\r\n")
})

test('what is written is read back', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (cells) => {
      expect(read(csvLine(cells))).toEqual(cells.map((value) => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value)))
    }),
  )
})

/** The grammar of RFC 4180 for one line. */
function read(line: string): string[] {
  expect(line.endsWith('\r\n')).toBe(true)
  const cells: string[] = []
  let rest = `${line.slice(0, -2)},`
  while (rest !== '') {
    const [all, quoted, plain] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*)),/.exec(rest) ?? expect.fail(`not CSV: ${rest}`)
    cells.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    rest = rest.slice(all.length)
  }
  return cells
}
