import { randomFillSync } from 'node:crypto'

const bytesEach = 6
const pool = Buffer.alloc(bytesEach * 512)
let used = pool.length

/** Names a request in its answer and in the log. Random bytes are drawn for many at once. */
export function createRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytesEach
  return pool.toString('base64url', used - bytesEach, used)
}
