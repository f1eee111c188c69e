/** Runs tasks for the control plane: each is told of line by line, and ends with the connection that began it. */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { TaskMessage, TaskOrder } from '#src/adapters/clusters/agent/messages.ts'
import type { Cluster, Task, TaskRun } from '#src/adapters/clusters/cluster.ts'
import type { Store } from './store.ts'

const MOST_TASKS = 500

export function createTasks({
  cluster,
  store,
  dataDir,
}: {
  cluster: Pick<Cluster, 'runTask'>
  store: Pick<Store, 'toolAt' | 'folderAt'>
  dataDir: string
}) {
  const running = new Map<string, TaskRun>()

  function taskOf({ serverId, task, tools, folders }: TaskOrder): Task {
    const { env, stdin, ...rest } = task
    const placeOf = ({ name, brought }: TaskOrder['folders'][number]) => {
      if (brought !== null) return store.folderAt(brought)
      const own = join(dataDir, 'folders', serverId, name)
      mkdirSync(own, { recursive: true, mode: 0o711 })
      return own
    }
    return {
      ...rest,
      ...(env !== undefined && { env }),
      ...(stdin !== undefined && { stdin }),
      tools: Object.fromEntries(tools.map(({ name, hash }) => [name, store.toolAt(hash, name)])),
      folders: Object.fromEntries(
        folders.map((folder) => [folder.name, { host: placeOf(folder), write: folder.write }]),
      ),
    }
  }

  async function run(order: TaskOrder, answer: ServerResponse): Promise<void> {
    answer.writeHead(200, { 'content-type': 'application/x-ndjson' })
    const write = (message: TaskMessage): Promise<void> | undefined =>
      answer.write(`${JSON.stringify(message)}\n`) || answer.destroyed
        ? undefined
        : new Promise((resolve) => {
            answer.once('drain', resolve)
            answer.once('close', resolve)
          })
    if (running.size >= MOST_TASKS) {
      await write({ kind: 'failed', error: 'too many tasks run here' })
      return void answer.end()
    }
    let begun: TaskRun
    try {
      begun = await cluster.runTask(order.serverId, taskOf(order))
    } catch (error) {
      await write({ kind: 'failed', error: (error as Error).message })
      return void answer.end()
    }
    const id = randomBytes(8).toString('hex')
    running.set(id, begun)
    const end = () => begun.cancel()
    answer.once('close', end)
    if (answer.destroyed) end()
    try {
      await write({ kind: 'began', id })
      for await (const { stream, text } of begun.lines) await write({ kind: 'line', stream, text })
      await write({ kind: 'end', ...(await begun.exit) })
      answer.off('close', end)
    } finally {
      running.delete(id)
      answer.end()
    }
  }

  return {
    run,
    /** @returns false where there is no such task */
    cancel(id: string): boolean {
      const task = running.get(id)
      task?.cancel()
      return task !== undefined
    },
    /** Of all that run. */
    cancelAll: () => void [...running.values()].forEach((task) => task.cancel()),
  }
}
