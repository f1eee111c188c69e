/**
 * Tells a file from another of the same path, size and time, so that none goes on with what had come of the other. Small
 * files by the checksum of all of it, which the server compares in the end; of larger ones the beginning, the middle and the
 * end are looked at, since browsers can hash only what they hold in memory as a whole.
 */

/** Whole in memory, some of them at once. */
export const wholeBytes = 16 * 1024 * 1024
const partBytes = 64 * 1024

type Mark = { sha256: string } | { fingerprint: string }

const known = new WeakMap<Blob, Promise<Mark>>()

/** The same for as long as the file is the same. */
export function markOf(file: Blob): Promise<Mark> {
  const mark = known.get(file) ?? makeMark(file)
  known.set(file, mark)
  return mark
}

async function makeMark(file: Blob): Promise<Mark> {
  // Browsers count checksums on secure pages only.
  if (file.size <= wholeBytes && globalThis.isSecureContext) {
    const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
    return { sha256: [...sum].map((byte) => byte.toString(16).padStart(2, '0')).join('') }
  }
  const middle = Math.max(0, Math.floor(file.size / 2) - partBytes / 2)
  const parts = [file.slice(0, partBytes), file.slice(middle, middle + partBytes), file.slice(-partBytes)]
  const hash = createHash()
  for (const part of parts) hash.add(new Uint8Array(await part.arrayBuffer()))
  return { fingerprint: `parts-${hash.end()}` }
}

/** 64 bits that tell files apart by chance (FNV-1a, twice); nobody is kept from making two of the same. */
function createHash() {
  let [low, high] = [0x811c9dc5, 0x01000193]
  return {
    add(bytes: Uint8Array) {
      for (const byte of bytes) {
        low = Math.imul(low ^ byte, 0x01000193)
        high = Math.imul(high ^ byte ^ 0x5a, 0x85ebca6b)
      }
    },
    end: () => [low, high].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join(''),
  }
}
