/** A real game server, flying-squid as a process of its own, and a real player of mineflayer. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pingServer } from '@wakestone/minecraft/ping-server'
import mineflayer from 'mineflayer'
import { until } from './wire.ts'

const PROGRAM = join(import.meta.dirname, '../../../../engines/flying-squid/src/game/server.ts')
const OLD_PROGRAM = join(import.meta.dirname, 'old-game.ts')
const NEWEST = '1.21.4'

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export async function startGame({ version = NEWEST }: { version?: string } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'wakestone-game-'))
  await writeFile(join(folder, 'server.properties'), 'level-type=flat\nmotd=A real game\nview-distance=2\n')
  const port = await freePort()
  const program = version === NEWEST ? [PROGRAM, '--port', String(port)] : [OLD_PROGRAM, version, String(port)]
  const child = spawn(process.execPath, ['--no-deprecation', ...program], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(`the game ended: ${output}`)
      return pingServer({ host: '127.0.0.1', port }).then(
        () => true,
        () => false,
      )
    },
    'game answers',
    40_000,
  )
  return {
    host: '127.0.0.1',
    port,
    output: () => output,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Player = {
  chat(text: string): void
  quit(): void
  end: Promise<unknown>
}

/** Joins under a host name and resolves once the player stands in the world. */
export async function joinGame(
  port: number,
  virtualHost: string,
  username: string,
  { version = NEWEST }: { version?: string } = {},
): Promise<Player> {
  // mineflayer's own types need more of its dependencies than are installed.
  const bot = (mineflayer as any).createBot({
    host: '127.0.0.1',
    port,
    fakeHost: virtualHost,
    username,
    version,
    auth: 'offline',
  })
  const errors: string[] = []
  bot.on('error', (error: Error) => errors.push(error.message))
  const end = new Promise((resolve) => bot.once('end', resolve))
  await new Promise<void>((resolve, reject) => {
    bot.once('spawn', resolve)
    // Heard from the protocol's own client: mineflayer begins to listen a moment later than a quick server answers.
    for (const packet of ['disconnect', 'kick_disconnect'])
      bot._client.once(packet, ({ reason }: { reason: unknown }) =>
        reject(new Error(`kicked: ${JSON.stringify(reason)}`)),
      )
    // The end may be told before the word that came with it was read.
    void end.then((reason) => setTimeout(() => reject(new Error(['ended', reason, ...errors].join(': '))), 1_000))
  })
  return { chat: (text) => bot.chat(text), quit: () => bot.quit(), end }
}
