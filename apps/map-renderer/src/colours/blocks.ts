/**
 * What blocks look like from above: an own table of colours. Families (woods, dyes, copper, stones and the shapes made of
 * them) are told by their names, and what nobody has heard of gets a colour that is always the same.
 */
import { type Colour, hashOf, mix } from './colour.ts'

/** How a block is seen from above. */
export const kinds = { invisible: 0, opaque: 1, water: 2, thin: 3 } as const
export const tints = { none: 0, grass: 1, foliage: 2 } as const
export type BlockLook = {
  kind: (typeof kinds)[keyof typeof kinds]
  /** 0xrrggbb; with a tint, what the biome's colour is multiplied with. */
  colour: Colour
  tint: (typeof tints)[keyof typeof tints]
  /** Of thin ones: how much of what is below they hide, 0–1. */
  cover: number
}

const table = (text: string) =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map((entry) => {
        const [name = '', colour = ''] = entry.split('=')
        return [name, Number.parseInt(colour, 16)] as const
      }),
  )

const invisible = new Set(
  ['', 'air', 'cave_air', 'void_air', 'barrier', 'light', 'structure_void', 'tripwire', 'moving_piston'].concat(
    ['string', 'torch', 'wall_torch', 'redstone_torch', 'redstone_wall_torch', 'soul_torch', 'soul_wall_torch'],
    ['lever', 'tripwire_hook', 'end_rod', 'chain', 'iron_chain', 'item_frame', 'piston_extension', 'piston_head'],
  ),
)
/** Blocks that hold water wherever they stand. */
const wet = new Set(
  ['water', 'flowing_water', 'bubble_column', 'seagrass', 'tall_seagrass', 'kelp', 'kelp_plant'].concat([
    'conduit',
    'sea_pickle',
  ]),
)

/** Colours by which families are told. */
const woods = table(`
  oak=a58452 spruce=745534 birch=c3b27c jungle=a07350 acacia=a95c33 dark_oak=442b15 mangrove=763530 cherry=e2b2ad
  pale_oak=e4dad8 bamboo=c3ad50 crimson=663147 warped=2b6864`)
const barks = table(`
  oak=6c5532 spruce=3b2711 birch=d6d5cd jungle=554419 acacia=696259 dark_oak=3c2e1b mangrove=54432a cherry=36202a
  pale_oak=58504d bamboo=7f8f3a crimson=5c191d warped=3a3a4d`)
const leaves = table(`
  oak=c8c8c8 spruce=4b734b birch=668644 jungle=c4c4c4 acacia=bcbcbc dark_oak=a8a8a8 mangrove=b8b8b8
  cherry=e8aecb azalea=5a7330 flowering_azalea=6f6c40 pale_oak=757a73`)
/** Leaves whose colour is their own. */
const plainLeaves = new Set(['spruce', 'birch', 'cherry', 'azalea', 'flowering_azalea', 'pale_oak'])
const dyes = table(`
  white=e6e8e8 orange=e6730f magenta=b545a8 light_blue=36a6cf yellow=f0bd22 lime=6ab01c pink=e58aa8 gray=3d4447
  light_gray=8b8b84 cyan=158490 purple=7529a6 blue=343a98 brown=6e4528 green=526b1c red=9d2a25 black=16161b`)
const coppers = table(`copper=bf6b50 exposed_copper=a07c67 weathered_copper=6c986d oxidized_copper=52a284`)
const TERRACOTTA = 0x985e44

