/** Tools of the system, each given what it works on as an open descriptor (3 and on), and ended with whoever asked. */
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { Readable, type Writable } from 'node:stream'

const { spawn } = process.getBuiltinModule('node:child_process')
const COMPLAINT = 4 * 1024

export type ToolOptions = {
  /** Inherited as descriptors 3, 4, … */
  fds?: number[]
  /** As a path of this process; `/proc/self/fd/N` of it is fine. */
  cwd?: string
  stdin?: 'pipe' | 'ignore'
  /** Another tool's standard input takes it over. */
  stdout?: 'pipe' | 'ignore' | Writable
  signal?: AbortSignal
  env?: Record<string, string>
  /** Runs when nobody else wants the processor, as `nice` has it. */
  nice?: number
  onComplaint?: (text: string) => void
}

export type Tool = {
  child: ChildProcess
  out: Readable
  /** Exit code; null where a signal ended it. What it complained of, the last of it. */
  ended: Promise<{ code: number | null; complaint: string }>
  end(): void
}

export function startTool(program: string, parameters: string[], options: ToolOptions = {}): Tool {
  const { fds = [], cwd = '/', stdin = 'ignore', stdout = 'pipe', signal, env = {}, nice, onComplaint } = options
  const [command, args] =
    nice === undefined ? [program, parameters] : ['nice', ['-n', String(nice), program, ...parameters]]
  const stdio: SpawnOptions['stdio'] = [stdin, stdout, 'pipe', ...fds]
  const child = spawn(command, args, { cwd, stdio, env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...env } })
  let complaint = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT)
    onComplaint?.(complaint)
  })
  const end = () => void child.kill('SIGKILL')
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  const ended = new Promise<{ code: number | null; complaint: string }>((resolve) => {
    let code: number | null = null
    child.on('error', (error) => (complaint = error.message))
    child.on('exit', (exit) => (code = exit))
    child.on('close', () => {
      signal?.removeEventListener('abort', end)
      resolve({ code, complaint })
    })
  })
  child.stdin?.on('error', () => {})
  return { child, out: child.stdout ?? Readable.from([]), ended, end }
}

/** @throws Error with what the tool complains of, unless it was ended by the signal */
export async function runTool(program: string, parameters: string[], options: ToolOptions = {}): Promise<string> {
  const { out, ended } = startTool(program, parameters, options)
  let text = ''
  out.setEncoding('utf8').on('data', (more: string) => (text = (text + more).slice(0, COMPLAINT)))
  const { code, complaint } = await ended
  options.signal?.throwIfAborted()
  if (code !== 0) throw new Error(`${program}: ${complaint.trim() || `ended with ${code}`}`)
  return text
}
