/** What a server keeps for as long as its folder is there: the game's port, and the users inside its sandbox. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { withLock } from './lock.ts'
import type { ServerPaths } from './paths.ts'

/** `slot` is the server's own among all of this machine. */
export type Allotment = { port: number; slot: number }

/** All clusters of a machine give out users by one lock, and none that another one has given. */
export type Machine = {
  /** Of the cluster that is always there. */
  dataDir: string
  /** Folders of the others. */
  others: () => string[]
}
const serversOf = (dataDir: string) => join(dataDir, 'servers')

/** Below the ports that kernels give to outgoing connections, above those that services are known by. */
const FIRST_PORT = 24_000
const PORTS = 8_000
/** Two users for each server, where neither systems nor containers have theirs (systemd.io/UIDS-GIDS). */
const FIRST_USER = 1_900_000_000
const SLOTS = 100_000_000

/** Users of the host whom nobody else has: one for the supervisor, one for the game. */
export const usersOf = ({ slot }: Pick<Allotment, 'slot'>) => ({
  supervisor: FIRST_USER + 2 * slot,
  game: FIRST_USER + 2 * slot + 1,
})
/** For trying out whether a sandbox can have two users. */
export const trialUsers = usersOf({ slot: SLOTS })

export function readAllotment(paths: Pick<ServerPaths, 'allotment'>): Allotment | undefined {
  try {
    const { port, slot } = JSON.parse(readFileSync(paths.allotment, 'utf8')) as Partial<Allotment>
    return Number.isInteger(port) && Number.isInteger(slot) ? { port: port as number, slot: slot as number } : undefined
  } catch {
    return undefined
  }
}

/**
 * What a server had before; another port where somebody else has taken that meanwhile. To be called while none of its
 * processes live.
 */
export async function allot(paths: ServerPaths, serverId: string, machine?: Machine): Promise<Allotment> {
  const before = readAllotment(paths)
  if (before && (await isFree(before.port))) return before
  const own = dirname(paths.home)
  const first = machine === undefined ? own : serversOf(machine.dataDir)
  mkdirSync(first, { recursive: true })
  return withLock(join(first, '.allotments'), async () => {
    const folders = new Set([own, first, ...(machine?.others().map(serversOf) ?? [])])
    const others = [...folders]
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => listAllotted(folder, serverId))
    const start = createHash('sha256').update(serverId).digest().readUInt32BE()
    const takenPorts = new Set(others.map(({ port }) => port))
    const takenSlots = new Set(others.map(({ slot }) => slot))
    const allotment = {
      port: await findPort(start, (port) => takenPorts.has(port)),
      slot: before?.slot ?? findSlot(start, (slot) => takenSlots.has(slot)),
    }
    write(paths, allotment)
    return allotment
  })
}

const listAllotted = (servers: string, except: string): Allotment[] =>
  readdirSync(servers)
    .filter((name) => name !== except)
    .flatMap((name) => readAllotment({ allotment: join(servers, name, 'host', 'allotment.json') }) ?? [])

function findSlot(start: number, isTaken: (slot: number) => boolean): number {
  let slot = start % SLOTS
  while (isTaken(slot)) slot = (slot + 1) % SLOTS
  return slot
}

async function findPort(start: number, isTaken: (port: number) => boolean): Promise<number> {
  for (let step = 0; step < PORTS; step++) {
    const port = FIRST_PORT + ((start + step) % PORTS)
    if (!isTaken(port) && (await isFree(port))) return port
  }
  throw new Error('no port is free for another game')
}

/** Whether a game could listen there, on whichever addresses it does. */
function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const probe = createServer()
    probe.on('error', () => answer(false))
    probe.listen({ port, host: '0.0.0.0', exclusive: true }, () => probe.close(() => answer(true)))
  })
}

function write(paths: ServerPaths, allotment: Allotment) {
  if (!existsSync(paths.host)) mkdirSync(paths.host, { recursive: true })
  const draft = `${paths.allotment}.new`
  writeFileSync(draft, JSON.stringify(allotment), { mode: 0o600 })
  renameSync(draft, paths.allotment)
}
