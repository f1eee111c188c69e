/** What tells one Node from another of the same path. */
import { statSync } from 'node:fs'

export function nodeIdentity(path: string): string {
  const { ino, size, mtimeMs } = statSync(path)
  return [ino, size, mtimeMs].join(' ')
}
