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

let fullLight: BitArray['data'] | undefined

/** All columns share one array of full light: nothing in the library writes light into a generated column. */
function fillSkyLight(column: Column): void {
  for (let index = 1; index < column.skyLightSections.length; index += 1) {
    fullLight ??= new Uint32Array(512).fill(0xffffffff)
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
