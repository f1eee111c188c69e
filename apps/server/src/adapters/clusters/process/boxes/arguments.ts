/** The walls around a box: the command line of bubblewrap. */
import { join } from 'node:path'
import type { Task } from '../../cluster.ts'
import { asInit, fds, inside, oneUser, type Shown, systemArguments } from '../sandbox.ts'

/** Where boxes see what only they are given. */
export const insideBox = { tools: join(inside.bundles, 'tools'), folders: '/mnt' }

/** A file or folder of the host, and where the box sees it. `isOwn`: it belongs to this server alone. */
export type Extra = { host: string; at: string; write: boolean; isOwn?: boolean }

export type BoxWalls = {
  extras: Extra[]
  volume: Task['volume']
  /** Whether a folder of the supervisor's lies in the volume that bubblewrap has to hide. */
  hidesSupervisors: boolean
  network: Task['network']
  /** Of a files service. */
  bundleId?: string
  /** A files service stays when its starter dies, and ends all with itself; a task dies with its starter. */
  staysUp: boolean
  command: string[]
}

/** By which names extras are staged. */
export const shownExtras = (extras: Extra[]): Partial<Shown> =>
  Object.fromEntries(extras.map(({ host }, index) => [`extra-${index}`, host]))

/** The environment, and nothing else, is read from a descriptor: it may hold secrets. */
export function boxArguments(shown: Shown, box: BoxWalls): string[] {
  const own = join(inside.volume, '.wakestone')
  const args: string[][] = [
    ...systemArguments(shown, oneUser),
    ['--args', String(fds.settings)],
    box.network === 'none' ? ['--unshare-net'] : [],
    shown.bundle && box.bundleId ? ['--ro-bind', shown.bundle, join(inside.bundles, box.bundleId)] : [],
    shown.runtime ? ['--bind', shown.runtime, inside.runtime] : [],
    shown.config ? ['--ro-bind', shown.config, inside.config] : [],
    shown.volume ? [box.volume === 'write' ? '--bind' : '--ro-bind', shown.volume, inside.volume] : [],
    box.hidesSupervisors ? ['--perms', '555', '--tmpfs', own, '--remount-ro', own] : [],
    ...box.extras.map(({ at, write }, index) => [
      write ? '--bind' : '--ro-bind',
      shown[`extra-${index}`] as string,
      at,
    ]),
    ['--remount-ro', '/', '--chdir', shown.volume ? inside.volume : '/'],
  ]
  return [...args.flat(), ...(box.staysUp ? asInit(box.command) : ['--die-with-parent', '--', ...box.command])]
}
