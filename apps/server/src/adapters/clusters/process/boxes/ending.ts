/** Ends what runs beside a server's supervisor, and takes away what is left of it. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { removeCgroup } from '../cgroup.ts'
import { killSandbox } from '../ending.ts'
import { boxesFolder, boxPaths, type ServerPaths } from '../paths.ts'
import { findSandbox, readPlacement } from '../placement.ts'

/** Names of boxes that were started, and perhaps have ended. */
export const listBoxes = (paths: Pick<ServerPaths, 'host'>): string[] =>
  existsSync(boxesFolder(paths)) ? readdirSync(boxesFolder(paths)) : []

export const cgroupOf = (serverId: string, box: string) => `${serverId}-${box}`

export const isUp = (paths: ServerPaths, box: string) => findSandbox(boxPaths(paths, box)) !== undefined

/** Whether one of them may write to the volume; what is not known of one from before is taken for a yes. */
export const hasWriter = (paths: ServerPaths): boolean =>
  listBoxes(paths).some((box) => isUp(paths, box) && readPlacement(boxPaths(paths, box))?.writes !== false)

/**
 * Ends the boxes of a server. To be called under its lock.
 * @throws Error when the kernel does not end one
 */
export async function endBoxes(paths: ServerPaths, serverId: string): Promise<void> {
  await Promise.all(listBoxes(paths).map((box) => endBox(paths, serverId, box)))
}

export async function endBox(paths: ServerPaths, serverId: string, box: string): Promise<void> {
  await killSandbox(boxPaths(paths, box), cgroupOf(serverId, box))
  await removeBox(paths, serverId, box)
}

/** Takes away what is left of boxes that have ended. To be called under the server's lock. */
export async function removeEnded(paths: ServerPaths, serverId: string): Promise<void> {
  const ended = listBoxes(paths).filter((box) => !isUp(paths, box))
  await Promise.all(ended.map((box) => removeBox(paths, serverId, box)))
}

/** Of one that has ended. */
export async function removeBox(paths: ServerPaths, serverId: string, box: string): Promise<void> {
  const { runtime, folder } = boxPaths(paths, box)
  rmSync(runtime, { recursive: true, force: true })
  await removeCgroup(cgroupOf(serverId, box))
  rmSync(folder, { recursive: true, force: true }) // last: it names what there is to remove
}
