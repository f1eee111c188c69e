/** The flat world of Bedrock, made in this thread: the library's own generator loads a second server into a worker. */
import { BlockIdentifier, BlockPermutation, Chunk, TerrainGenerator } from '@serenityjs/core'

export const GROUND = -60

export class FlatGenerator extends TerrainGenerator {
  static override readonly identifier = 'flat'
  readonly #layers = [
    BlockIdentifier.Bedrock,
    BlockIdentifier.Dirt,
    BlockIdentifier.Dirt,
    BlockIdentifier.GrassBlock,
  ].map((block) => BlockPermutation.resolve(block))

  override async apply(cx: number, cz: number): Promise<Chunk> {
    const chunk = new Chunk(cx, cz, this.dimension.type)
    for (let x = 0; x < 16; x += 1) {
      for (let z = 0; z < 16; z += 1) {
        for (const [height, layer] of this.#layers.entries())
          chunk.setPermutation({ x, y: GROUND - this.#layers.length + height, z }, layer, 0, false)
      }
    }
    return chunk
  }
}