const solid = table(`
  grass_block=d8d8d8 stone=7d7d7d granite=956756 diorite=bcbcbc andesite=888889 deepslate=505053 cobbled_deepslate=4d4d51
  tuff=6c6d66 calcite=dfe0dc dripstone_block=866b5c dirt=866043 coarse_dirt=77553b rooted_dirt=90674c podzol=5b3f18
  mycelium=6f6265 dirt_path=947a41 grass_path=947a41 farmland=6b4a30 mud=3c393c packed_mud=8e6a4f clay=a0a6b3
  moss_block=596d2d pale_moss_block=6b7069 gravel=83807f sand=dbcfa3 red_sand=be6621 suspicious_sand=d9cda1
  suspicious_gravel=817e7d sandstone=d8ca9b red_sandstone=b5611f bedrock=555555 cobblestone=7f7f7f mossy_cobblestone=6e765e
  stone_bricks=7a797a mossy_stone_bricks=737969 bricks=96614f mud_bricks=89674f prismarine=639c97 prismarine_bricks=63ab9e
  dark_prismarine=335b4b sea_lantern=acc7be obsidian=0f0a18 crying_obsidian=200a3c
  snow=f9fefe snow_block=f9fefe powder_snow=f8fdfd ice=91b7fd packed_ice=8db4fa blue_ice=74a7fd frosted_ice=8cb5fc
  lava=d96415 flowing_lava=d96415 magma_block=8e3f1f magma=8e3f1f netherrack=612626 nether_bricks=2c151a
  red_nether_bricks=450709 soul_sand=513e32 soul_soil=4b392e basalt=505156 smooth_basalt=48484e polished_basalt=58585b
  blackstone=2a2329 gilded_blackstone=372a26 glowstone=ab8354 shroomlight=f09246 crimson_nylium=821f1f
  warped_nylium=2b7265 nether_wart_block=720202 warped_wart_block=167778 ancient_debris=5f4037 quartz_block=ebe5de
  end_stone=dbde9e end_stone_bricks=dadfa1 purpur_block=a97da9 purpur_pillar=ab81ab chorus_plant=5d395d
  chorus_flower=977897 dragon_egg=0c090f end_portal=0a1420 end_gateway=0a1420 nether_portal=572ba5 end_portal_frame=5a6f5c
  coal_ore=696969 iron_ore=88827b gold_ore=918668 copper_ore=7c7d78 lapis_ore=6b7585 redstone_ore=8c6d6d diamond_ore=798d8c
  emerald_ore=6c8873 nether_gold_ore=73372a nether_quartz_ore=75413e
  coal_block=101010 iron_block=dcdcdc gold_block=f6d03d lapis_block=1f438c redstone_block=af1805 diamond_block=62ede4
  emerald_block=2acb58 netherite_block=423d3f amethyst_block=8561bf budding_amethyst=8460ba raw_iron_block=a6886b
  raw_copper_block=9a6a4f raw_gold_block=dda92e resin_block=d3601a bone_block=e5e1cf hay_block=a68b0c
  melon=6f9119 melon_block=6f9119 pumpkin=c67618 carved_pumpkin=c67618 jack_o_lantern=d69a39 cactus=557f2b
  sponge=c4c14b wet_sponge=abb546 bookshelf=a58452 chiseled_bookshelf=b29060 lectern=ad8955 crafting_table=77492a
  furnace=6e6e6e blast_furnace=505051 smoker=555350 chest=a17a34 trapped_chest=a17a34 ender_chest=2c3b3d barrel=876539
  enchanting_table=811c1c anvil=484848 chipped_anvil=484848 damaged_anvil=484848 brewing_stand=7a6551 cauldron=494949
  beacon=76ddd7 hopper=4c4a4b dropper=7a7a7a dispenser=7a7a7a observer=626262 piston=9a8158 sticky_piston=8b9160
  tnt=8e3a33 note_block=593b29 jukebox=5d402f loom=8e775b cartography_table=67573f fletching_table=c5b485
  smithing_table=393b46 stonecutter=7b766f grindstone=8d8d8d bell=fdeb6f lantern=6a5b53 soul_lantern=486373
  campfire=7a6640 soul_campfire=5a8f92 composter=995f29 beehive=9f804d bee_nest=c4a24f honey_block=fab833
  honeycomb_block=e5941d slime_block=6fc05b target=e2aaa5 lodestone=94969c respawn_anchor=4b1794 conduit_block=9f8c71
  spawner=24303e mob_spawner=24303e command_block=b18567 chain_command_block=85a496 repeating_command_block=826fad
  structure_block=594a5a jigsaw=504651 sculk=0c1d24 sculk_catalyst=0f2026 sculk_shrieker=c7cda8 sculk_sensor=074855
  calibrated_sculk_sensor=1c6b6f reinforced_deepslate=666d64 mangrove_roots=4a3b26 muddy_mangrove_roots=463b2d
  mushroom_stem=cbc4b9 brown_mushroom_block=957051 red_mushroom_block=c82f2d ochre_froglight=fbf6cf
  verdant_froglight=e5f4e4 pearlescent_froglight=f6f0f0 dried_kelp_block=323a26 turtle_egg=e4e3c0 sniffer_egg=8a4f3e
  tube_coral_block=3157cf brain_coral_block=cf5b9f bubble_coral_block=a51aa2 fire_coral_block=a3232e horn_coral_block=d8c842
  dead_tube_coral_block=827b78 creaking_heart=5c4a45 big_dripleaf=6f8d33 small_dripleaf=5f7a2e azalea=657d2f
  flowering_azalea=716f46 lily_pad=3f6b2a cake=f8dfd6 bed=9a3430 crafter=706263 trial_spawner=373f45 vault=374650
  heavy_core=51555e copper_bulb=9c573b decorated_pot=8d4f3b iron_bars=888b88 iron_door=c2c1c1 iron_trapdoor=cac9c9
  glowing_obsidian=2a0a2e stonecutter_block=7b766f scaffolding=aa844a ladder=7c5f38 dried_ghast=8c8a8a`)

