import { createStore } from '#app/ui/create-store.ts'

const key = 'processesExpanded'
const store = createStore(false)
let isRead = false

/** Whether details of operations are shown, as this browser remembers it. */
export const processesExpanded = {
  subscribe: store.subscribe,
  getInitial: store.getInitial,
  get() {
    if (!isRead) {
      isRead = true
      try {
        if (localStorage.getItem(key) === 'true') store.set(true)
      } catch {
        // Forbidden by the browser's settings.
      }
    }
    return store.get()
  },
  set(isExpanded: boolean) {
    isRead = true
    store.set(isExpanded)
    try {
      localStorage.setItem(key, String(isExpanded))
    } catch {
      // Remembered by this tab alone.
    }
  },
}
