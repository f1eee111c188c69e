/** What biomes look like: a colour of their own for maps of biomes, and what grass, leaves and water are tinted with there. */
import { type Colour, hashOf, mix } from './colour.ts'

export type BiomeLook = { colour: Colour; grass: Colour; foliage: Colour; water: Colour }

const WATER = 0x3d6fd6
/** Name: colour, grass, foliage, and water where it is unlike others'. */
const table = `
  plains 8db360 90b85a 76a52e | sunflower_plains b5db88 90b85a 76a52e | snowy_plains f0f4f4 80b497 60a17b 3a53c4
  ice_spikes b4dcdc 80b497 60a17b 3a53c4 | desert f5a447 bdb456 ada32b | swamp 3f6b52 6a7039 6a7039 4f7c86
  mangrove_swamp 5a7a4a 6a7039 8db127 3a7a6a | forest 2f7a35 79bd58 59ad30 | flower_forest 5aa050 79bd58 59ad30
  birch_forest 6aa06a 88ba66 6ba841 | dark_forest 40511a 507a32 59ad30 | old_growth_birch_forest 589c6c 88ba66 6ba841
  old_growth_pine_taiga 596651 86b87e 68a464 | old_growth_spruce_taiga 818e79 86b782 68a464
  taiga 0b6a5f 86b782 68a464 | snowy_taiga 4a7a74 80b497 60a17b 3a53c4 | savanna bdb25f bfb755 aea42a
  savanna_plateau a79d64 bfb755 aea42a | windswept_hills 789878 8ab689 6da36b | windswept_gravelly_hills 888888 8ab689 6da36b
  windswept_forest 589870 8ab689 6da36b | windswept_savanna e5da87 bfb755 aea42a | jungle 537b09 59c93c 30bb0b
  sparse_jungle 628b17 64c73f 3eb80f | bamboo_jungle 768e14 59c93c 30bb0b | badlands d94515 90814d 9e814d
  eroded_badlands ff6d3d 90814d 9e814d | wooded_badlands b09765 90814d 9e814d | meadow 83bb6d 83bb6d 63a948 0e4ecf
  cherry_grove f2b2cf b6db61 b6db61 5db7ef | grove 88b0a0 80b497 60a17b | snowy_slopes d8e6e6 80b497 60a17b
  frozen_peaks c0d6e6 80b497 60a17b | jagged_peaks dce3e8 80b497 60a17b | stony_peaks 9a9a92 9abe4b 82ac1e
  pale_garden b6b9ae 778272 878d76 76889d | river 3a5ec8 8eb971 71a74d | frozen_river a0a0ff 80b497 60a17b 3938c9
  beach fade8a 91bd59 77ab2f | snowy_beach faf0c0 83b593 64a278 3d57d6 | stony_shore a2a284 8ab689 6da36b
  ocean 1c3fa0 8eb971 71a74d | deep_ocean 14307e 8eb971 71a74d | cold_ocean 27479c 8eb971 71a74d 3d57d6
  deep_cold_ocean 1c3680 8eb971 71a74d 3d57d6 | lukewarm_ocean 1e6fb0 8eb971 71a74d 45adf2
  deep_lukewarm_ocean 185a92 8eb971 71a74d 45adf2 | warm_ocean 2aa0c0 8eb971 71a74d 43d5ee
  frozen_ocean 8090c8 80b497 60a17b 3938c9 | deep_frozen_ocean 6070b0 80b497 60a17b 3938c9
  mushroom_fields d060d0 55c93f 2bbb0f | dripstone_caves 86705f 91bd59 77ab2f | lush_caves 6f9a3a 91bd59 77ab2f
  deep_dark 0f2a33 91bd59 77ab2f | nether_wastes 9a3a34 bfb755 aea42a | soul_sand_valley 5e4a3c bfb755 aea42a
  crimson_forest c02a2a bfb755 aea42a | warped_forest 38917b bfb755 aea42a | basalt_deltas 4f4a4a bfb755 aea42a
  the_end c8c890 8eb971 71a74d | end_highlands d8dca0 8eb971 71a74d | end_midlands d0d398 8eb971 71a74d
  small_end_islands b0b388 8eb971 71a74d | end_barrens a8aa80 8eb971 71a74d | the_void 101018 8eb971 71a74d`

