// Running checks and vitest, and telling what came of them.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { cacheDir, node24, root, withTools } from '../setup/run.mjs'

const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const slowestShown = 10

/**
 * Runs tests and prints which files took longest.
 * @param {string[]} args for vitest
 * @param {{ env?: Record<string, string>, report: string }} options `report`: name of the file of results in `.cache`
 * @returns how many passed and failed
 */
export async function runVitest(args, { env, report: name }) {
  mkdirSync(cacheDir, { recursive: true })
  const report = join(cacheDir, name)
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { status } = await runNode([vitest, 'run', ...reporters, ...args], { env })
  const { passed, failed, files } = readReport(report)
  if (files.length > 0) console.log(`Slowest files:\n${files.slice(0, slowestShown).map(tell).join('\n')}`)
  // An error outside of any test, or a run that broke off, fails the run without failing a test.
  return { passed, failed: status !== 0 && failed === 0 ? 1 : failed }
}

/** The last line of each run of tests; the process ends by it. */
export function end({ passed, failed }) {
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}

/** Runs Node 24 to its end. @returns its status, and what it printed if it is `quiet`. */
export function runNode(args, { cwd = root, env, quiet = false } = {}) {
  return new Promise((resolve) => {
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit'
    const child = spawn(node24, args, { cwd, env: withTools(env), stdio })
    let output = ''
    child.stdout?.on('data', (text) => (output += text))
    child.stderr?.on('data', (text) => (output += text))
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal))
    child.once('close', (status) => resolve({ status: status ?? 1, output }))
  })
}

function readReport(report) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    // A file that could not be loaded holds no failed test, and yet fails.
    const broken = testResults.filter((file) => {
      return file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed')
    })
    const files = testResults
      .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
      .sort((one, other) => other.seconds - one.seconds)
    return { passed: numPassedTests, failed: numFailedTests + broken.length, files }
  } catch (error) {
    console.error(`no results: ${error.message}`)
    return { passed: 0, failed: 1, files: [] }
  }
}

function tell({ name, seconds }) {
  return `${seconds.toFixed(1).padStart(7)} s  ${relative(root, name)}`
}
