import { randomBytes } from 'node:crypto'

/** 13 characters of base 36: seconds since 1970 in 32 bits, then 32 random ones. Later ones sort behind earlier ones. */
export function createReleaseId(now = Date.now(), random = randomBytes(4).readUInt32BE(0)): string {
  const seconds = BigInt(Math.floor(now / 1000)) & 0xffffffffn
  return ((seconds << 32n) | BigInt(random)).toString(36).padStart(13, '0')
}
