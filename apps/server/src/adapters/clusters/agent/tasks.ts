/** Runs a command beside a server on the machine of an agent. It ends with the connection that began it. */
import { lstatSync, readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { create } from 'tar'
import type { Task, TaskExit, TaskLine, TaskRun } from '../cluster.ts'
import { contentOf } from '../docker/content.ts'
import { checkTask } from '../process/boxes/tasks.ts'
import { type Brought, bringFolder, holdFolder } from './folders.ts'
import { readMessages } from './lines.ts'
import type { Machine } from './machine.ts'
import { type TaskMessage, taskMessageSchema, type TaskOrder } from './messages.ts'

/** Kept until they are read; then the oldest are dropped. */
const MOST_LINES = 5_000
const MOST_CHARACTERS = 8 * 1024 ** 2

/** @throws Error where it cannot be started */
export async function runTask(machine: Machine, serverId: string, task: Task): Promise<TaskRun> {
  checkTask(task)
  const copied = Object.entries(task.folders ?? {}).filter(([, { mayBeEmpty }]) => mayBeEmpty !== true)
  const written = copied.flatMap(([, { host, write }]) => (write ? host : [])).sort()
  const { promise: begun, resolve, reject } = Promise.withResolvers<TaskRun>()
  // Held until the outcome is back.
  const held = written.reduceRight<() => Promise<void>>(
    (next, folder) => () => holdFolder(folder, next),
    async () => {
      const brought = new Map<string, Brought>()
      try {
        for (const [name, { host }] of copied) brought.set(name, await bringFolder(machine, host))
        const run = await beginTask(machine, { serverId, task, brought })
        const { promise: exit, resolve: tell } = Promise.withResolvers<TaskExit>()
        resolve({ ...run, exit })
        let ended = await run.exit
        try {
          for (const [name, { write }] of ended.isKnown ? copied : []) if (write) await brought.get(name)?.take()
        } catch {
          ended = lost // whoever asked for it must not take it for done
        }
        tell({ code: ended.code, signal: ended.signal, outOfMemory: ended.outOfMemory })
      } finally {
        for (const folder of brought.values()) void folder.drop()
      }
    },
  )
  held().catch(reject)
  return begun
}

type Ended = TaskExit & { isKnown: boolean }
/** It has ended with its connection. */
const lost: Ended = { code: null, signal: 'SIGKILL', outOfMemory: false, isKnown: false }

async function beginTask(
  machine: Machine,
  { serverId, task, brought: copies }: { serverId: string; task: Task; brought: ReadonlyMap<string, Brought> },
): Promise<Omit<TaskRun, 'exit'> & { exit: Promise<Ended> }> {
  const { tools = {}, folders = {}, ...rest } = task
  const brought: TaskOrder['tools'] = []
  for (const [name, path] of Object.entries(tools)) {
    const { hash } = contentOf({ [name]: path })
    await machine.bring(`/v1/tools/${hash}`, () => pack(name, path))
    brought.push({ name, hash })
  }
  const order: TaskOrder = {
    serverId,
    task: rest,
    tools: brought,
    folders: Object.entries(folders).map(([name, { write }]) => ({
      name,
      write,
      brought: copies.get(name)?.id ?? null,
    })),
  }
  const ending = new AbortController()
  const response = await machine.stream('POST', '/v1/task', { body: order, signal: ending.signal })
  const messages = readMessages(response, taskMessageSchema)[Symbol.asyncIterator]()
  const first = await messages.next()
  const began = first.done === true ? undefined : first.value
  if (began?.kind !== 'began') {
    ending.abort()
    throw new Error(began?.kind === 'failed' ? began.error : 'the agent does not begin the task')
  }
  const kept = createQueue()
  const { promise: exit, resolve } = Promise.withResolvers<Ended>()
  void (async () => {
    let ended = lost
    try {
      for (let next = await messages.next(); next.done !== true; next = await messages.next())
        ended = take(next.value) ?? ended
    } catch {
      // The connection is gone, and the task with it.
    } finally {
      ending.abort()
      kept.end()
      resolve(ended)
    }
  })()

  function take(message: TaskMessage): Ended | undefined {
    if (message.kind === 'line') kept.push({ stream: message.stream, text: message.text })
    if (message.kind !== 'end') return undefined
    const { code, signal, outOfMemory } = message
    return { code, signal, outOfMemory, isKnown: true }
  }
  return {
    lines: kept.lines(),
    exit,
    cancel: () => void machine.tell(`/v1/task/${began.id}/cancel`).catch(() => ending.abort()),
  }
}

function createQueue() {
  const items: TaskLine[] = []
  let characters = 0
  let isOver = false
  let wake = () => {}

  function shift(): TaskLine | undefined {
    const line = items.shift()
    characters -= line?.text.length ?? 0
    return line
  }
  return {
    push(line: TaskLine) {
      items.push(line)
      characters += line.text.length
      while (items.length > MOST_LINES || characters > MOST_CHARACTERS) shift()
      wake()
    },
    end() {
      isOver = true
      wake()
    },
    async *lines(): AsyncGenerator<TaskLine> {
      for (;;) {
        const line = shift()
        if (line !== undefined) yield line
        else if (isOver) return
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}

/** A file or folder under its name. */
function pack(name: string, path: string): Readable {
  const isFolder = lstatSync(path).isDirectory()
  const bytes = new PassThrough()
  const options = isFolder ? { cwd: path, prefix: name } : { cwd: dirname(path) }
  const packed = create(
    {
      ...options,
      portable: true,
      follow: false,
      onWriteEntry: (entry: { path: string }) => void (isFolder || (entry.path = name)),
    },
    isFolder ? readdirSync(path) : [basename(path)],
  )
  packed.on('error', (error: unknown) => bytes.destroy(error as Error))
  packed.pipe(bytes)
  return bytes
}
