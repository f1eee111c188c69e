/** What was cut or copied, to be pasted elsewhere on the same server. */
import { createStore } from '#app/ui/create-store.ts'

export type FileClipboard = { serverId: string; paths: readonly string[]; isCut: boolean }

export const fileClipboard = createStore<FileClipboard | null>(null)
