/** Ends what lives of a server, and sees from outside that it has. */
import { readCgroupMembers } from './cgroup.ts'
import type { ServerPaths } from './paths.ts'
import { findInside, findSandbox, readPlacement, type RecordPaths, type Sandbox, writePlacement } from './placement.ts'
import { findFirstChild, isAlive, isProgram, isUser, kill, readDescendants, waitUntil } from './processes.ts'

const DEATH_MS = 10_000
/** How long the last of a game that has ended may take to go, and the supervisor's own helpers. */
const LAST_OF_GAME_MS = 4_000
/** Of the system, which nothing inside can change: a game that runs one of them has run no more than that. */
const MYSQL_PROGRAMS = ['/usr/sbin/mariadbd', '/usr/bin/mariadb', '/usr/bin/mariadb-dump']

/** Numbers of the sandbox's processes that are not its init, the supervisor or, where that can be told, its helpers. */
export function findGame(paths: ServerPaths, serverId: string): number[] {
  const sandbox = findSandbox(paths)
  if (sandbox === undefined) return []
  const { init, outer, sandboxed } = sandbox
  // A bare supervisor shares the machine's numbers: there its children are the game's, and what the cgroup holds.
  const supervisor = sandboxed ? init && findFirstChild(init.pid) : outer?.pid
  const own = [init?.pid, outer?.pid, supervisor]
  const inside = sandboxed || outer === undefined ? findInside(sandbox) : readDescendants(outer.pid)
  const others = [...new Set([...inside, ...readCgroupMembers(serverId)])].filter((pid) => !own.includes(pid))
  const helper = readPlacement(paths)?.supervisorUser
  return helper === undefined
    ? others.filter((pid) => !isProgram(pid, MYSQL_PROGRAMS))
    : others.filter((pid) => !isUser(pid, helper))
}

/** One look may miss a process that hands over to another one meanwhile. */
export const isGameGone = (paths: ServerPaths, serverId: string) =>
  findGame(paths, serverId).length === 0 && findGame(paths, serverId).length === 0

/** @returns false when something of the game has stayed, and all was ended. */
export async function endGame(paths: ServerPaths, serverId: string): Promise<boolean> {
  if (await waitUntil(() => isGameGone(paths, serverId), LAST_OF_GAME_MS)) return true
  await endSandbox(paths, serverId)
  return false
}

/** @throws Error when the kernel does not end it. */
export async function endSandbox(paths: ServerPaths, serverId: string): Promise<void> {
  const record = readPlacement(paths)
  if (await killSandbox(paths, serverId)) writePlacement(paths, { ...record, ended: { inOrder: false } })
}

/**
 * Ends a sandbox, and whatever its cgroup holds.
 * @returns false when none was up
 * @throws Error when the kernel does not end it
 */
export async function killSandbox(paths: RecordPaths, cgroup: string): Promise<boolean> {
  const sandbox = findSandbox(paths)
  if (sandbox === undefined) return false
  endOnce(sandbox)
  const gone = await waitUntil(() => {
    const rest = [...findInside(sandbox), ...readCgroupMembers(cgroup)]
    for (const pid of rest) kill(pid, 'SIGKILL')
    return rest.length === 0 && findSandbox(paths) === undefined
  }, DEATH_MS)
  if (!gone) throw new Error('sandbox does not end')
  return true
}

/** The kernel ends a pid namespace with its init; without one we end what we can find. */
function endOnce({ init, outer, sandboxed }: Sandbox) {
  const bare = !sandboxed && outer ? readDescendants(outer.pid) : []
  for (const pid of bare) kill(pid, 'SIGKILL')
  if (init && isAlive(init)) kill(init.pid, 'SIGKILL')
  else if (outer && isAlive(outer)) kill(outer.pid, 'SIGKILL')
}

/** Asks the supervisor to stop its game and to end; what takes longer is killed. @returns whether it ended by itself. */
export async function stopSandbox(paths: ServerPaths, serverId: string, timeoutSeconds: number): Promise<boolean> {
  const sandbox = findSandbox(paths)
  if (sandbox === undefined) return true
  const supervisor = sandbox.init ? findFirstChild(sandbox.init.pid) : sandbox.outer?.pid
  if (supervisor !== undefined) kill(supervisor, 'SIGTERM')
  if (!(await waitUntil(() => findSandbox(paths) === undefined, timeoutSeconds * 1000))) {
    await endSandbox(paths, serverId)
    return false
  }
  writePlacement(paths, { ...readPlacement(paths), ended: { inOrder: true } })
  return true
}
