/** Worlds that are no more than a `level.dat`: how the ground lies, the game makes of it. */
import { compoundOf, listOf, type NbtTag } from '@wakestone/minecraft/nbt'
import { writeNbtFile } from '@wakestone/minecraft/nbt-file'
import { pack, type Said, type Sample, texts } from './sample.ts'

const text = (value: string): NbtTag => ({ type: 'string', value })
const whole = (value: number): NbtTag => ({ type: 'int', value })
const flag = (value: boolean): NbtTag => ({ type: 'byte', value: value ? 1 : 0 })

type Ground = { layers: [block: string, height: number][]; biome: string; spawnY: number }

const generator = (type: string, settings: NbtTag): NbtTag => compoundOf({ type: text(type), generator: settings })

/** As Minecraft 1.21.4 saves a world that is flat. */
function levelDat(name: string, { layers, biome, spawnY }: Ground): Buffer {
  const flat = compoundOf({
    type: text('minecraft:flat'),
    settings: compoundOf({
      layers: listOf(layers.map(([block, height]) => compoundOf({ block: text(block), height: whole(height) }))),
      biome: text(biome),
      features: flag(false),
      lakes: flag(false),
      structure_overrides: listOf<NbtTag>([]),
    }),
  })
  const noise = (settings: string, biomes: NbtTag): NbtTag =>
    compoundOf({ type: text('minecraft:noise'), settings: text(settings), biome_source: biomes })
  const nether = compoundOf({ type: text('minecraft:multi_noise'), preset: text('minecraft:nether') })
  const data = compoundOf({
    DataVersion: whole(4189),
    Version: compoundOf({ Id: whole(4189), Name: text('1.21.4'), Series: text('main'), Snapshot: flag(false) }),
    version: whole(19133),
    LevelName: text(name),
    GameType: whole(1),
    Difficulty: flag(false),
    allowCommands: flag(true),
    hardcore: flag(false),
    initialized: flag(true),
    SpawnX: whole(0),
    SpawnY: whole(spawnY),
    SpawnZ: whole(0),
    WorldGenSettings: compoundOf({
      seed: { type: 'long', value: 0n },
      generate_features: flag(false),
      bonus_chest: flag(false),
      dimensions: compoundOf({
        'minecraft:overworld': generator('minecraft:overworld', flat),
        'minecraft:the_nether': generator('minecraft:the_nether', noise('minecraft:nether', nether)),
        'minecraft:the_end': generator(
          'minecraft:the_end',
          noise('minecraft:end', compoundOf({ type: text('minecraft:the_end') })),
        ),
      }),
    }),
  })
  return writeNbtFile({
    name: '',
    tag: compoundOf({ Data: data }),
    edition: 'java',
    compression: 'gzip',
    version: null,
  })
}

const map = (slug: string, name: string, ground: Ground, said: Said): Sample => ({
  slug: `sample-${slug}`,
  name,
  type: 'map',
  labels: ['sample', 'building', 'flat'],
  loaders: ['vanilla', 'paper', 'fabric'],
  versions: ['1.21.4'],
  file: { name: `${slug}-1.0.0.zip`, bytes: pack({ 'level.dat': levelDat(name, ground) }) },
  texts: texts(said),
})

export const maps: readonly Sample[] = [
  map(
    'empty-sky',
    'Empty sky',
    { layers: [['minecraft:air', 1]], biome: 'minecraft:the_void', spawnY: 64 },
    {
      en: [
        'Nothing at all: for lobbies and islands.',
        'A world without ground. Place the first block before you jump.',
      ],
      pl: ['Zupełnie nic: na lobby i wyspy.', 'Świat bez gruntu. Postaw pierwszy blok, zanim skoczysz.'],
      de: ['Gar nichts: für Lobbys und Inseln.', 'Eine Welt ohne Boden. Setz den ersten Block, bevor du springst.'],
    },
  ),
  map(
    'sandstone-plain',
    'Sandstone plain',
    {
      layers: [
        ['minecraft:bedrock', 1],
        ['minecraft:stone', 40],
        ['minecraft:sandstone', 20],
        ['minecraft:smooth_sandstone', 1],
      ],
      biome: 'minecraft:desert',
      spawnY: -1,
    },
    {
      en: ['A calm, light floor for builders.', 'Flat sandstone in a desert: no rain, no grass, no slimes in sight.'],
      pl: ['Spokojne, jasne podłoże dla budowniczych.', 'Płaski piaskowiec na pustyni: bez deszczu i bez trawy.'],
      de: ['Ein ruhiger, heller Boden für Baumeister.', 'Flacher Sandstein in der Wüste: kein Regen, kein Gras.'],
    },
  ),
  map(
    'snow-field',
    'Snow field',
    {
      layers: [
        ['minecraft:bedrock', 1],
        ['minecraft:dirt', 60],
        ['minecraft:grass_block', 1],
        ['minecraft:snow', 1],
      ],
      biome: 'minecraft:snowy_plains',
      spawnY: -1,
    },
    {
      en: ['It snows, and the ground is even.', 'For winter villages and snowmen.'],
      pl: ['Pada śnieg, a teren jest równy.', 'Na zimowe wioski i bałwany.'],
      de: ['Es schneit, und der Boden ist eben.', 'Für Winterdörfer und Schneemänner.'],
    },
  ),
  map(
    'redstone-table',
    'Redstone table',
    {
      layers: [
        ['minecraft:bedrock', 1],
        ['minecraft:stone', 50],
        ['minecraft:white_concrete', 1],
      ],
      biome: 'minecraft:plains',
      spawnY: -11,
    },
    {
      en: ['White concrete as far as you can see.', 'Every line of redstone stands out on it.'],
      pl: ['Biały beton aż po horyzont.', 'Widać na nim każdą ścieżkę redstone.'],
      de: ['Weißer Beton, so weit man sieht.', 'Jede Redstone-Leitung fällt darauf auf.'],
    },
  ),
]
