/** The worlds of a server: listed, changed, made, taken in and away. What takes longer, or stops the game, are operations. */
import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import { DomainError, type ErrorFields } from '@wakestone/contract/errors'
import * as schemas from '@wakestone/contract/servers/worlds'
import type { LevelChange } from '@wakestone/minecraft/worlds/level-change'
import { bukkitParts, dimensionFolders } from '@wakestone/minecraft/worlds/layout'
import type { World as ToldWorld } from '@wakestone/protocol/worlds'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { canBackUp, flushWorld } from '#src/features/servers/backups/service.ts'
import { filesOf, requireWritableFiles } from '#src/features/servers/files/service.ts'
import { beginOperation, requireIdle } from '#src/features/servers/operations/service.ts'
import { requireNoDowngrade, requireRunnable, type ServerRow } from '#src/features/servers/servers/service.ts'
import { isThere } from './act.ts'
import { commandsOf } from './commands.ts'
import { describeWorlds, editionOf, findWorld, isInUse, nameOf, readWorlds } from './list.ts'
import { writeServerProperties } from './properties.ts'
import type { WorldAct, WorldInput } from './wish.ts'

export { worldChange, worldWork } from './operations.ts'

type Deps = Pick<Context, 'db' | 'boss' | 'fleet' | 'settings' | 'logger'>
type Asked = { server: ServerRow; userId: string }
type Begun = z.input<typeof schemas.begunWorldChangeSchema>

/** A game that is not done by then is copied as it is. */
const flushMilliseconds = 8_000
/** What removes something of the world that is played is backed up before. */
const backedUp: ReadonlySet<WorldAct['action']> = new Set(['reset', 'prune'])

const refuse = (reason: schemas.WorldObstacle, fields: ErrorFields = {}) =>
  new DomainError('world_cannot_do_that', { resource: 'file', reason, ...fields })

export async function listWorlds(deps: Pick<Context, 'fleet'>, server: ServerRow): Promise<schemas.WorldList> {
  return describeWorlds(server, await readWorlds(deps, server))
}

/** Begins an act, with the game down where it may have the world open. */
async function begin(
  deps: Deps,
  { server, userId }: Asked,
  { act, told, stops, in_seconds = 0 }: Pick<WorldInput, 'act' | 'told'> & { stops: boolean; in_seconds?: number },
): Promise<Begun> {
  const isBackedUp = stops && backedUp.has(act.action) && (await canBackUp(deps, server.id))
  const input: WorldInput = { act, told, isBackedUp, ...(stops && { warning: { seconds: in_seconds } }) }
  const { world, name, dimension } = told
  const id = await inTransaction(deps.db, (trx) =>
    beginOperation(deps, trx, {
      serverId: server.id,
      kind: stops ? 'world_change' : 'world_work',
      input,
      about: {
        action: act.action,
        world,
        ...(name !== undefined && { name }),
        ...(dimension !== undefined && { dimension }),
      },
      userId,
    }),
  )
  return { process_id: id }
}

/** The world that is asked for, when it may be changed now. */
async function openWorld(deps: Deps, server: ServerRow, folder: string) {
  const list = await openList(deps, server)
  const world = findWorld(list, folder)
  const isActive = folder === list.active
  /** Also of one that is not up: nobody is to start it meanwhile. */
  return {
    world,
    isActive,
    inUse: isInUse(server, world, list.active),
    stops: isActive || isInUse(server, world, list.active),
  }
}

async function openList(deps: Deps, server: ServerRow) {
  requireRunnable(server)
  await requireWritableFiles(deps.db, server)
  await requireIdle(deps.db, server.id)
  return readWorlds(deps, server)
}

const above = (folder: string) => folder.slice(0, folder.lastIndexOf('/') + 1)
/** How `server.properties` names a world. */
const levelName = (server: ServerRow, folder: string) => (editionOf(server) === 'java' ? folder : nameOf(folder))

async function requireFree(deps: Deps, server: ServerRow, path: string): Promise<void> {
  if (await isThere(filesOf(deps, server), path)) throw new DomainError('resource_already_exists', { resource: 'file' })
}

/** Where the folders of a world go when it gets another name. */
function movesOf({ folder, parts }: ToldWorld, name: string) {
  const to = above(folder) + name
  return [
    { from: folder, to },
    ...parts.map((part) => ({
      from: part,
      to: to + (bukkitParts.find(([end]) => part.endsWith(end))?.[0] ?? '_part'),
    })),
  ]
}

