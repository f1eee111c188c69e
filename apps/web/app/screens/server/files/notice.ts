/** One line about what was just done, with a way back where there is one. */
import { createStore } from '#app/ui/create-store.ts'

export type Notice = { id: number; text: string; undo?: () => Promise<unknown> }

let nextId = 1
export const notice = createStore<Notice | null>(null)

export function tellDone(text: string, undo?: () => Promise<unknown>): void {
  notice.set({ id: nextId++, text, ...(undo === undefined ? {} : { undo }) })
}
