// Running programs from set-up: quietly, their output kept for when they fail.
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
export const cacheDir = join(root, '.cache')
/** Node 24 as the repository brings it, whatever runs this script. */
export const node24 = join(root, 'node_modules/.bin/node')
export const logFile = join(cacheDir, 'setup.log')

/** The environment with the repository's programs first. */
export function withTools(extra = {}) {
  return { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`, ...extra }
}

/**
 * Runs a program to its end and returns what it printed. Everything also goes to `.cache/setup.log`.
 * @throws with the last lines of the output when it fails.
 */
export function run(command, args, options = {}) {
  mkdirSync(cacheDir, { recursive: true })
  return new Promise((resolve, reject) => {
    appendFileSync(logFile, `\n$ ${command} ${args.join(' ')}\n`)
    const child = spawn(command, args, { cwd: root, env: withTools(), stdio: ['ignore', 'pipe', 'pipe'], ...options })
    let output = ''
    let printed = ''
    const keep = (text) => {
      output += text
      appendFileSync(logFile, text)
    }
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text
      keep(text)
    })
    child.stderr.setEncoding('utf8').on('data', keep)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(printed)
      const tail = output.trim().split('\n').slice(-15).join('\n')
      reject(new Error(`${command} ${args[0] ?? ''} ended with ${signal ?? code}\n${tail}\n(all of it: ${logFile})`))
    })
  })
}

/** Tells what is being done, and in the end how long it took. */
export async function step(title, work) {
  const began = Date.now()
  console.log(`  ${title} …`)
  const result = await work()
  console.log(`  ${title}: ${((Date.now() - began) / 1000).toFixed(1)} s`)
  return result
}
