/**
 * Reads routes as `routeSchema` does, many times as fast where there is nothing to mend: a gateway that joins reads a
 * hundred thousand of them before it serves anybody. Whatever is not plainly right goes through the schema.
 */
import { type Route, routeSchema, routeStates } from './gateway.ts'

const states = new Set<unknown>(routeStates)
const languages = new Set<unknown>(['en', 'pl', 'de'])
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const { way, thaw, face, door, bedrock, ports, antibot } = routeSchema.shape

type Told = Record<keyof Route, unknown>
type Schema<Value> = { parse(value: unknown): Value }

/** @returns undefined for what is no route */
export function readRoute(json: unknown): Route | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const told = json as Told
  if (!isPlain(told)) return routeSchema.safeParse(json).data
  return {
    serverId: told.serverId as string,
    host: told.host as string,
    serverName: told.serverName as string,
    state: told.state as Route['state'],
    backend: backendOf(told.backend),
    way: orNull(way, told.way),
    maxPlayers: told.maxPlayers as number | null,
    language: told.language as Route['language'],
    proxyProtocol: told.proxyProtocol as boolean,
    thaw: orNull(thaw, told.thaw),
    canWake: (told.canWake as boolean | undefined) ?? false,
    hasRoom: (told.hasRoom as boolean | undefined) ?? true,
    expectedSeconds: (told.expectedSeconds as number | null | undefined) ?? null,
    anyVersion: (told.anyVersion as boolean | undefined) ?? false,
    face: orNull(face, told.face),
    door: orNull(door, told.door),
    sleptAt: (told.sleptAt as string | null | undefined) ?? null,
    bedrock: orNull(bedrock, told.bedrock),
    ports: told.ports === undefined ? [] : ports.parse(told.ports),
    antibot: orNull(antibot, told.antibot),
  }
}

const isFlag = (value: unknown) => value === undefined || typeof value === 'boolean'

function isPlain(told: Told): boolean {
  const { serverId, host, serverName, maxPlayers, expectedSeconds: seconds, sleptAt } = told
  return (
    typeof serverId === 'string' &&
    uuid.test(serverId) &&
    typeof host === 'string' &&
    typeof serverName === 'string' &&
    states.has(told.state) &&
    languages.has(told.language) &&
    isBackend(told.backend) &&
    (maxPlayers === null || Number.isSafeInteger(maxPlayers)) &&
    typeof told.proxyProtocol === 'boolean' &&
    isFlag(told.canWake) &&
    isFlag(told.hasRoom) &&
    isFlag(told.anyVersion) &&
    (seconds === undefined || seconds === null || (typeof seconds === 'number' && seconds >= 0 && seconds <= 3600)) &&
    (sleptAt === undefined || sleptAt === null || typeof sleptAt === 'string')
  )
}

function isBackend(backend: unknown): boolean {
  if (typeof backend !== 'object') return false
  if (backend === null) return true
  const { host, port } = backend as { host?: unknown; port?: unknown }
  return typeof host === 'string' && Number.isSafeInteger(port)
}

function backendOf(backend: unknown): Route['backend'] {
  if (backend === null) return null
  const { host, port } = backend as { host: string; port: number }
  return { host, port }
}

const orNull = <Value>(schema: Schema<Value | null>, value: unknown): Value | null =>
  value === undefined || value === null ? null : schema.parse(value)