/** Small or clear: the ground shows through. */
const thin = table(`
  glass=d8eef2 glass_pane=d8eef2 tinted_glass=2c262e cobweb=e4e9ea rail=7d6f58 powered_rail=8a6d3e detector_rail=7b6857
  activator_rail=735749 redstone_wire=8c0f08 repeater=a09b9a comparator=a6a1a0 flower_pot=7c4535 snow_layer=f9fefe
  dandelion=f5d83a poppy=d8312c blue_orchid=2fa5d8 allium=b07de0 azure_bluet=d6dde0 oxeye_daisy=dfe0d0 cornflower=4b70dd
  lily_of_the_valley=d8e0d4 wither_rose=2a2c17 sunflower=f5ba27 lilac=b58cb6 rose_bush=9c2b24 peony=d9a5d6 torchflower=e5703a
  pitcher_plant=7a9bb5 pink_petals=f2b4d8 wildflowers=ecd55e closed_eyeblossom=6c6165 open_eyeblossom=e8863f cactus_flower=d0739e
  brown_mushroom=99745c red_mushroom=d84b43 crimson_fungus=8d2c1e warped_fungus=4a6d58 crimson_roots=7e0829 warped_roots=148c7c
  nether_sprouts=13978b weeping_vines=680100 twisting_vines=148f7c spore_blossom=cf619f glow_lichen=70837a hanging_roots=a1735c
  sugar_cane=94c165 bamboo=5d8f13 bamboo_sapling=5a7f2c sweet_berry_bush=40603c dead_bush=6b4e28 bush=769a4c firefly_bush=6b8a45
  wheat=b0a04a carrots=5f8a2c potatoes=5b8b35 beetroots=5c7a35 nether_wart=6f1213 melon_stem=8f9a3c pumpkin_stem=8f9a3c
  attached_melon_stem=8f9a3c attached_pumpkin_stem=8f9a3c torchflower_crop=657e4a pitcher_crop=708e4e cocoa=8c6a33
  small_amethyst_bud=846bb9 medium_amethyst_bud=9e78ca large_amethyst_bud=a17eca amethyst_cluster=a37ecf
  pointed_dripstone=816657 leaf_litter=8a6a41 short_dry_grass=b99a5f tall_dry_grass=bb9c60 pale_hanging_moss=6b7069 resin_clump=d3601a
  fire=f2942a soul_fire=4fd3dc frogspawn=6a5c52 moss_carpet=596d2d pale_moss_carpet=6b7069 sculk_vein=082f36 skull=a7a7a7 head=7d6a55`)
/** Thin and green as the biome is. */
const grasses = new Set([
  'grass',
  'short_grass',
  'tallgrass',
  'tall_grass',
  'fern',
  'large_fern',
  'double_plant',
  'vine',
])
const THIN_COVER = 0.45
const coverOf = new Map([
  ['glass', 0.25],
  ['tinted_glass', 0.7],
  ['moss_carpet', 0.9],
  ['pale_moss_carpet', 0.9],
  ['snow_layer', 0.92],
  ['fire', 0.8],
])

const shapes =
  /_(stairs|slab|wall|fence|fence_gate|pressure_plate|button|trapdoor|door|sign|wall_sign|hanging_sign|wall_hanging_sign|double_slab|stone_slab|pane|pillar|shelf|lantern|bars|chain|golem_statue|lightning_rod|grate)$/
const manners =
  /^(waxed|infested|stripped|chiseled|polished|smooth|cut|cracked|mossy|block_of|lit|unlit|unpowered|powered|dead|potted|raw)_/

