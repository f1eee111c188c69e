import type { FoundFile } from './read-dropped.ts'
import type { Unfinished } from './unfinished.ts'

export type Remembered = { batch: Unfinished; ended: ReadonlySet<number> }

const keyOf = (path: string, size: number, mtime: number) => `${size} ${mtime} ${path}`

/**
 * Whether files that were just dropped or chosen are those of an upload that was cut off, and which of them the server has.
 * @returns the upload with most of them, and of each file whether it has arrived; undefined when it is none of them.
 */
export function matchUnfinished(
  files: readonly FoundFile[],
  folder: string,
  remembered: readonly Remembered[],
): { batch: Unfinished; isThere: boolean[] } | undefined {
  let best: { batch: Unfinished; isThere: boolean[]; count: number } | undefined
  for (const { batch, ended } of remembered) {
    if (batch.folder !== folder) continue
    const places = new Map(batch.files.map(([path, size, mtime], place) => [keyOf(path, size, mtime), place]))
    const found = files.map(({ path, file }) => places.get(keyOf(path, file.size, file.lastModified)))
    const count = found.filter((place) => place !== undefined).length
    if (count > (best?.count ?? 0))
      best = { batch, isThere: found.map((place) => place !== undefined && ended.has(place)), count }
  }
  return best === undefined ? undefined : { batch: best.batch, isThere: best.isThere }
}

/** What is still to be sent. */
export const leftOf = ({ batch, ended }: Remembered) => batch.files.filter((_, place) => !ended.has(place))
