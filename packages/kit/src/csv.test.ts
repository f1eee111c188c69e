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

test('a formula in the middle of a text is none, where semicolons end cells', () => {
  expect(csvLine(['x;=1+1;y', 'a; b', 'x;"=1+1', 'x\t-2', '- one\n- two', '1;2'])).toBe(
    `x;'=1+1;y,a; b,"x;'""=1+1",x\t'-2,"'- one\n'- two",1;2\r\n`,
  )
})

const dangerous = fc.constantFrom(...';,\t\r\n "\'=+-@a1')
const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: dangerous }))
const lines = fc.array(fc.array(texts, { minLength: 1 }), { minLength: 1, maxLength: 4 })
const without = (text: string) => text.replaceAll("'", '')

test('what is written is read back; only apostrophes are added, and none to what begins no formula', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1 }), (cells) => {
      const back = read(csvLine(cells))
      expect(back.map(without)).toEqual(cells.map(without))
      const harmless = cells.map((cell) => cell.replace(/[=+\-@\t\r]/g, ''))
      expect(read(csvLine(harmless))).toEqual(harmless)
    }),
    { numRuns: 500 },
  )
})

test.each([',', ';', '\t'])('no spreadsheet whose cells end with %j finds a formula in texts', (separator) => {
  const find = (rows: string[][]) =>
    cellsOf(rows.map(csvLine).join(''), separator).filter((cell) => /^\s*[=+\-@]/.test(cell))
  fc.assert(
    fc.property(lines, (rows) => {
      expect(find(rows)).toEqual([])
    }),
    { numRuns: 1_000, examples: [[[['a', 'x;"=1', 'x;=1', ',;', '"=1', 'x\n=1\t=1', ' =1']]]] },
  )
})

/** As spreadsheets read: a cell that begins with a quote goes on to the next one and what then follows; others to their end. */
function cellsOf(file: string, separator: string): string[] {
  const cells: string[] = []
  let at = 0
  while (at < file.length) {
    let cell = ''
    if (file[at] === '"')
      for (at++; at < file.length && !(file[at] === '"' && file[++at] !== '"'); at++) cell += file[at]
    for (; at < file.length && !`${separator}\r\n`.includes(file[at] as string); at++) cell += file[at]
    cells.push(cell)
    at++
  }
  return cells
}

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
