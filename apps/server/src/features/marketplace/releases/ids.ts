import { randomInt } from 'node:crypto'

const most = 2 ** 32

/**
 * 13 characters of base 36: seconds since 1970 in 32 bits, then 32 random ones. Later ones sort behind earlier ones.
 * @param after the last one of the same project: the new one sorts behind it within the same second too
 */
export function createReleaseId({
  now = Date.now(),
  after,
}: { now?: number; after?: string | undefined } = {}): string {
  const last = after === undefined ? undefined : split(after)
  let seconds = Math.floor(now / 1000) % most
  let least = 0
  if (last !== undefined && last.seconds >= seconds) {
    seconds = last.seconds
    least = last.random + 1
    if (least >= most - 1) [seconds, least] = [seconds + 1, 0]
  }
  // Half of what is left: some hundred fit into a second, one behind the other.
  const random =
    least + randomInt(Math.max(1, Math.min(2 ** 47, Math.floor((most - least) / (last === undefined ? 1 : 2)))))
  return ((BigInt(seconds) << 32n) | BigInt(random)).toString(36).padStart(13, '0')
}

function split(id: string): { seconds: number; random: number } {
  const value = [...id].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
  return { seconds: Number(value >> 32n), random: Number(value & 0xffffffffn) }
}