export async function editWorld(
  deps: Deps,
  asked: Asked,
  { world: folder, in_seconds, ...given }: schemas.EditWorldBody,
): Promise<Begun> {
  const { server, userId } = asked
  const { world, isActive, inUse, stops } = await openWorld(deps, server, folder)
  if (world.layout === 'bedrock') throw refuse('bedrock')
  if (world.level === null) throw refuse('no_level')
  const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as LevelChange
  requireKnown(world.level, change)
  const told = { world: nameOf(folder), changed: changedOf(change) }
  // The game sets these two anew from there with each start.
  const properties = !isActive
    ? {}
    : {
        ...(change.difficulty !== undefined && { difficulty: change.difficulty }),
        ...(change.hardcore !== undefined && { hardcore: String(change.hardcore) }),
      }
  const commands = inUse && isActive ? commandsOf(change) : undefined
  if (commands === undefined)
    return begin(deps, asked, { act: { action: 'edit', folder, change, properties }, told, stops, in_seconds })
  await type(deps, server, commands)
  if (Object.keys(properties).length > 0) await writeServerProperties(filesOf(deps, server), properties)
  await flush(deps, server)
  await inTransaction(deps.db, (trx) =>
    recordServerEvent(trx, server.id, { action: 'SERVER_WORLD_EDIT', data: { executor: userId, ...told } }),
  )
  return { process_id: null }
}

function requireKnown(level: NonNullable<ToldWorld['level']>, { spawn, border, time, rules = {} }: LevelChange): void {
  const unknown = [
    ...(spawn !== undefined && level.spawn === null ? ['spawn'] : []),
    ...(border !== undefined && level.border === null ? ['border'] : []),
    ...(time !== undefined && level.time === null ? ['time'] : []),
    ...Object.keys(rules).filter((name) => !Object.hasOwn(level.rules, name)),
  ]
  if (unknown[0] !== undefined) throw refuse('not_there', { what: unknown[0] })
}

const changedOf = ({ rules = {}, ...rest }: LevelChange) => [...Object.keys(rest), ...Object.keys(rules)].slice(0, 50)

/** @throws DomainError `server_is_not_running` where no game reads commands now */
async function type({ fleet }: Deps, server: ServerRow, commands: readonly string[]): Promise<void> {
  const none = () => new DomainError('server_is_not_running', { resource: 'server' })
  const supervisor = server.phase === 'running' || server.phase === 'frozen' ? await fleet.find(server.id) : undefined
  if (supervisor === undefined) throw none()
  for (const command of commands)
    await supervisor.command(command).catch((error: unknown) => {
      throw error instanceof SupervisorError && error.status === 409 ? none() : error
    })
}

/** Has a game that plays write its world, for a moment: what is on the disk is then what is played. */
async function flush(deps: Deps, server: ServerRow): Promise<void> {
  if (server.phase !== 'running') return
  const isIdle = await requireIdle(deps.db, server.id).then(
    () => true,
    () => false, // a backup holds the world
  )
  const leaving = new AbortController()
  const late = delay(flushMilliseconds, undefined, { signal: leaving.signal }).catch(() => undefined)
  if (isIdle) await Promise.race([flushWorld({ serverId: server.id, deps }, leaving.signal), late])
  leaving.abort()
}

export async function prepareDownload(deps: Deps, server: ServerRow, folder: string): Promise<string[]> {
  const list = await readWorlds(deps, server)
  const world = findWorld(list, folder)
  if (isInUse(server, world, list.active)) await flush(deps, server)
  return [world.folder, ...world.parts]
}

export async function duplicateWorld(
  deps: Deps,
  asked: Asked,
  { world: folder, name }: z.output<typeof schemas.namedWorldBody>,
): Promise<Begun> {
  const { world, inUse } = await openWorld(deps, asked.server, folder)
  const moves = movesOf(world, name)
  for (const { to } of moves) await requireFree(deps, asked.server, to)
  const names = moves.map(({ to }) => to.slice(above(to).length))
  const target = moves[0]!.to
  const act: WorldAct = { action: 'duplicate', folders: moves.map(({ from }) => from), names, target, isHeld: inUse }
  return begin(deps, asked, { act, told: { world: nameOf(folder), name }, stops: false })
}

export async function renameWorld(
  deps: Deps,
  asked: Asked,
  { world: folder, name, in_seconds }: z.output<typeof schemas.renameWorldBody>,
): Promise<Begun> {
  const { server } = asked
  const { world, isActive, stops } = await openWorld(deps, server, folder)
  const moves = movesOf(world, name)
  for (const { to } of moves) await requireFree(deps, server, to)
  const properties: Record<string, string> = isActive ? { 'level-name': levelName(server, moves[0]!.to) } : {}
  return begin(deps, asked, {
    act: { action: 'rename', moves, properties },
    told: { world: nameOf(folder), name },
    stops,
    in_seconds,
  })
}

export async function resetDimension(
  deps: Deps,
  asked: Asked,
  { world: folder, dimension: name, in_seconds }: z.output<typeof schemas.resetDimensionBody>,
): Promise<Begun> {
  const { world, stops } = await openWorld(deps, asked.server, folder)
  const [dimension] = dimensionsOf(world, name)
  const paths = dimensionFolders.map((inner) => `${dimension!.folder}/${inner}`)
  const isEnd = name === 'the_end'
  if (isEnd) paths.push(`${dimension!.folder}/data/minecraft/ender_dragon_fight.dat`)
  const levels = isEnd ? [folder, ...world.parts.filter((part) => dimension!.folder.startsWith(`${part}/`))] : []
  const told = { world: nameOf(folder), dimension: name }
  return begin(deps, asked, { act: { action: 'reset', paths, levels }, told, stops, in_seconds })
}

