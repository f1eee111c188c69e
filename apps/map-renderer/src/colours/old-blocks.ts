/** Names of blocks of before 1.13, when they were numbers. Those that are missing are drawn as what nobody has heard of. */

const dyes =
  `white orange magenta light_blue yellow lime pink gray light_gray cyan purple blue brown green red black`.split(' ')
const woods = ['oak', 'spruce', 'birch', 'jungle', 'acacia', 'dark_oak']

/** By number; one name for all data, or the names by data, counted round. */
const named: Record<number, string | string[]> = {
  0: 'air',
  1: ['stone', 'granite', 'polished_granite', 'diorite', 'polished_diorite', 'andesite', 'polished_andesite'],
  2: 'grass_block',
  3: ['dirt', 'coarse_dirt', 'podzol'],
  5: woods.map((wood) => `${wood}_planks`),
  6: 'oak_sapling',
  12: ['sand', 'red_sand'],
  17: woods.slice(0, 4).map((wood) => `${wood}_log`),
  18: woods.slice(0, 4).map((wood) => `${wood}_leaves`),
  31: ['dead_bush', 'grass', 'fern', 'grass'],
  35: dyes.map((dye) => `${dye}_wool`),
  38: [
    'poppy',
    'blue_orchid',
    'allium',
    'azure_bluet',
    'red_tulip',
    'orange_tulip',
    'white_tulip',
    'pink_tulip',
    'oxeye_daisy',
  ],
  43: [
    'stone_slab',
    'sandstone_slab',
    'oak_slab',
    'cobblestone_slab',
    'brick_slab',
    'stone_brick_slab',
    'nether_brick_slab',
    'quartz_slab',
  ],
  44: [
    'stone_slab',
    'sandstone_slab',
    'oak_slab',
    'cobblestone_slab',
    'brick_slab',
    'stone_brick_slab',
    'nether_brick_slab',
    'quartz_slab',
  ],
  95: dyes.map((dye) => `${dye}_stained_glass`),
  97: ['infested_stone', 'infested_cobblestone', 'infested_stone_bricks'],
  98: ['stone_bricks', 'mossy_stone_bricks', 'cracked_stone_bricks', 'chiseled_stone_bricks'],
  125: woods.map((wood) => `${wood}_slab`),
  126: woods.map((wood) => `${wood}_slab`),
  139: ['cobblestone_wall', 'mossy_cobblestone_wall'],
  155: 'quartz_block',
  159: dyes.map((dye) => `${dye}_terracotta`),
  160: dyes.map((dye) => `${dye}_stained_glass_pane`),
  161: ['acacia_leaves', 'dark_oak_leaves'],
  162: ['acacia_log', 'dark_oak_log'],
  168: ['prismarine', 'prismarine_bricks', 'dark_prismarine'],
  171: dyes.map((dye) => `${dye}_carpet`),
  175: ['sunflower', 'lilac', 'tall_grass', 'large_fern', 'rose_bush', 'peony'],
  251: dyes.map((dye) => `${dye}_concrete`),
  252: dyes.map((dye) => `${dye}_concrete_powder`),
}

/** Runs of numbers whose data does not matter. */
const runs: [number, string][] = [
  [4, 'cobblestone'],
  [7, 'bedrock water water lava lava'],
  [13, 'gravel gold_ore iron_ore coal_ore'],
  [
    19,
    'sponge glass lapis_ore lapis_block dispenser sandstone note_block red_bed powered_rail detector_rail sticky_piston cobweb',
  ],
  [32, 'dead_bush piston piston_head'],
  [36, 'moving_piston dandelion'],
  [39, 'brown_mushroom red_mushroom gold_block iron_block'],
  [
    45,
    'bricks tnt bookshelf mossy_cobblestone obsidian torch fire spawner oak_stairs chest redstone_wire diamond_ore diamond_block',
  ],
  [
    58,
    'crafting_table wheat farmland furnace furnace oak_sign oak_door ladder rail cobblestone_stairs oak_wall_sign lever',
  ],
  [
    70,
    'stone_pressure_plate iron_door oak_pressure_plate redstone_ore redstone_ore redstone_torch redstone_torch stone_button',
  ],
  [
    78,
    'snow_layer ice snow_block cactus clay sugar_cane jukebox oak_fence pumpkin netherrack soul_sand glowstone nether_portal',
  ],
  [91, 'jack_o_lantern cake repeater repeater'],
  [96, 'oak_trapdoor'],
  [
    99,
    'brown_mushroom_block red_mushroom_block iron_bars glass_pane melon pumpkin_stem melon_stem vine oak_fence_gate',
  ],
  [
    108,
    'brick_stairs stone_brick_stairs mycelium lily_pad nether_bricks nether_brick_fence nether_brick_stairs nether_wart',
  ],
  [
    116,
    'enchanting_table brewing_stand cauldron end_portal end_portal_frame end_stone dragon_egg redstone_lamp redstone_lamp',
  ],
  [
    127,
    'cocoa sandstone_stairs emerald_ore ender_chest tripwire_hook tripwire emerald_block spruce_stairs birch_stairs',
  ],
  [136, 'jungle_stairs command_block beacon'],
  [
    140,
    'flower_pot carrots potatoes oak_button skeleton_skull anvil trapped_chest gold_block iron_block comparator comparator',
  ],
  [151, 'daylight_detector redstone_block nether_quartz_ore hopper'],
  [156, 'quartz_stairs activator_rail dropper'],
  [163, 'acacia_stairs dark_oak_stairs slime_block barrier iron_trapdoor'],
  [169, 'sea_lantern hay_block'],
  [172, 'terracotta coal_block packed_ice'],
  [
    176,
    'white_banner white_wall_banner daylight_detector red_sandstone red_sandstone_stairs red_sandstone_slab red_sandstone_slab',
  ],
  [
    183,
    'spruce_fence_gate birch_fence_gate jungle_fence_gate dark_oak_fence_gate acacia_fence_gate spruce_fence birch_fence',
  ],
  [
    190,
    'jungle_fence dark_oak_fence acacia_fence spruce_door birch_door jungle_door acacia_door dark_oak_door end_rod',
  ],
  [
    199,
    'chorus_plant chorus_flower purpur_block purpur_pillar purpur_stairs purpur_slab purpur_slab end_stone_bricks beetroots',
  ],
  [208, 'dirt_path end_gateway repeating_command_block chain_command_block frosted_ice magma_block nether_wart_block'],
  [215, 'red_nether_bricks bone_block structure_void observer'],
  [219, dyes.map((dye) => `${dye}_shulker_box`).join(' ')],
  [235, dyes.map((dye) => `${dye}_glazed_terracotta`).join(' ')],
  [255, 'structure_block'],
]
for (const [from, names] of runs) names.split(' ').forEach((name, index) => (named[from + index] = name))

/** Only the lower bits of these say of what they are; the others how they lie. */
const twoBits = new Set([17, 18, 161, 162])
const threeBits = new Set([6, 43, 44, 125, 126, 175])

/** @param data 0–15. */
export function oldBlockName(id: number, data: number): string {
  const names = named[id]
  if (names === undefined) return `old:${id}`
  if (typeof names === 'string') return names
  // The upper half of a plant does not say of which.
  if (id === 175 && data & 8) return 'tall_grass'
  const kind = twoBits.has(id) ? data & 3 : threeBits.has(id) ? data & 7 : data
  return names[kind % names.length]!
}
