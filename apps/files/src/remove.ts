/**
 * Removing for good. What is to go is first renamed to where nobody sees it, so that it is gone whole at once; what a kill
 * leaves there goes when the service starts again.
 */
import { makeId, moveEntry, openOwnPath } from './own.ts'
import { renameAll } from './placing.ts'
import { runTool } from './tool.ts'
import type { Folder, Volume } from './volume.ts'
import { readNames } from './list.ts'

const DOOMED = ['.transfers', 'doomed']

export const openDoomed = (volume: Volume): Folder => openOwnPath(volume.top, DOOMED)

/** Takes it out of sight. @returns the name by which `removeDoomed` knows it */
export function doom(volume: Volume, folder: Folder, name: string): string {
  using doomed = openDoomed(volume)
  const id = makeId()
  moveEntry(folder, name, doomed, id)
  return id
}

/** Takes several things out of sight, all of them whatever is killed. @returns their names for `removeDoomed` */
export async function doomAll(volume: Volume, paths: string[]): Promise<string[]> {
  openDoomed(volume)[Symbol.dispose]()
  const ids = paths.map(() => makeId())
  await renameAll(
    volume,
    paths.map((from, index) => ({ from, to: `${DOOMED.join('/')}/${ids[index]!}` })),
  )
  return ids
}

/** Names given to one `rm`. */
const BATCH = 200

/** Removes what was doomed. `rm` goes down by descriptors and follows no link, however deep it is. */
export async function removeDoomed(volume: Volume, ...ids: string[]): Promise<void> {
  using doomed = openDoomed(volume)
  for (let at = 0; at < ids.length; at += BATCH) {
    const paths = ids.slice(at, at + BATCH).map((id) => `/proc/self/fd/3/${id}`)
    await runTool('rm', ['-rf', '--', ...paths], { fds: [doomed.fd], nice: 10 }).catch(async () => {
      // Folders that their owner may not write to.
      await runTool('chmod', ['-R', 'u+rwX', '--', ...paths], { fds: [doomed.fd] }).catch(() => {})
      await runTool('rm', ['-rf', '--', ...paths], { fds: [doomed.fd] })
    })
  }
}

/** Removes what an earlier one was about to. */
export async function removeAllDoomed(volume: Volume): Promise<void> {
  using doomed = openDoomed(volume)
  for await (const names of readNames(doomed))
    await removeDoomed(volume, ...names.filter((name) => typeof name === 'string'))
}

/** Has all go that was only half made when an earlier one was killed. */
export async function doomHalfMade(volume: Volume): Promise<void> {
  for (const name of ['drafts', 'stage']) {
    using folder = openOwnPath(volume.top, ['.transfers', name])
    for await (const names of readNames(folder))
      for (const half of names) if (typeof half === 'string') doom(volume, folder, half)
  }
}
