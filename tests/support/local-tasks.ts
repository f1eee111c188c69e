/** Runs tasks beside servers as plain processes of this machine: what a box would see is where it is. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Cluster, Task, TaskLine, TaskRun } from '../../apps/server/src/adapters/clusters/cluster.ts'

/** @param volumeOf the folder of a server's volume */
export function createLocalTasks(volumeOf: (serverId: string) => string): Pick<Cluster, 'runTask'> & {
  running: Set<TaskRun>
} {
  const running = new Set<TaskRun>()
  async function runTask(serverId: string, task: Task): Promise<TaskRun> {
    const volume = volumeOf(serverId)
    mkdirSync(volume, { recursive: true })
    const seen: [string, string][] = [
      ['/opt/wakestone/bin/node', process.execPath],
      ...Object.entries(task.tools ?? {}).map(([name, host]): [string, string] => [
        `/opt/wakestone/tools/${name}`,
        host,
      ]),
      ...Object.entries(task.folders ?? {}).map(([name, { host }]): [string, string] => [`/mnt/${name}`, host]),
      ['/data', volume],
    ]
    for (const { host } of Object.values(task.folders ?? {})) mkdirSync(host, { recursive: true })
    const translate = (text: string) =>
      seen.reduce(
        (result, [inside, host]) => result.replaceAll(new RegExp(`(?<![\\w./-])${inside}(?![\\w.-])`, 'g'), host),
        text,
      )
    const [program = '', ...args] = task.command.map(translate)
    const env = Object.fromEntries(Object.entries(task.env ?? {}).map(([name, text]) => [name, translate(text)]))
    const child = spawn(program, args, {
      cwd: volume,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const ended = new Promise<Awaited<TaskRun['exit']>>((resolve) => {
      child.once('error', () => resolve({ code: 127, signal: null, outOfMemory: false }))
      child.once('close', (code, signal) => resolve({ code, signal, outOfMemory: false }))
    })
    const waiting: TaskLine[] = []
    let wake = () => {}
    let isOver = false
    for (const [stream, from] of [
      ['out', child.stdout],
      ['err', child.stderr],
    ] as const)
      createInterface({ input: from }).on('line', (text) => {
        waiting.push({ stream, text: text.slice(0, 64 * 1024) })
        wake()
      })
    void ended.then(() => {
      isOver = true
      running.delete(run)
      wake()
    })
    const run: TaskRun = {
      exit: ended,
      lines: {
        async *[Symbol.asyncIterator]() {
          for (;;) {
            const line = waiting.shift()
            if (line !== undefined) yield line
            else if (isOver) return
            else await new Promise<void>((resolve) => (wake = resolve))
          }
        },
      },
      cancel() {
        if (child.pid !== undefined && !isOver) process.kill(-child.pid, 'SIGINT')
      },
    }
    running.add(run)
    return run
  }
  return { runTask, running }
}
