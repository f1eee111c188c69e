/**
 * The tables as a file, for backups and restores. The file stands at the top of the volume, where whoever makes backups
 * sees it and the game can write: it comes there and goes from there by renaming, so that no link of the game's is
 * followed.
 */
import {
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MysqlStatus } from '@wakestone/protocol/mysql'
import { mysqlDump, mysqlName, type MysqlWork } from '@wakestone/protocol/values'
import { type GameUser, giveToGame } from '../game-user.ts'
import type { VolumePaths } from '../volume.ts'
import { ask, type MysqlAccess, openDump, runDump } from './client.ts'
import type { MysqlPaths } from './engine.ts'

const LONGEST_MS = 60 * 60_000

type MysqlWorkOptions = {
  paths: MysqlPaths
  volume: VolumePaths
  gameUser: GameUser | null
  use: <Result>(work: (access: MysqlAccess) => Promise<Result>) => Promise<Result>
  exists: () => boolean
  signal: AbortSignal
}

export function createMysqlWork({ paths, volume, gameUser, use, exists, signal }: MysqlWorkOptions) {
  const shown = join(volume.volume, mysqlDump)
  let work: MysqlStatus['work'] = null
  let last: MysqlStatus['lastWork'] = null

  const withinTime = () => AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])

  /** Writes a file that has its name once it is whole. */
  async function save(access: MysqlAccess, path: string): Promise<void> {
    const draft = `${path}.new`
    rmSync(draft, { force: true })
    const file = openSync(draft, 'wx', 0o600)
    const dump = openDump(access, withinTime())
    const written = createWriteStream(draft, { fd: file, autoClose: true, flush: true })
    await Promise.all([pipeline(dump.content, written), dump.end])
    renameSync(draft, path)
  }

  /** Puts the tables of a file in the place of all that are there. */
  async function replaceBy(access: MysqlAccess, path: string): Promise<void> {
    await ask(
      access,
      [`drop database if exists \`${mysqlName}\``, `create database \`${mysqlName}\` character set utf8mb4`],
      '',
    )
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW
    await runDump(access, createReadStream(path, { flags: flags as unknown as string }), withinTime())
  }

  const works: Record<MysqlWork, (id: string) => Promise<void>> = {
    async dump() {
      if (!exists()) return
      await use((access) => save(access, paths.dump))
      giveToGame(paths.dump, gameUser)
      removeShown()
      renameSync(paths.dump, shown)
    },
    async load(id) {
      const isThere = lstatSync(shown, { throwIfNoEntry: false })?.isFile() === true
      if (isThere) renameSync(shown, paths.load)
      if (!exists() || !existsSync(paths.load)) return
      await use(async (access) => {
        if (!existsSync(paths.before(id))) await save(access, paths.before(id))
        await replaceBy(access, paths.load)
      })
      rmSync(paths.load, { force: true })
    },
    async undo(id) {
      rmSync(paths.load, { force: true })
      if (exists() && existsSync(paths.before(id))) await use((access) => replaceBy(access, paths.before(id)))
    },
    async forget() {
      removeShown()
      if (!existsSync(paths.folder)) return
      for (const name of readdirSync(paths.folder))
        if (/^(?:before-.*|load|dump)\.sql(?:\.new)?$/.test(name)) rmSync(join(paths.folder, name), { force: true })
    },
  }

  /** Whatever the game has put there. */
  const removeShown = () => rmSync(shown, { recursive: true, force: true })

  async function run(kind: MysqlWork, id: string) {
    let error: string | null = null
    try {
      await works[kind](id)
    } catch (fault) {
      error = (fault as Error).message.slice(0, 300)
    }
    last = { kind, id, error }
    work = null
  }

  return {
    state: () => ({ work, lastWork: last }),
    /** @returns false while other work is under way */
    begin(kind: MysqlWork, id: string): boolean {
      const isSame = (one: { kind: MysqlWork; id: string } | null) => one?.kind === kind && one.id === id
      if (work !== null) return isSame(work)
      if (isSame(last) && last?.error === null) return true
      work = { kind, id }
      void run(kind, id)
      return true
    },
    clear() {
      last = null
    },
  }
}
