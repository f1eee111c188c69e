/**
 * Files that are open in this tab, by server: what was read, what has been changed and not saved. They stay while other
 * screens are looked at; the list of open ones also after a reload.
 */
import type { EditorState } from '@codemirror/state'
import { createStore } from '#app/ui/create-store.ts'
import type { Codec } from './text-codec.ts'

export type OpenText = {
  /** As it was last read or saved. */
  saved: string
  codec: Codec
  revision: string
  /** As it is now; undefined while nothing was changed. */
  changed: string | undefined
  /** Rises when another text was put in than what was typed: the editor begins anew with it. */
  generation: number
  /** The editor as it was left. */
  kept: EditorState | undefined
}

export type OpenFiles = { paths: readonly string[]; texts: ReadonlyMap<string, OpenText> }

type Store = ReturnType<typeof createOpenFiles>
const known = new Map<string, Store>()
export function openFilesOf(serverId: string): Store {
  let files = known.get(serverId)
  if (files === undefined) {
    files = createOpenFiles(`wakestone-open-${serverId}`)
    known.set(serverId, files)
  }
  return files
}

export const isChanged = (text: OpenText | undefined): boolean =>
  text?.changed !== undefined && text.changed !== text.saved

function createOpenFiles(key: string) {
  const store = createStore<OpenFiles>({ paths: readPaths(key), texts: new Map() })
  const set = (paths: readonly string[], texts: ReadonlyMap<string, OpenText>) => {
    store.set({ paths, texts })
    try {
      sessionStorage.setItem(key, JSON.stringify(paths))
    } catch {
      // Remembered by this page alone.
    }
  }
  const change = (path: string, text: OpenText | undefined) => {
    const texts = new Map(store.get().texts)
    if (text === undefined) texts.delete(path)
    else texts.set(path, text)
    set(store.get().paths, texts)
  }
  // Tests of this store have no window.
  if (typeof window !== 'undefined')
    window.addEventListener('beforeunload', (event) => {
      if ([...store.get().texts.values()].some(isChanged)) event.preventDefault()
    })
  return {
    ...store,
    open(path: string) {
      const { paths, texts } = store.get()
      if (!paths.includes(path)) set([...paths, path], texts)
    },
    /** @returns the one to show next; null when none is left. */
    close(path: string): string | null {
      const { paths, texts } = store.get()
      const place = paths.indexOf(path)
      const left = paths.filter((one) => one !== path)
      const kept = new Map(texts)
      kept.delete(path)
      set(left, kept)
      return left[Math.min(place, left.length - 1)] ?? null
    },
    keep: change,
    /** Takes a text over that was read or saved. */
    update(path: string, changes: Partial<OpenText>) {
      const text = store.get().texts.get(path)
      if (text !== undefined) change(path, { ...text, ...changes })
    },
  }
}

function readPaths(key: string): string[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter((path) => typeof path === 'string') : []
  } catch {
    return []
  }
}
