/** Processes of the product that tests start, kill and put others in the place of. */
import { type ChildProcess, spawn } from 'node:child_process'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const clock = join(import.meta.dirname, 'money/shifted-clock.mjs')

export type RunningProcess = {
  child: ChildProcess
  /** Where it listens. */
  port: number
  ended: Promise<void>
}

/** Starts processes that all go by one clock, which can be set ahead, and remembers them. */
export function createProcesses(env: Record<string, string>) {
  const children = new Set<ChildProcess>()
  let offset = 0

  return {
    /** Milliseconds by which their clock is ahead of the machine's. */
    offset: () => offset,
    /** @param entry a file that sends `{ready: port}` when it is. */
    async start(entry: string, more: Record<string, string> = {}): Promise<RunningProcess> {
      const child = spawn(process.execPath, ['--import', clock, join(root, entry)], {
        cwd: root,
        env: { ...env, ...more, PATH: process.env['PATH'], CLOCK_OFFSET: String(offset) },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      children.add(child)
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve())).then(
        () => void children.delete(child),
      )
      const port = await new Promise<number>((resolve, reject) => {
        child.on('message', ({ ready }: { ready?: number }) => ready !== undefined && resolve(ready))
        child.once('exit', () => reject(new Error(`${entry} ended while starting`)))
        setTimeout(() => reject(new Error(`${entry} does not start`)), 120_000).unref()
      })
      return { child, port, ended }
    },
    /** Sets the clock of all ahead; in the end none goes by the old one. */
    async setAhead(milliseconds: number): Promise<void> {
      offset = milliseconds
      await Promise.all(
        [...children].map(
          (child) =>
            new Promise<void>((resolve) => {
              const heard = ({ clock: heardOf }: { clock?: number }) => heardOf === milliseconds && done()
              const done = () => {
                child.off('message', heard).off('exit', done)
                resolve()
              }
              child.on('message', heard).once('exit', done)
              child.send({ clock: milliseconds }, (error) => error !== null && done())
            }),
        ),
      )
    },
    killAll() {
      for (const child of children) child.kill('SIGKILL')
    },
  }
}
export type Processes = ReturnType<typeof createProcesses>

/**
 * One process that serves at an address, and spares that begin, each on a processor of its own, to take its place.
 * @param start is given the address.
 */
export async function createRelay(start: (origin: string) => Promise<RunningProcess>, spareCount: number) {
  const door = await openDoor()
  const begin = () => start(door.origin)
  let current = await begin()
  const spares = Array.from({ length: spareCount }, begin)
  let replaced = Promise.resolve()
  let kills = 0
  door.leadTo(current.port)
  return {
    origin: door.origin,
    kills: () => kills,
    /**
     * Kills the one that serves, or else the next one, so many milliseconds from now or from when it serves.
     * @param onKill called at the moment itself.
     */
    kill(wait: number, onKill?: () => void): Promise<void> {
      replaced = replaced.then(async () => {
        await new Promise((resolve) => setTimeout(resolve, wait))
        onKill?.()
        door.leadTo(undefined)
        current.child.kill('SIGKILL')
        await current.ended
        kills++
        current = await (spares.shift() ?? begin())
        door.leadTo(current.port)
        if (spares.length < spareCount) spares.push(begin())
      })
      return replaced
    },
    async close() {
      await Promise.allSettled([replaced, ...spares])
      await door.close()
    },
  }
}

/** An address which leads to whatever serves; to nothing between a kill and the next. */
async function openDoor() {
  let target: number | undefined
  const open = new Set<Socket>()
  const server: Server = createServer((outside) => {
    if (target === undefined) return void outside.destroy()
    open.add(outside)
    outside.on('close', () => open.delete(outside))
    const inside = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    origin: `http://127.0.0.1:${port}`,
    leadTo: (to: number | undefined) => void (target = to),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy() // clients keep theirs for a minute
      }),
  }
}
