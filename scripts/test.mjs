// `npm test`: set-up, then format, lint, types, unused code and every test, those in a browser included.
// The last line is `N passed, N failed`; each static check counts as one test.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setUp } from './setup.mjs'
import { cacheDir, node24, root, withTools } from './setup/run.mjs'

await setUp({ system: ['bubblewrap', 'chromium'], web: true })

const modules = join(root, 'node_modules')
const checks = [
  ['format', ['oxfmt/bin/oxfmt', '--check']],
  ['lint', ['oxlint/bin/oxlint', '--deny-warnings']],
  ['types', ['typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json']],
  ['types of routes', ['@react-router/dev/bin.cjs', 'typegen'], 'apps/web'],
  ['types of the web part', ['typescript/bin/tsc', '--noEmit', '-p', '.'], 'apps/web'],
  ['unused code', ['knip/bin/knip.js', '--no-progress']],
]

let passed = 0
let failed = 0
for (const [title, [program, ...args], folder = '.'] of checks) {
  const { status, output } = await runNode([join(modules, program), ...args], { cwd: join(root, folder), quiet: true })
  console.log(`${status === 0 ? '✓' : '✗'} ${title}`)
  if (status === 0) passed += 1
  else {
    failed += 1
    console.log(output)
  }
}

mkdirSync(cacheDir, { recursive: true })
const report = join(cacheDir, 'tests.json')
rmSync(report, { force: true })
const vitest = [join(modules, 'vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json']
const run = await runNode([...vitest, `--outputFile.json=${report}`, ...process.argv.slice(2)])
const counts = countTests()
passed += counts.passed
failed += counts.failed
// An error outside of any test, or a run that broke off, fails the run without failing a test.
if (run.status !== 0 && counts.failed === 0) failed += 1

console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function countTests() {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    // A file that could not be loaded holds no failed test, and yet fails.
    const broken = testResults.filter((file) => {
      return file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed')
    })
    return { passed: numPassedTests, failed: numFailedTests + broken.length }
  } catch (error) {
    console.error(`no results: ${error.message}`)
    return { passed: 0, failed: 1 }
  }
}

function runNode(args, { cwd = root, quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(node24, args, { cwd, env: withTools(), stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit' })
    let output = ''
    child.stdout?.on('data', (text) => (output += text))
    child.stderr?.on('data', (text) => (output += text))
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal))
    child.once('close', (status) => resolve({ status: status ?? 1, output }))
  })
}
