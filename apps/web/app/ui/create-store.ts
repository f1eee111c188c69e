/** State of this tab outside of React, to be read by `useSyncExternalStore(store.subscribe, store.get, store.getInitial)`. */
export function createStore<State>(initial: State) {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    get: () => state,
    /** What the server renders with, and the first rendering here. */
    getInitial: () => initial,
    set(next: State): void {
      state = next
      for (const listener of listeners) listener()
    },
  }
}
