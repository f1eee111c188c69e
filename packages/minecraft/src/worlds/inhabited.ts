/** How long players were near a chunk, as the game counts it in the chunk itself. */
import { createNbtWalk, nbtNameKey } from '../nbt-walk.ts'

const COMPOUND = 10
const LONG = 4
const INHABITED = nbtNameKey('InhabitedTime')
const LEVEL = nbtNameKey('Level')

/**
 * @param nbt of a chunk, unpacked
 * @returns ticks, summed over all players; null where it does not say
 * @throws ProtocolError when it is damaged
 */
export function readInhabitedTime(nbt: Buffer): number | null {
  const walk = createNbtWalk(nbt)
  let found: number | null = null
  const read = () =>
    walk.each((type, name) => {
      if (type === LONG && name === INHABITED) found = Number(nbt.readBigInt64BE(walk.take(8)))
      // Everything stood in there until 1.17.
      else if (type === COMPOUND && name === LEVEL) read()
      else walk.skip(type)
    })
  if (walk.root() !== COMPOUND) return null
  read()
  return found
}
