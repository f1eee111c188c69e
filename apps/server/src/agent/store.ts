/** Files that the control plane brings here, each named by what it holds: packages for games, and tools for tasks. */
import { createHash, randomBytes } from 'node:crypto'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar'
import { unpackFolder, upTo } from '#src/adapters/clusters/agent/folders.ts'

const MOST_DOWNLOAD_BYTES = 4 * 1024 ** 3
const MOST_TOOL_BYTES = 1024 ** 3
/** Of tools that no task has used. */
const FOLDER_MS = 48 * 3_600_000
const KEPT_MS = 14 * 24 * 3_600_000

export type Store = ReturnType<typeof openStore>

export function openStore(dataDir: string) {
  const downloads = join(dataDir, 'cache', 'downloads')
  const tools = join(dataDir, 'cache', 'tools')
  const folders = join(dataDir, 'folders', 'of-tasks')
  const folderOf = (hash: string) => join(tools, hash)

  /** Takes away what nobody has asked for in a long time, and what a kill has left half made. */
  function removeOldOf(folder: string, keptMs: (name: string) => number) {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      const found = statSync(path, { throwIfNoEntry: false })
      if (found && Date.now() - found.mtimeMs > keptMs(name)) rmSync(path, { recursive: true, force: true })
    }
  }

  return {
    hasDownload: (name: string) => existsSync(join(downloads, name)),
    /** @throws Error when it is not what its name says */
    async takeDownload(name: string, bytes: Readable): Promise<void> {
      mkdirSync(downloads, { recursive: true, mode: 0o711 })
      const draft = join(downloads, `${name}.${randomBytes(4).toString('hex')}.new`)
      const [algorithm, expected] = name.split('-') as [string, string]
      const hash = createHash(algorithm)
      try {
        await pipeline(
          bytes,
          upTo(MOST_DOWNLOAD_BYTES, (chunk) => hash.update(chunk)),
          createWriteStream(draft, { mode: 0o644 }),
        )
        if (hash.digest('hex') !== expected) throw new Error('it is not what its name says')
        renameSync(draft, join(downloads, name))
      } finally {
        rmSync(draft, { force: true })
      }
    },
    hasTool(hash: string): boolean {
      if (!existsSync(folderOf(hash))) return false
      utimesSync(folderOf(hash), new Date(), new Date())
      return true
    },
    async takeTool(hash: string, bytes: Readable): Promise<void> {
      mkdirSync(tools, { recursive: true, mode: 0o755 })
      removeOldOf(tools, (name) => (name.includes('.') ? 3_600_000 : KEPT_MS))
      const draft = join(tools, `${hash}.${randomBytes(4).toString('hex')}`)
      mkdirSync(draft, { mode: 0o755 })
      try {
        await pipeline(bytes, upTo(MOST_TOOL_BYTES), extract({ cwd: draft, strict: true, preserveOwner: false }))
        // Somebody else may have brought it meanwhile.
        if (!existsSync(folderOf(hash))) renameSync(draft, folderOf(hash))
      } finally {
        rmSync(draft, { recursive: true, force: true })
      }
    },
    /** @throws Error where it was not brought */
    toolAt(hash: string, name: string): string {
      const path = join(folderOf(hash), name)
      if (!existsSync(path)) throw new Error(`the tool ${name} was not brought here`)
      return path
    },
    /** For one task. */
    async takeFolder(id: string, bytes: Readable): Promise<void> {
      mkdirSync(folders, { recursive: true, mode: 0o711 })
      removeOldOf(folders, () => FOLDER_MS)
      mkdirSync(join(folders, id), { mode: 0o711 })
      await unpackFolder(bytes, join(folders, id), { forAll: true }).catch((error: unknown) => {
        rmSync(join(folders, id), { recursive: true, force: true })
        throw error
      })
    },
    /** @throws Error where it was not brought */
    folderAt(id: string): string {
      const path = join(folders, id)
      if (!existsSync(path)) throw new Error('a folder was not brought here')
      return path
    },
    dropFolder: (id: string) => rmSync(join(folders, id), { recursive: true, force: true }),
  }
}
