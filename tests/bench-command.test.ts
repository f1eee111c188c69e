/** `npm run bench` itself, with benches that print what any of them prints. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { isLong } from './support/long.ts'

const command = join(import.meta.dirname, '../scripts/bench.mjs')
const folder = mkdtempSync(join(tmpdir(), 'ws-benches-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const figure = (figures: object) => `console.log('${JSON.stringify(figures)}')\n`

async function runBenches(benches: Record<string, string>, ...args: string[]) {
  const own = mkdtempSync(join(folder, 'some-'))
  for (const [name, source] of Object.entries(benches)) writeFileSync(join(own, `${name}.ts`), source)
  const child = spawn(process.execPath, [command, ...(args.length > 0 ? args : [own])])
  const ended = new Promise((resolve) => child.once('close', resolve))
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await ended, lines: printed.trimEnd().split('\n'), complaints }
}

test('the figures of all benches stand in one table', async () => {
  const { status, lines } = await runBenches({
    first: `console.log('measuring')\n${figure({ name: 'pages', value: 1200, unit: '/s', reach: '≥ 1000', ok: true })}`,
    second: figure({ name: 'memory', value: 80, unit: 'MiB' }),
  })
  expect(lines.slice(1)).toEqual([
    'first',
    '  measuring',
    '  ✓ pages: 1200 /s',
    '',
    'second',
    '  · memory: 80 MiB',
    '',
    '   What    Figure   Reach',
    '✓  pages   1200 /s  ≥ 1000',
    '·  memory  80 MiB',
  ])
  expect(status).toBe(0)
})

test.runIf(isLong)('what is not reached, and a bench that breaks off, fail the command', async () => {
  const missed = await runBenches({ slow: figure({ name: 'pages', value: 7, unit: '/s', reach: '≥ 1000', ok: false }) })
  expect(missed.lines.at(-1)).toBe('✗  pages  7 /s    ≥ 1000')
  expect(missed.status).toBe(1)

  const broken = await runBenches({ broken: `${figure({ name: 'pages', value: 7, unit: '/s' })}process.exit(3)` })
  expect(broken.lines.at(-1)).toMatch(/^✗ .*broken\.ts broke off$/)
  expect(broken.lines).toContain('·  pages  7 /s')
  expect(broken.status).toBe(1)
})

test('a name that no bench has is refused', async () => {
  const { status, complaints } = await runBenches({}, 'no-such-bench')
  expect(complaints).toMatch(/no bench no-such-bench: there are .*gateway, .*ledger/)
  expect(status).toBe(2)
})
