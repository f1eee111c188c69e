/** NBT as packets to clients need it: a root without a name, out of plain values. */
import { compoundOf, listOf, type NbtTag, writeNbt } from './nbt.ts'

/** A boolean becomes a byte; all entries of a list are of the first one's type. */
export type PacketNbt = string | boolean | PacketNbt[] | { [name: string]: PacketNbt }

export function writePacketNbt(value: PacketNbt): Buffer {
  return writeNbt(tagOf(value), { named: false })
}

function tagOf(value: PacketNbt): NbtTag {
  if (typeof value === 'string') return { type: 'string', value }
  if (typeof value === 'boolean') return { type: 'byte', value: Number(value) }
  if (Array.isArray(value)) return listOf(value.map(tagOf))
  return compoundOf(Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, tagOf(entry)])))
}
