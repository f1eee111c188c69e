/** Hashes a file apart from the page, piece by piece: half a gigabyte need not fit into memory, nor hold anything up. */
import { sha256 } from '@noble/hashes/sha2.js'

const pieceBytes = 4 * 1024 ** 2

type Told = { done: number } | { hash: string } | { error: string }
type Scope = {
  addEventListener: (kind: 'message', listener: (event: MessageEvent<File>) => void) => void
  postMessage: (message: Told, options: { transfer: [] }) => void
}
const scope = globalThis as unknown as Scope
const tell = (message: Told) => scope.postMessage(message, { transfer: [] })

scope.addEventListener('message', ({ data: file }) => {
  void (async () => {
    try {
      const hash = sha256.create()
      for (let at = 0; at < file.size; at += pieceBytes) {
        hash.update(new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer()))
        tell({ done: Math.min(file.size, at + pieceBytes) })
      }
      tell({ hash: Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('') })
    } catch (error) {
      // A file that was changed or taken away since it was chosen.
      tell({ error: String(error) })
    }
  })()
})
