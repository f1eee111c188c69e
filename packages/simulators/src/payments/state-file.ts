/** What a provider's simulator knows, in a file that outlives its process. Without a path nothing is kept. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

export type StateFile<State> = {
  /** Whole or not at all, whenever the process may die. */
  write(collect: () => State): void
  /** What an earlier process has left, if it has. */
  read(): State | undefined
}

export function openStateFile<State>(path: string | undefined): StateFile<State> {
  return {
    write(collect) {
      if (path === undefined) return
      writeFileSync(`${path}.new`, JSON.stringify(collect()), { mode: 0o600 })
      renameSync(`${path}.new`, path)
    },
    read: () =>
      path === undefined || !existsSync(path) ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as State),
  }
}
