/**
 * The flat world of Vanilla: bedrock, two layers of dirt, grass, plains, full light above.
 * The library's own generator visits 65 536 blocks for each column; this one lays four layers.
 */
import { chunkClass, type BitArray, type Column, type Registry } from './library.ts'

export function createFlatGenerator({ registry }: { registry: Registry }): () => Column {
  const Chunk = chunkClass(registry)
  const layers = ['bedrock', 'dirt', 'dirt', 'grass_block'].map((name) => registry.blocksByName[name]!.defaultState)
  const plains = registry.biomesByName['plains']!.id

  return function generateColumn() {
    const column = new Chunk()
    for (const [height, stateId] of layers.entries()) {
      for (let index = 0; index < 256; index += 1) {
        column.setBlockStateId({ x: index & 15, y: column.minY + height, z: index >> 4 }, stateId)
      }
    }
    for (const biome of column.biomes) biome.data.value = plains
    fillSkyLight(column)
    return column
  }
}

/** Sections that get light of their own: that of the ground, and the one above. */
const LIT_SECTIONS = 2
let fullLight: BitArray['data'] | undefined

/**
 * Full light on the ground; above the highest section with light, clients see full light by themselves. Sending it
 * for all 24 sections would be nine tenths of the work of a join. Columns share one array: nothing in the library
 * writes light into a generated column.
 */
function fillSkyLight(column: Column): void {
  fullLight ??= new Uint32Array(512).fill(0xffffffff)
  // The first place is that of the section below the world.
  for (let index = 1; index <= LIT_SECTIONS; index += 1) {
    column.skyLightSections[index] = shareLight(column, fullLight)
    column.skyLightMask.set(index, 1)
  }
}

function shareLight(column: Column, data: Uint32Array): BitArray {
  const Bits = column.skyLightMask.constructor as new (options: object) => BitArray
  const bits = new Bits({ bitsPerValue: 4, capacity: 0 })
  bits.capacity = 4096
  bits.data = data
  return bits
}
