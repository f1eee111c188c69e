/** Tells when sources change; for development. */
import { globSync, watch } from 'node:fs'
import { basename, join } from 'node:path'

/** An editor writes several times, a checkout many files: what comes within this is one change. */
const together = 200

/**
 * Calls back after sources below the folders (patterns, relative to `root`) changed. Tests do not count.
 * `node --watch` is no choice: Vite writes temporary modules that it takes for changes.
 */
export function watchSources({
  root,
  folders,
  onChange,
}: {
  root: string
  folders: string[]
  onChange: () => void
}): () => void {
  let timer: NodeJS.Timeout | undefined
  const watchers = globSync(folders, { cwd: root }).map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      if (name === null || !/\.(ts|sql)$/.test(name) || basename(name).includes('.test.')) return
      clearTimeout(timer)
      timer = setTimeout(onChange, together)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