/** The look of a block by its name, with or without a namespace; another namespace's is looked up by its own word. */
export function lookOf(fullName: string): BlockLook {
  const name = fullName.slice(fullName.indexOf(':') + 1)
  if (invisible.has(name)) return { kind: kinds.invisible, colour: 0, tint: tints.none, cover: 0 }
  if (wet.has(name)) return { kind: kinds.water, colour: 0, tint: tints.none, cover: 0 }
  if (name === 'grass_block') return { kind: kinds.opaque, colour: 0xd8d8d8, tint: tints.grass, cover: 1 }
  if (grasses.has(name)) return { kind: kinds.thin, colour: 0xc0c0c0, tint: tints.grass, cover: 0.35 }
  const small = thin.get(name) ?? smallOf(name)
  if (small !== undefined)
    return { kind: kinds.thin, colour: small, tint: tints.none, cover: coverOf.get(name) ?? THIN_COVER }
  if (/stained_glass/.test(name))
    return { kind: kinds.thin, colour: dyeOf(name) ?? 0xffffff, tint: tints.none, cover: 0.5 }
  if (/_(banner|candle|torch|head|skull)$|^candle$/.test(name))
    return { kind: kinds.thin, colour: dyeOf(name) ?? 0xc8b090, tint: tints.none, cover: 0.4 }
  const leaf = /^(.+)_leaves$/.exec(name)?.[1]
  if (leaf !== undefined) {
    const colour = leaves.get(leaf)
    const isOwn = plainLeaves.has(leaf) || colour === undefined
    return { kind: kinds.opaque, colour: colour ?? 0x4a7a2c, tint: isOwn ? tints.none : tints.foliage, cover: 1 }
  }
  return { kind: kinds.opaque, colour: solidOf(name) ?? strange(fullName), tint: tints.none, cover: 1 }
}

function smallOf(name: string): Colour | undefined {
  if (name.startsWith('potted_')) return thin.get('flower_pot')
  if (!/_(sapling|propagule|tulip|coral|coral_fan|coral_wall_fan)$/.test(name)) return undefined
  if (name.endsWith('_tulip')) return dyeOf(name) ?? 0xd8312c
  if (/coral/.test(name)) return solid.get(`${name.replace(/_(fan|wall_fan)$/, '')}_block`) ?? 0x827b78
  return 0x4f7a2c
}

/** By its own name, else by what it is made of. */
function solidOf(name: string): Colour | undefined {
  let rest = name
  for (let tries = 0; tries < 4; tries++) {
    const found = exactly(rest)
    if (found !== undefined) return found
    const without = rest.replace(shapes, '')
    const plain = without === rest ? rest.replace(manners, '') : without
    if (plain === rest) return undefined
    rest = plain
  }
  return undefined
}

function exactly(name: string): Colour | undefined {
  const wood = /^(.+?)_(planks|mosaic)$/.exec(name)?.[1] ?? name
  return (
    solid.get(name) ??
    solid.get(`${name}s`) ??
    solid.get(`${name}_block`) ??
    solid.get(name.replace(/_tiles?$/, '')) ??
    solid.get(name.replace(/^deepslate_(?=.*ore$)/, '')) ??
    solid.get(name.replace(/_(bricks?|tiles?)$/, '')) ??
    coppers.get(name.replace(/_block$/, '')) ??
    coppers.get(name) ??
    woods.get(wood) ??
    barkOf(name) ??
    dyedOf(name)
  )
}

function barkOf(name: string): Colour | undefined {
  const [, stripped, wood = ''] = /^(stripped_)?(.+?)_(log|wood|stem|hyphae|block)$/.exec(name) ?? []
  return (stripped === undefined ? barks : woods).get(wood)
}

const dyeOf = (name: string) => {
  const dye = [...dyes.keys()].toSorted((a, b) => b.length - a.length).find((one) => name.startsWith(`${one}_`))
  return dye === undefined ? undefined : dyes.get(dye)
}

function dyedOf(name: string): Colour | undefined {
  if (name === 'terracotta' || name === 'hardened_clay') return TERRACOTTA
  if (name === 'shulker_box') return 0x8b618b
  const dye = dyeOf(name)
  if (dye === undefined) return undefined
  if (/_glazed_terracotta$|_wool$|_carpet$|_bed$|_shulker_box$/.test(name)) return dye
  if (name.endsWith('_terracotta')) return mix(dye, TERRACOTTA, 0.5)
  if (name.endsWith('_concrete')) return mix(dye, 0x101010, 0.1)
  return name.endsWith('_concrete_powder') ? mix(dye, 0xffffff, 0.1) : undefined
}

/** Calm, and never the same for two neighbours in the alphabet. */
function strange(name: string): Colour {
  const hash = hashOf(name)
  return mix(hash & 0xffffff, 0x8a8378, 0.6)
}
