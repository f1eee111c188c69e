/** A zip archive written as it is made: what goes in is not held, whatever its size. */
import { open } from 'node:fs/promises'
import { Zip, ZipDeflate } from 'fflate'

export type Archive = {
  /** Adds a file out of its pieces. */
  add(name: string, pieces: AsyncIterable<string> | Iterable<string>): Promise<void>
  /** @returns its size in bytes. */
  close(): Promise<number>
}

/** Nobody but us reads the file; it must not be there yet. */
export async function createArchive(path: string): Promise<Archive> {
  const file = await open(path, 'wx', 0o600)
  let made: Uint8Array[] = []
  let fault: Error | null = null
  let bytes = 0
  const zip = new Zip((error, chunk) => {
    if (error) fault = error
    else made.push(chunk)
  })
  const flush = async () => {
    if (fault !== null) throw fault
    const chunks = made
    made = []
    for (const chunk of chunks) {
      await file.write(chunk)
      bytes += chunk.length
    }
  }
  return {
    async add(name, pieces) {
      const entry = new ZipDeflate(name, { level: 6 })
      zip.add(entry)
      for await (const piece of pieces) {
        entry.push(Buffer.from(piece))
        await flush()
      }
      entry.push(new Uint8Array(0), true)
      await flush()
    },
    async close() {
      zip.end()
      await flush()
      await file.close()
      return bytes
    },
  }
}
