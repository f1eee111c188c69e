/** Numbers for names of blocks and biomes, and how each looks: what a reader of chunks compares and a drawing looks up. */
import type { ChunkNames } from '@wakestone/minecraft/chunk'
import { type BiomeLook, biomeLookOf, oldBiomeName } from './colours/biomes.ts'
import { type BlockLook, lookOf } from './colours/blocks.ts'
import { oldBlockName } from './colours/old-blocks.ts'

/** Names that a world may bring; further ones look like the last. A game with mods has some ten thousand. */
const MOST_BLOCKS = 60_000
const MOST_BIOMES = 4_000

export type Looks = ChunkNames & { blocks: BlockLook[]; biomes: BiomeLook[] }

export function createLooks(): Looks {
  const blocks = createNumbers(lookOf, MOST_BLOCKS)
  const biomes = createNumbers(biomeLookOf, MOST_BIOMES)
  const oldBlocks = new Map<number, number>()
  const oldBiomes = new Map<number, number>()
  return {
    blocks: blocks.looks,
    biomes: biomes.looks,
    block: blocks.numberOf,
    biome: biomes.numberOf,
    oldBlock(id, data) {
      const key = (id << 4) | data
      let number = oldBlocks.get(key)
      if (number === undefined) oldBlocks.set(key, (number = blocks.numberOf(oldBlockName(id, data))))
      return number
    },
    oldBiome(id) {
      let number = oldBiomes.get(id & 255)
      if (number === undefined) oldBiomes.set(id & 255, (number = biomes.numberOf(oldBiomeName(id & 255))))
      return number
    },
  }
}

/** Numbers from 0, which is the empty name's. */
function createNumbers<Look>(look: (name: string) => Look, most: number) {
  const numbers = new Map<string, number>([['', 0]])
  const looks = [look('')]
  return {
    looks,
    numberOf(name: string): number {
      const known = numbers.get(name)
      if (known !== undefined) return known
      if (looks.length >= most) return most - 1
      numbers.set(name, looks.length)
      looks.push(look(name))
      return looks.length - 1
    },
  }
}
