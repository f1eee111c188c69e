/**
 * Bytes of a stream that no reader has taken yet, as one contiguous view.
 * Readers are functions of that view which answer undefined until enough has arrived, so their result
 * never depends on how the network cut the stream.
 */
export type ByteQueue = {
  push(chunk: Buffer): void
  /** What has not been taken yet. */
  peek(): Buffer
  /** Removes that many bytes from the front. */
  skip(count: number): void
}

export function createByteQueue(): ByteQueue {
  let store: Buffer = Buffer.alloc(0)
  let start = 0
  let end = 0
  /** Whether the room behind `end` is ours to write to: a chunk of the network is not. */
  let owned = false

  function push(chunk: Buffer) {
    if (start === end) {
      // The usual case: nothing waits, so the chunk itself becomes the store, uncopied.
      store = chunk
      start = 0
      end = chunk.length
      owned = false
      return
    }
    if (!owned || end + chunk.length > store.length) {
      // Doubling keeps the cost linear when a peer sends one byte at a time.
      const grown = Buffer.allocUnsafeSlow(Math.max(64, 2 * (end - start + chunk.length)))
      end = store.copy(grown, 0, start, end)
      start = 0
      store = grown
      owned = true
    }
    end += chunk.copy(store, end)
  }

  return {
    push,
    peek: () => store.subarray(start, end),
    skip: (count) => void (start = Math.min(end, start + count)),
  }
}
