/** What tests of boxes share. Run as a program, it tries one as the user it runs as, and prints what it saw. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Cluster, Task, TaskExit, TaskLine } from '../../cluster.ts'
import { boxesFolder, runtimeRoot, serverPaths } from '../paths.ts'
import { openSandboxBench } from './sandbox-bench.ts'

const MIB = 1024 ** 2

export const shellTask = (text: string, changes: Partial<Task> = {}): Task => ({
  name: 'try',
  command: ['/bin/sh', '-c', text],
  volume: 'write',
  network: 'none',
  memoryBytes: 256 * MIB,
  ...changes,
})

export type Ran = TaskExit & { out: string[]; err: string[] }

export async function runTask(cluster: Cluster, serverId: string, task: Task): Promise<Ran> {
  const { lines, exit } = await cluster.runTask(serverId, task)
  const all: TaskLine[] = []
  for await (const line of lines) all.push(line)
  const of = (stream: string) => all.filter((line) => line.stream === stream).map(({ text }) => text)
  return { ...(await exit), out: of('out'), err: of('err') }
}

/** What the stub of a files service answers: to `config`, or to a script that it runs. */
export function ask(path: string, text: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(text))
    let heard = ''
    socket.on('data', (data) => {
      heard += data.toString()
      if (!heard.endsWith('\n')) return
      resolve(JSON.parse(heard) as Record<string, unknown>)
      socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('closed')))
  })
}

/** What of a server's boxes is left on this machine. */
export function tracesOf(dataDir: string, serverId: string): string[] {
  const paths = serverPaths(dataDir, serverId)
  const names = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
  const cgroups = ['/sys/fs/cgroup/wakestone', '/sys/fs/cgroup/memory/wakestone', '/sys/fs/cgroup/pids/wakestone']
  const root = runtimeRoot(dataDir)
  return [
    ...names(boxesFolder(paths)),
    ...names(root).filter((name) => join(root, name).startsWith(`${paths.runtime}-`)),
    ...names(join(root, 'stage')),
    ...cgroups.flatMap(names).filter((name) => name.startsWith(`${serverId}-`)),
  ]
}

/** Loop devices over a file; one at most, or both of its file systems would write. */
export const loopsOf = (image: string) =>
  execFileSync('/usr/sbin/losetup', ['--associated', image], { encoding: 'utf8' }).split('\n').filter(Boolean)

if (process.argv[1] === import.meta.filename) {
  const bench = await openSandboxBench()
  try {
    const { serverId } = await bench.placeNew()
    const task = shellTask('id -u; echo mine > /data/file; ls -A /data /data/.wakestone; touch /data/.wakestone/x')
    const ran = await runTask(bench.cluster, serverId, task)
    const { path } = (await bench.cluster.openFiles(serverId, bench.limits)) as { path: string }
    const files = await ask(path, 'cat /data/file; ls -A /data/.wakestone')
    await bench.cluster.closeBoxes(serverId)
    process.stdout.write(`${JSON.stringify({ ran, files, traces: tracesOf(bench.dataDir, serverId) })}\n`)
  } finally {
    await bench.close()
  }
}
