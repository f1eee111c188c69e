// `npm test [-- filter …]`: set-up, then format, lint, types, unused code and every test, those in a browser included.
// The last line is `N passed, N failed`; each static check counts as one test.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setUp } from './setup.mjs'
import { sandboxTools } from './setup/system-tools.mjs'
import { root } from './setup/run.mjs'
import { end, runNode, runVitest } from './testing/run.mjs'

await setUp({
  everything: true,
  system: [...sandboxTools, 'chromium', 'openssh-client'],
  web: true,
  nameServer: true,
  helm: true,
})

/** Each checker resolves types on its own, so too many are slower. Two programs are checked at the same time. */
const checkers = ['--checkers', String(Math.max(1, Math.floor(availableParallelism() / 2)))]
/** First: the checks below read what this writes. */
const generated = await runRow([['types of routes', ['@react-router/dev/bin.cjs', 'typegen'], 'apps/web']])
/** Those of a row run one after the other, rows side by side. */
const rows = [
  [
    ['format', ['oxfmt/bin/oxfmt', '--check']],
    ['lint', ['oxlint/bin/oxlint', '--deny-warnings']],
    ['types', ['typescript/bin/tsc', '--noEmit', ...checkers, '-p', 'tsconfig.json']],
  ],
  [
    ['types of the web part', ['typescript/bin/tsc', '--noEmit', ...checkers, '-p', '.'], 'apps/web'],
    ['unused code', ['knip/bin/knip.js', '--no-progress']],
  ],
]
const checked = [...generated, ...(await Promise.all(rows.map(runRow))).flat()]
const passed = checked.filter(Boolean).length

const tests = await runVitest(process.argv.slice(2), { report: 'tests.json' })
end({ passed: passed + tests.passed, failed: checked.length - passed + tests.failed })

/** @returns for each check whether it passed. */
async function runRow(checks) {
  const results = []
  for (const [title, [program, ...args], folder = '.'] of checks) {
    const path = join(root, 'node_modules', program)
    const { status, output } = await runNode([path, ...args], { cwd: join(root, folder), quiet: true })
    console.log(status === 0 ? `✓ ${title}` : `✗ ${title}\n${output}`)
    results.push(status === 0)
  }
  return results
}
