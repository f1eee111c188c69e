/** Permissions, given to what a descriptor holds: a link that takes a path's place meanwhile is not followed. */
import { chmodSync, closeSync, fstatSync } from 'node:fs'
import { openItself, type Volume } from './volume.ts'

const READ = 0o444
const OWNER = 0o700

/** Folders get `x` where they get `r`, and their owner always all, since they could not be opened again otherwise. */
export const modeFor = (isFolder: boolean, mode: number) => (isFolder ? mode | ((mode & READ) >> 2) | OWNER : mode)

/** Of what is neither file nor folder nothing changes. */
export function setMode(at: string | Buffer, mode: number): void {
  const fd = openItself(at)
  try {
    const stats = fstatSync(fd)
    if (stats.isFile() || stats.isDirectory()) chmodSync(`/proc/self/fd/${fd}`, modeFor(stats.isDirectory(), mode))
  } finally {
    closeSync(fd)
  }
}

export function setModes(volume: Volume, paths: string[], mode: number): void {
  for (const path of paths) {
    using place = volume.find(path, 'write')
    setMode(place.at, mode)
  }
}
