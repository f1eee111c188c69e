/** Lays the small configuration files of a plan onto the volume. */
import { existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import type { InstallPlan } from '@wakestone/packager/manifest'
import { writeFileAtomically } from '../volume.ts'

export type PlanFile = InstallPlan['files'][number]

/** A relative path that stays inside the folder it is read from. The sandbox is the boundary; this is for tidiness. */
export function isInnerPath(path: string): boolean {
  return path !== '' && !posix.isAbsolute(path) && !path.includes('\0') && !path.split('/').includes('..')
}

export function writePlanFiles({ volume, files }: { volume: string; files: readonly PlanFile[] }): void {
  for (const file of files) {
    const path = join(volume, file.path)
    const present = existsSync(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined
    if (file.mode === 'create' && present) continue
    mkdirSync(dirname(path), { recursive: true })
    const current = file.mode === 'merge-properties' && present ? readFileSync(path, 'utf8') : ''
    writeFileAtomically(path, file.mode === 'merge-properties' ? mergeProperties(current, file.content) : file.content)
  }
}

/** Adds the keys of `wanted` that `current` does not have; lines of the owner stay as they are. */
export function mergeProperties(current: string, wanted: string): string {
  const keyOf = (line: string) => /^\s*([^#!=:\s][^=:\s]*)\s*[=:]/.exec(line)?.[1]
  const present = new Set(current.split(/\r?\n/).map(keyOf))
  const added = wanted.split(/\r?\n/).filter((line) => {
    const key = keyOf(line)
    return key !== undefined && !present.has(key)
  })
  if (current === '') return wanted.endsWith('\n') ? wanted : `${wanted}\n`
  if (added.length === 0) return current
  return `${current.endsWith('\n') ? current : `${current}\n`}${added.join('\n')}\n`
}
