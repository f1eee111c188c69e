/**
 * The parts of flying-squid that the launcher touches. The library has no types of its own, and these
 * name only what we use.
 */
import type { EventEmitter } from 'node:events'
// @ts-expect-error it has no types
import squidModule from 'flying-squid'
import chunkModule from 'prismarine-chunk'
import nbtModule from 'prismarine-nbt'
import anvilModule from 'prismarine-provider-anvil'
import { Vec3 as LibraryVec3 } from 'vec3'

export type Position = { x: number; y: number; z: number; offset(x: number, y: number, z: number): Position }

export type BitArray = { data: Uint32Array; capacity: number; bitsPerValue: number; get(index: number): number }

/** Blocks of one section: one value, a local palette, or (above 256 states) the global palette. */
export type SectionData = {
  value?: number
  palette?: number[]
  data?: BitArray
  maxBits?: number
  maxBitsPerBlock?: number
  get(index: number): number
  convertToDirect?(bitsPerValue: number): SectionData
}
export type Section = { data: SectionData; palette?: number[] | undefined }

export type Column = {
  minY: number
  maxBitsPerBlock: number
  sections: Section[]
  biomes: { data: SectionData }[]
  skyLightSections: (BitArray | null)[]
  skyLightMask: { set(index: number, value: number): void }
  getBlockStateId(position: { x: number; y: number; z: number }): number
  setBlockStateId(position: { x: number; y: number; z: number }, stateId: number): void
}

export type Region = { file: { datasync(): Promise<void>; close(): Promise<void> } }

export type StorageProvider = {
  regions: Record<string, Region>
  regionFileName(x: number, z: number): string
  load(x: number, z: number): Promise<Column | null>
  save(x: number, z: number, column: Column): Promise<void>
}

export type World = {
  columns: Record<string, Column>
  savingQueue: Map<string, { chunkX: number; chunkZ: number }>
  storageProvider: StorageProvider | null
  chunkGenerator(x: number, z: number): Column
  stopSaving(): void
  getColumn(x: number, z: number): Promise<Column>
  setLoadedColumn(x: number, z: number, column: Column, save: boolean): void
  unloadColumn(x: number, z: number): void
  saveNow(): Promise<void>
}

export type Client = {
  username: string
  uuid: string
  latency: number
  socket?: { remoteAddress?: string; remotePort?: number }
  end(reason: string): void
  write(name: string, fields: object): void
  on(event: string, listener: (...args: never[]) => void): void
}

export type Player = EventEmitter & {
  username?: string
  uuid?: string
  op: boolean
  world: World
  gameMode: number
  loadedChunks?: Record<string, number>
  _client: Client
  save(): Promise<void>
  kick(reason: string): void
  system(message: string): void
  position: Position
  teleport(position: Position): void
}

export type Command = {
  base: string
  aliases?: string[]
  info: string
  usage: string
  op?: boolean
  parse?(text: string, context: { player?: Player }): unknown
  action(params: never, context: { player?: Player }): unknown
}

export type Registry = {
  blocksByName: Record<string, { id: number; defaultState: number; minStateId: number; maxStateId: number }>
  biomesByName: Record<string, { id: number }>
}

export type Squid = EventEmitter & {
  _server: EventEmitter & { playerCount: number; maxPlayers: number; socketServer: { close(): void } }
  players: Player[]
  entities: Record<string, { bornTime?: number }>
  registry: Registry
  overworld: World
  netherworld: World
  color: Record<string, string>
  commands: {
    add(command: Command): void
    use(text: string, context?: object, op?: boolean): Promise<string | undefined>
  }
  broadcast(message: string): void
  getSpawnPoint(world: World): Promise<Position>
  handleCommand(text: string): Promise<void>
  _createChatComponent(text: unknown): unknown
  log(message: string): void
  info(message: string): void
  warn(message: string): void
  err(message: string): void
  debug(message: unknown): void
  createLog(): void
}

type FlyingSquid = {
  createMCServer(options: Record<string, unknown>): Squid
  generations: Record<string, (options: { registry: Registry; seed: number }) => (x: number, z: number) => Column>
}

export const flyingSquid = squidModule as FlyingSquid
export const chunkClass = chunkModule as unknown as (registry: Registry) => new () => Column
export const anvilClass = anvilModule.Anvil as unknown as (registry: Registry) => new (path: string) => StorageProvider
export const Vec3 = LibraryVec3 as unknown as new (x: number, y: number, z: number) => Position
export const nbt = nbtModule as unknown as {
  comp(value: object): object
  list(value: object): object
  string(value: string): object
  bool(value: boolean): object
}
