import { useSyncExternalStore } from 'react'

/** Rows of phones have a second line, and are tall enough for a finger; the style sheet says the same. */
const narrow = '(max-width: 640px)'
const coarse = '(pointer: coarse)'

function subscribe(listener: () => void): () => void {
  const lists = [window.matchMedia(narrow), window.matchMedia(coarse)]
  for (const list of lists) list.addEventListener('change', listener)
  return () => {
    for (const list of lists) list.removeEventListener('change', listener)
  }
}
const read = () => (window.matchMedia(narrow).matches ? 60 : window.matchMedia(coarse).matches ? 48 : 38)

/** Height of a row of the list, in pixels. */
export const useRowHeight = (): number => useSyncExternalStore(subscribe, read, () => 38)
