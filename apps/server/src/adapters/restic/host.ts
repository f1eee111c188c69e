/** restic in a plain process, for what is the operator's own; what customers have is touched in boxes alone (`run.ts`). */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { faultOf, ResticError } from './errors.ts'
import { parseLine, readExitError } from './messages.ts'

export type HostCall = {
  program: string
  repository: string
  args: string[]
  cwd: string
  /** Statuses that are no failures. */
  accepts?: readonly number[]
  /** restic's own variables are taken from it: its password, and the keys of its storage. */
  env: Record<string, string | undefined>
}

/** What it wrote: answers on standard output, and complaints. */
export type Said = { lines: string[]; complaints: string[] }

/** @throws ResticError */
export async function runOnHost({ program, repository, args, cwd, env, accepts = [] }: HostCall): Promise<Said> {
  const child = spawn(program, args, {
    cwd,
    env: { ...env, RESTIC_REPOSITORY: repository },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const said: string[] = []
  createInterface({ input: child.stdout }).on(
    'line',
    (line) => void (parseLine(line)?.['message_type'] !== 'status' && lines.push(line)),
  )
  createInterface({ input: child.stderr }).on('line', (line) => {
    const parsed = parseLine(line)
    const words = parsed === undefined ? line : (readExitError(parsed) ?? '')
    if (words !== '') said.push(words)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0 && !accepts.includes(code ?? -1))
    throw new ResticError(faultOf(code), `restic ${args[0]}: status ${code}: ${said.slice(-5).join(' · ')}`)
  return { lines, complaints: said }
}