const looks = new Map(
  table
    .split(/[|\n]/)
    .map((entry) => entry.trim().split(/\s+/))
    .flatMap((words) => chunksOf(words))
    .map(([name = '', ...colours]) => {
      const [colour = 0, grass = 0, foliage = 0, water = WATER] = colours.map((one) => Number.parseInt(one, 16))
      return [name, { colour, grass, foliage, water }] as const
    }),
)

/** A line may hold several entries, each begun by a name. */
function chunksOf(words: string[]): string[][] {
  const entries: string[][] = []
  for (const word of words) {
    if (/^[0-9a-f]{6}$/.test(word) && entries.length > 0) entries.at(-1)!.push(word)
    else entries.push([word])
  }
  return entries.filter((entry) => entry.length > 1)
}

/** Names of before 1.18, and those of biomes that are no more. */
const renamed: Record<string, string> = {
  mountains: 'windswept_hills',
  extreme_hills: 'windswept_hills',
  snowy_tundra: 'snowy_plains',
  ice_flats: 'snowy_plains',
  swampland: 'swamp',
  nether: 'nether_wastes',
  hell: 'nether_wastes',
  sky: 'the_end',
  tall_birch_forest: 'old_growth_birch_forest',
  giant_tree_taiga: 'old_growth_pine_taiga',
  giant_spruce_taiga: 'old_growth_spruce_taiga',
  jungle_edge: 'sparse_jungle',
  stone_shore: 'stony_shore',
  shattered_savanna: 'windswept_savanna',
  gravelly_mountains: 'windswept_gravelly_hills',
  wooded_mountains: 'windswept_forest',
  wooded_badlands_plateau: 'wooded_badlands',
  mushroom_field_shore: 'mushroom_fields',
}
const plains = looks.get('plains')!

export function biomeLookOf(fullName: string): BiomeLook {
  const name = fullName.slice(fullName.indexOf(':') + 1)
  const found =
    looks.get(name) ?? looks.get(renamed[name] ?? '') ?? looks.get(name.replace(/_(hills|edge|plateau|shore)$/, ''))
  if (found !== undefined) return found
  if (name === '') return plains
  return { ...plains, colour: mix(hashOf(fullName) & 0xffffff, 0x808080, 0.4) }
}

/** Of before 1.18; those with 128 added are rarer forms of the same. */
const numbers = `
  ocean plains desert mountains forest taiga swamp river nether_wastes the_end frozen_ocean frozen_river snowy_tundra
  snowy_plains mushroom_fields mushroom_fields beach desert forest taiga mountains jungle jungle sparse_jungle deep_ocean
  stony_shore snowy_beach birch_forest birch_forest dark_forest snowy_taiga snowy_taiga old_growth_pine_taiga
  old_growth_pine_taiga windswept_forest savanna savanna_plateau badlands wooded_badlands badlands small_end_islands
  end_midlands end_highlands end_barrens warm_ocean lukewarm_ocean cold_ocean deep_lukewarm_ocean deep_lukewarm_ocean
  deep_cold_ocean deep_frozen_ocean`
  .trim()
  .split(/\s+/)
const laterNumbers = new Map([
  [127, 'the_void'],
  [129, 'sunflower_plains'],
  [132, 'flower_forest'],
  [140, 'ice_spikes'],
  [155, 'old_growth_birch_forest'],
  [160, 'old_growth_spruce_taiga'],
  [163, 'windswept_savanna'],
  [165, 'eroded_badlands'],
  [168, 'bamboo_jungle'],
  [169, 'bamboo_jungle'],
  [170, 'soul_sand_valley'],
  [171, 'crimson_forest'],
  [172, 'warped_forest'],
  [173, 'basalt_deltas'],
  [174, 'dripstone_caves'],
  [175, 'lush_caves'],
  [177, 'meadow'],
  [178, 'grove'],
  [179, 'snowy_slopes'],
  [180, 'snowy_slopes'],
  [181, 'jagged_peaks'],
  [182, 'stony_peaks'],
])

/** Name of a biome of before 1.18. */
export const oldBiomeName = (id: number) => laterNumbers.get(id) ?? numbers[id >= 128 ? id - 128 : id] ?? ''
