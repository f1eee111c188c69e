/**
 * Work on all files of a server while its game is down: snapshots to go back to, and clearing the volume.
 *
 * A snapshot is whole once its folder has its name. Going back and clearing are noted before they begin, begin anew when
 * they were cut off, and no game starts before they have ended.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileWork, LastFileWork, Snapshot } from '@wakestone/protocol/supervisor'
import { measureFolder } from './disk-usage.ts'
import { clearFiles } from './clear-files.ts'
import { runTool } from './tool.ts'
import { readJsonFile, type VolumePaths, writeFileAtomically } from './volume.ts'

/** Left free on the disk by a copy, for those who share it. */
const SPARE_BYTES = 256 * 1024 * 1024
const PROGRESS_MS = 1000

export type FileTask =
  | { kind: 'snapshot'; id: string }
  | { kind: 'restore'; id: string }
  | { kind: 'format'; keep: string[] }

export function createFileWorkshop({
  paths,
  onChange,
  onReplaced,
}: {
  paths: VolumePaths
  onChange: () => void
  /** Called before what is installed in the volume is replaced or cleared. */
  onReplaced: () => void
}) {
  const abort = new AbortController()
  const marker = join(paths.snapshots, 'under-way.json')
  let work: FileWork | null = null
  let last: LastFileWork | null = null
  /** The newest first: of many only so many are told. */
  let snapshots = listSnapshots()

  function listSnapshots(): Snapshot[] {
    if (!existsSync(paths.snapshots)) return []
    for (const name of readdirSync(paths.snapshots)) {
      if (name.endsWith('.part')) rmSync(join(paths.snapshots, name), { recursive: true, force: true })
    }
    return readdirSync(paths.snapshots, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name: id }) => ({ id, at: statSync(join(paths.snapshots, id)).ctime.toISOString() }))
      .sort((one, other) => (one.at < other.at ? 1 : -1))
  }

  async function run(task: FileTask) {
    const id = 'id' in task ? task.id : null
    work = { kind: task.kind, id, bytesDone: 0, bytesTotal: null }
    last = null
    onChange()
    let error: string | null = null
    try {
      if (task.kind === 'snapshot') await copyAway(task.id)
      else await replace(task)
    } catch (fault) {
      error = (fault as Error).message.slice(0, 300)
    }
    if (abort.signal.aborted) return
    last = { kind: task.kind, id, error, at: new Date().toISOString() }
    work = null
    onChange()
  }

  async function copyAway(id: string) {
    const folder = join(paths.snapshots, id)
    const draft = `${folder}.part`
    mkdirSync(paths.snapshots, { recursive: true, mode: 0o700 })
    const bytes = (await measureFolder(paths.volume, { signal: abort.signal, without: paths.ownName })) ?? 0
    await requireSpace(bytes)
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft, { mode: 0o700 })
    await copyAll({ from: paths.volume, to: draft, bytes })
    renameSync(draft, folder)
    snapshots = [{ id, at: new Date().toISOString() }, ...snapshots]
  }

  async function replace(task: Exclude<FileTask, { kind: 'snapshot' }>) {
    if (task.kind === 'restore') {
      const folder = join(paths.snapshots, task.id)
      const bytes = (await measureFolder(folder, { signal: abort.signal })) ?? 0
      const freed = (await measureFolder(paths.volume, { signal: abort.signal, without: paths.ownName })) ?? 0
      await requireSpace(bytes - freed)
      begin(task)
      await clearFiles({ folder: paths.volume, keep: [paths.ownName], signal: abort.signal })
      await copyAll({ from: folder, to: paths.volume, bytes })
    } else {
      begin(task)
      await clearFiles({ folder: paths.volume, keep: [paths.ownName, ...task.keep], signal: abort.signal })
    }
    rmSync(marker, { force: true })
  }

  /** From here on it has to be brought to its end. */
  function begin(task: FileTask) {
    onReplaced()
    writeFileAtomically(marker, JSON.stringify(task))
  }

  async function requireSpace(bytes: number) {
    const { bavail, bsize } = await statfs(paths.volume)
    if (bavail * bsize < bytes + SPARE_BYTES) throw new Error('there is not enough space on the disk')
  }

  /** By the system's own tools, which share blocks where the file system can. Links are copied, not followed. */
  async function copyAll({ from, to, bytes }: { from: string; to: string; bytes: number }) {
    let measuring = false
    const timer = setInterval(async () => {
      if (measuring) return
      measuring = true
      const bytesDone = Math.min(
        bytes,
        (await measureFolder(to, { signal: abort.signal, without: paths.ownName })) ?? 0,
      )
      measuring = false
      if (work === null) return
      work = { ...work, bytesDone, bytesTotal: bytes }
      onChange()
    }, PROGRESS_MS)
    try {
      const those = ['.', '-mindepth', '1', '-maxdepth', '1', '!', '-name', paths.ownName]
      await runTool('find', [...those, '-exec', 'cp', '-a', '--reflink=auto', '-t', to, '{}', '+'], {
        cwd: from,
        signal: abort.signal,
      })
      await runTool('sync', ['-f', to], { cwd: from, signal: abort.signal })
    } finally {
      clearInterval(timer)
    }
  }

  return {
    state: () => ({ fileWork: work, lastFileWork: last, snapshots }),
    isWorking: () => work !== null,
    /** No game may start: files are on their way, or were left half of what they should be. */
    isBusy: () => work !== null || existsSync(marker),
    has: (id: string) => snapshots.some((snapshot) => snapshot.id === id),
    /** Whether the very same is under way already. */
    isDoing: (kind: FileTask['kind'], id: string | null) => work !== null && work.kind === kind && work.id === id,
    /** Goes on with what was cut off. */
    resume() {
      const cutOff = readJsonFile(marker) as FileTask | undefined
      if (cutOff !== undefined) void run(cutOff)
    },
    begin: (task: FileTask) => void run(task),
    async remove(id: string) {
      const draft = join(paths.snapshots, `${id}.part`)
      snapshots = snapshots.filter((snapshot) => snapshot.id !== id)
      if (!existsSync(join(paths.snapshots, id))) return
      renameSync(join(paths.snapshots, id), draft)
      await runTool('rm', ['-rf', '--', draft], { cwd: paths.volume, signal: abort.signal })
      onChange()
    },
    close: () => abort.abort(),
  }
}
