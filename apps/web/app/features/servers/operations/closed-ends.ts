import { createStore } from '#app/ui/create-store.ts'

/** Operations whose end this tab shows no longer, by their ids. */
export const closedEnds = createStore<readonly string[]>([])
