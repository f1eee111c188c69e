/** Commands that are run once beside a server, and die with whoever began them. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Task, TaskExit, TaskRun } from '../../cluster.ts'
import { countMemoryKills } from '../cgroup.ts'
import { killSandbox } from '../ending.ts'
import type { Found } from '../launch.ts'
import { withLock } from '../lock.ts'
import { boxPaths, type ServerPaths } from '../paths.ts'
import { findSandbox } from '../placement.ts'
import { findFirstChild, kill } from '../processes.ts'
import { inside } from '../sandbox.ts'
import { type Extra, insideBox } from './arguments.ts'
import { cgroupOf, removeBox } from './ending.ts'
import { type BoxHost, prepareServer, startBox, volumeOf } from './start-box.ts'
import { readLines, type TaskLines } from './task-lines.ts'

const NAME = /^[a-z][a-z-]{0,19}$/
const SHOWN_NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/
const MAX_INPUT = 1024 ** 2
const PATIENCE_MS = 10_000

type Begun = { child: ChildProcess; output: TaskLines; exit: Promise<TaskExit> }

type Asked = { serverId: string; paths: ServerPaths; task: Task }

/** @throws Error where it cannot be started */
export async function runTask(host: BoxHost, found: Found, asked: Asked): Promise<TaskRun> {
  checkTask(asked.task)
  try {
    return await startTask(host, found, asked)
  } catch (error) {
    // A machine may stand still for longer than a start may take.
    if ((error as { mayBeTriedAgain?: boolean }).mayBeTriedAgain !== true) throw error
    host.logger.warn({ serverId: asked.serverId, task: asked.task.name, err: error }, 'task started once more')
    return startTask(host, found, asked)
  }
}

async function startTask(host: BoxHost, found: Found, { serverId, paths, task }: Asked): Promise<TaskRun> {
  const name = `${task.name}-${randomBytes(4).toString('hex')}`
  const own = boxPaths(paths, name)
  const { promise: started, resolve: noteStarted } = Promise.withResolvers<void>()
  let begun: Begun | undefined

  try {
    await withLock(paths.lock, async () => {
      const server = await prepareServer(host, found, paths, serverId)
      const volumePath = task.volume === 'none' ? undefined : await volumeOf(found, server)
      await startBox(host, found, server, {
        name,
        memoryBytes: task.memoryBytes,
        volume: task.volume,
        volumePath,
        network: task.network,
        extras: extrasOf(task),
        shown: {},
        env: task.env ?? {},
        staysUp: false,
        command: { inside: task.command, bare: bareCommand(task, { node: host.nodePath, volume: volumePath }) },
        begun: (child) => (begun = begin(child)),
      })
    })
  } catch (error) {
    noteStarted()
    await begun?.exit
    await removeBox(paths, serverId, name)
    const reason = begun?.output.tail()
    if (reason) (error as Error).message += `: ${reason}`
    throw error
  }
  noteStarted()
  const { child: ran, output: written, exit } = begun as unknown as Begun
  return { lines: written.lines, exit, cancel }

  function begin(child: ChildProcess): Begun {
    const output = readLines({ out: child.stdout as Readable, err: child.stderr as Readable })
    const input = child.stdin as Writable
    input.on('error', () => {}) // it does not read, or has ended
    input.end(task.stdin ?? '')
    return { child, output, exit: waitForEnd(child) }
  }

  async function waitForEnd(child: ChildProcess): Promise<TaskExit> {
    const { code, signal } = await new Promise<Omit<TaskExit, 'outOfMemory'>>((resolve) =>
      child.once('close', (status, by) => resolve({ code: status, signal: by })),
    )
    await started // which reads what is removed here
    const outOfMemory = countMemoryKills(cgroupOf(serverId, name)) > 0
    await removeBox(paths, serverId, name).catch(() => {}) // tried again with the next box of the server
    return { ...(found.sandboxed ? readCode({ code, signal }) : { code, signal }), outOfMemory }
  }

  function cancel() {
    const sandbox = findSandbox(own)
    if (sandbox === undefined) return
    const command = sandbox.init ? findFirstChild(sandbox.init.pid) : sandbox.outer?.pid
    if (command !== undefined) kill(command, 'SIGINT')
    const patience = setTimeout(() => void killSandbox(own, cgroupOf(serverId, name)).catch(() => {}), PATIENCE_MS)
    ran.once('close', () => clearTimeout(patience))
  }
}

export function checkTask({ name, command, tools = {}, folders = {}, env = {}, stdin = '' }: Task) {
  const names = [...Object.keys(tools), ...Object.keys(folders)]
  const isGood =
    NAME.test(name) &&
    command.length > 0 &&
    names.every((shown) => SHOWN_NAME.test(shown)) &&
    Object.keys(env).every((variable) => VARIABLE.test(variable)) &&
    ![...command, ...Object.values(env)].some((word) => word.includes('\0')) &&
    Buffer.byteLength(stdin) <= MAX_INPUT
  if (!isGood)
    throw new Error(`task ${name} cannot be run: a name, the environment or the input is not as it has to be`)
}

const extrasOf = ({ tools = {}, folders = {} }: Task): Extra[] => [
  ...Object.entries(tools).map(([name, host]) => ({ host, at: join(insideBox.tools, name), write: false })),
  ...Object.entries(folders).map(([name, { host, write }]) => ({
    host,
    at: join(insideBox.folders, name),
    write,
    isOwn: true,
  })),
]

/** The command where there is no sandbox: its paths are those of this machine. */
function bareCommand(task: Task, { node, volume }: { node: string; volume: string | undefined }): string[] {
  const places: [string, string][] = [
    [inside.node, node],
    ...extrasOf(task).map(({ at, host }): [string, string] => [at, host]),
    ...(volume === undefined ? [] : [[inside.volume, volume] as [string, string]]),
  ]
  const translate = (word: string) => {
    for (const [at, here] of places)
      if (word === at || word.startsWith(`${at}/`)) return `${here}${word.slice(at.length)}`
    return word
  }
  return task.command.map(translate)
}

/** Bubblewrap tells like a shell how its command has ended. */
export function readCode({ code, signal }: Omit<TaskExit, 'outOfMemory'>): Omit<TaskExit, 'outOfMemory'> {
  const number = code === null ? 0 : code - 128
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0]
  return name === undefined ? { code, signal } : { code: null, signal: name }
}
