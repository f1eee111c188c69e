/** Runs a tool of the system, as one that gives way to everybody else. */
import { execFile } from 'node:child_process'

const LONGEST_MS = 60 * 60_000

export type ToolOptions = { cwd: string; signal: AbortSignal }

/** @throws Error with the first line of what the tool complains of */
export function runTool(program: string, parameters: string[], { cwd, signal }: ToolOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { cwd, timeout: LONGEST_MS, signal, maxBuffer: 64 * 1024 }
    execFile('nice', ['-n', '10', program, ...parameters], options, (error, _out, text) => {
      if (error) reject(new Error(text.trim().split('\n', 1)[0] || error.message))
      else resolve()
    })
  })
}
