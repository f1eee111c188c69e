/** Programs of the system that build a server's network. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = ['/usr/sbin', '/sbin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/local/bin']

/** Path of a program, wherever `PATH` leads. */
export const findProgram = (name: string) =>
  FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path))

/** @throws Error where there is none. */
export function needProgram(name: string): string {
  const path = findProgram(name)
  if (path === undefined) throw new Error(`${name} is not installed`)
  return path
}

/**
 * Runs a program to its end and gives what it wrote.
 * @throws Error with the last of what it complained about
 */
export function run(name: string, args: string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(needProgram(name), args, { stdio: ['pipe', 'pipe', 'pipe'] })
    let output = ''
    let complaint = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    child.stdin.on('error', () => {}) // it has ended, which the end tells
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) return resolve(output)
      const reason = complaint.trim().split('\n').slice(0, 3).join(' | ')
      reject(new Error(`${name} ${args.slice(0, 4).join(' ')}: ${reason || `ended with ${code}`}`))
    })
    child.stdin.end(input)
  })
}