/** @throws DomainError for a dimension that the world does not have. */
function dimensionsOf({ layout, dimensions }: ToldWorld, name: string | null): ToldWorld['dimensions'] {
  if (layout === 'bedrock') throw refuse('bedrock')
  const found = dimensions.filter((one) => name === null || one.name === name)
  if (found.length === 0) throw refuse('not_there')
  return found
}

export async function switchWorld(
  deps: Deps,
  asked: Asked,
  { world: folder, in_seconds }: z.output<typeof schemas.changeWorldBody>,
): Promise<Begun> {
  const { server } = asked
  const { world, isActive } = await openWorld(deps, server, folder)
  if (isActive) throw refuse('active')
  if (world.level === null) throw refuse('no_level')
  if (world.layout !== 'bedrock') requireNoDowngrade(world.level, server.game_version)
  const properties = { 'level-name': levelName(server, folder) }
  const told = { world: nameOf(folder) }
  return begin(deps, asked, { act: { action: 'switch', properties }, told, stops: true, in_seconds })
}

/** As `server.properties` calls them, of all versions. */
const levelTypes: Record<schemas.Generator, string> = {
  normal: 'normal',
  flat: 'flat',
  large_biomes: 'largeBiomes',
  amplified: 'amplified',
}

export async function createWorld(
  deps: Deps,
  asked: Asked,
  { name, seed, generator, in_seconds }: z.output<typeof schemas.createWorldBody>,
): Promise<Begun> {
  const { server } = asked
  const list = await openList(deps, server)
  const isJava = editionOf(server) === 'java'
  const folder = isJava ? name : `worlds/${name}`
  if (folder === list.active) throw refuse('active')
  for (const end of ['', ...(isJava ? bukkitParts.map(([one]) => one) : [])])
    await requireFree(deps, server, folder + end)
  const levelType = isJava ? levelTypes[generator] : generator === 'flat' ? 'FLAT' : 'DEFAULT'
  const properties = { 'level-name': levelName(server, folder), 'level-seed': seed, 'level-type': levelType }
  return begin(deps, asked, { act: { action: 'create', properties }, told: { world: name }, stops: true, in_seconds })
}

export async function deleteWorld(
  deps: Deps,
  asked: Asked,
  { world: folder, in_seconds }: z.output<typeof schemas.changeWorldBody>,
): Promise<Begun> {
  const { world, isActive, stops } = await openWorld(deps, asked.server, folder)
  if (isActive) throw refuse('active')
  const paths = [folder, ...world.parts]
  return begin(deps, asked, { act: { action: 'delete', paths }, told: { world: nameOf(folder) }, stops, in_seconds })
}

export async function importWorld(
  deps: Deps,
  asked: Asked,
  { path, name, remove_archive }: z.output<typeof schemas.importWorldBody>,
): Promise<Begun> {
  const { server } = asked
  await openList(deps, server)
  const edition = editionOf(server)
  const target = edition === 'java' ? name : `worlds/${name}`
  await filesOf(deps, server).stat(path)
  for (const end of ['', ...bukkitParts.map(([one]) => one)]) await requireFree(deps, server, target + end)
  const act: WorldAct = { action: 'import', path, target, edition, removesArchive: remove_archive }
  return begin(deps, asked, { act, told: { world: name }, stops: false })
}

export async function pruneWorld(
  deps: Deps,
  asked: Asked,
  { world: folder, dimension, seconds, in_seconds }: z.output<typeof schemas.pruneWorldBody>,
): Promise<Begun> {
  const { world, stops } = await openWorld(deps, asked.server, folder)
  const folders = dimensionsOf(world, dimension).map((one) => one.folder)
  const act: WorldAct = { action: 'prune', folders, ticks: seconds * schemas.ticksPerSecond }
  const told = { world: nameOf(folder), ...(dimension !== null && { dimension }) }
  return begin(deps, asked, { act, told, stops, in_seconds })
}

/** What pruning would take, line by line as it is counted. */
export async function scanWorld(
  deps: Pick<Context, 'fleet'>,
  server: ServerRow,
  { world: folder, dimension, seconds }: z.output<typeof schemas.scanWorldQuery>,
  signal: AbortSignal,
): Promise<AsyncIterable<string>> {
  const world = findWorld(await readWorlds(deps, server), folder)
  const folders = dimensionsOf(world, dimension ?? null).map((one) => one.folder)
  return filesOf(deps, server).scanWorld(folders, seconds * schemas.ticksPerSecond, signal)
}
