/** A real game of Bedrock Edition, SerenityJS as its package holds it, as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { extract } from 'tar'
import { vi } from 'vitest'
import { buildSerenityArtifact } from '../../engines/serenity/src/build.ts'
import { findFreePort } from './ports.ts'

const cache = join(import.meta.dirname, '../../node_modules/.cache/wakestone')

/** The unpacked engine; made once for all tests. */
async function engineFolder(): Promise<string> {
  const { file, sha256 } = await buildSerenityArtifact({ outDir: join(cache, 'artifacts') })
  const folder = join(cache, `serenity-${sha256}`)
  if (existsSync(folder)) return folder
  const draft = mkdtempSync(join(cache, 'serenity-draft-'))
  await extract({ file: join(cache, 'artifacts', file), cwd: draft })
  try {
    renameSync(draft, folder)
  } catch {
    rmSync(draft, { recursive: true }) // another file of tests was faster
  }
  return folder
}

const given = new Set<number>()

/** A port that was free a moment ago for UDP and for TCP, which signalling needs at the same one; each is given once. */
export async function freeUdpPort(): Promise<number> {
  for (;;) {
    const port = await findFreePort()
    if (given.has(port) || !(await isFreeForUdp(port))) continue
    given.add(port)
    return port
  }
}

function isFreeForUdp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').once('error', () => resolve(false))
    socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)))
  })
}

export type BedrockGame = {
  port: number
  child: ChildProcess
  /** Resolves with the first line of that form. */
  line(pattern: RegExp): Promise<string>
  type(command: string): void
  close(): Promise<void>
}

/** @param options.folder the server's files; its own, which goes with it, where missing */
export async function startBedrockGame(options: { folder?: string; port?: number } = {}): Promise<BedrockGame> {
  const engine = await engineFolder()
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'wakestone-bedrock-'))
  mkdirSync(folder, { recursive: true })
  const port = options.port ?? (await freeUdpPort())
  const child = spawn(process.execPath, ['--max-old-space-size=512', join(engine, 'server.js'), '--port', `${port}`], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const line = (pattern: RegExp) =>
    vi.waitFor(
      () => {
        const found = lines.find((one) => pattern.test(one))
        if (found === undefined) throw new Error(`no ${pattern} in\n${lines.join('\n')}`)
        return found
      },
      { timeout: 40_000, interval: 20 },
    )
  await line(/INFO\] Server started\./)
  return {
    port,
    child,
    line,
    type: (command) => void child.stdin.write(`${command}\n`),
    async close() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
