import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compoundOf, findNbt, listOf, type NbtCompound, type NbtTag, readNbt, writeNbt } from '../nbt.ts'
import { changePlayerData, readPlayerData, readPlayTime } from './player-data.ts'

const int = (value: number): NbtTag => ({ type: 'int', value })
const byte = (value: number): NbtTag => ({ type: 'byte', value })
const short = (value: number): NbtTag => ({ type: 'short', value })
const float = (value: number): NbtTag => ({ type: 'float', value })
const double = (value: number): NbtTag => ({ type: 'double', value })
const string = (value: string): NbtTag => ({ type: 'string', value })

const today = compoundOf({
  Pos: listOf([double(1.5), double(64), double(-200.25)]),
  Dimension: string('minecraft:the_nether'),
  Health: float(12.5),
  foodLevel: int(18),
  XpLevel: int(30),
  playerGameType: int(0),
  fall_distance: double(12),
  respawn: compoundOf({ pos: { type: 'intArray', value: new Int32Array([4, 70, 5]) } }),
  Inventory: listOf([
    compoundOf({ Slot: byte(0), id: string('minecraft:torch'), count: int(64) }),
    compoundOf({
      Slot: byte(9),
      id: string('minecraft:bow'),
      count: int(1),
      components: compoundOf({ 'minecraft:damage': int(3) }),
    }),
  ]),
  equipment: compoundOf({ head: compoundOf({ id: string('minecraft:iron_helmet'), count: int(1) }) }),
  EnderItems: listOf([compoundOf({ Slot: byte(26), id: string('minecraft:diamond'), count: int(5) })]),
  bukkit: compoundOf({ lastKnownName: string('Ala'), firstPlayed: { type: 'long', value: 1_600_000_000_000n } }),
})
const old = compoundOf({
  Pos: listOf([double(0), double(80), double(0)]),
  Dimension: int(1),
  HealF: float(20),
  Health: short(20),
  foodLevel: int(20),
  playerGameType: int(1),
  Inventory: listOf([compoundOf({ Slot: byte(103), id: short(310), Count: byte(1), Damage: short(12) })]),
})

test('a player of today', () => {
  expect(readPlayerData(today)).toMatchObject({
    position: { x: 1.5, y: 64, z: -200.25 },
    dimension: 'minecraft:the_nether',
    health: 12.5,
    food: 18,
    level: 30,
    gameMode: 'survival',
    spawn: { x: 4, y: 70, z: 5 },
    name: 'Ala',
    firstPlayed: 1_600_000_000_000,
    lastPlayed: null,
    inventory: [
      { slot: 0, id: 'minecraft:torch', count: 64, special: false },
      { slot: 9, id: 'minecraft:bow', count: 1, special: true },
      { slot: 103, id: 'minecraft:iron_helmet', count: 1, special: false },
    ],
    enderChest: [{ slot: 26, id: 'minecraft:diamond', count: 5, special: false }],
  })
})

test('one of 1.7, whose things have numbers', () => {
  expect(readPlayerData(old)).toMatchObject({
    dimension: 'minecraft:the_end',
    health: 20,
    gameMode: 'creative',
    inventory: [{ slot: 103, id: 'legacy:310', count: 1, special: true }],
  })
})

test('what is changed has the type it had, and all else stays', () => {
  const number = (min: number, max: number) => fc.option(fc.double({ min, max, noNaN: true }), { nil: undefined })
  fc.assert(
    fc.property(
      fc.constantFrom(today, old),
      fc.record({ health: number(0, 20), food: number(0, 20), level: number(0, 1000) }),
      fc.option(
        fc.record({
          x: fc.integer({ min: -1000, max: 1000 }),
          y: fc.integer({ min: -64, max: 320 }),
          z: fc.integer({ min: -1000, max: 1000 }),
        }),
        {
          nil: undefined,
        },
      ),
      (root, values, position) => {
        const changes = Object.fromEntries(
          Object.entries({ ...values, position }).filter(([, value]) => value !== undefined),
        )
        const changed = readNbt(writeNbt(changePlayerData(root, changes))).tag as NbtCompound
        expect([...changed.value.keys()].sort()).toEqual([...root.value.keys()].sort())
        for (const [name, tag] of changed.value) expect(tag.type).toBe(root.value.get(name)!.type)
        const read = readPlayerData(changed)
        if (values.food !== undefined) expect(read.food).toBe(Math.trunc(values.food))
        if (position !== undefined) expect(read.position).toEqual(position)
        expect(read.inventory).toEqual(readPlayerData(root).inventory)
      },
    ),
  )
})

test('values that no game could hold are refused', () => {
  for (const changes of [{ health: -1 }, { food: 21 }, { health: Number.NaN }, { position: { x: 1e9, y: 0, z: 0 } }])
    expect(() => changePlayerData(today, changes)).toThrow(RangeError)
})

test('the time that somebody has played', () => {
  expect(readPlayTime('{"stats":{"minecraft:custom":{"minecraft:play_time":72000}}}')).toBe(3600)
  expect(readPlayTime('{"stats":{"minecraft:custom":{"minecraft:play_one_minute":40}}}')).toBe(2)
  expect(readPlayTime('{"stat.playOneMinute":1200}')).toBe(60)
  for (const json of ['', 'null', '[]', '{"stats":3}', '{"stat.playOneMinute":"x"}', '{"stats":null}'])
    expect(readPlayTime(json)).toBeNull()
})

const plainIn = (root: NbtCompound) =>
  readPlayerData(root).inventory.map(({ slot, id, count, special }) => ({ slot, id, count, special }))

test('things are put in, taken out and counted, as the version of the file writes them', () => {
  const changed = changePlayerData(today, {
    items: [
      { container: 'inventory', slot: 0, item: { id: 'minecraft:torch', count: 3 } },
      { container: 'inventory', slot: 9, item: { id: 'minecraft:bow', count: 1 } },
      { container: 'inventory', slot: 103, item: null },
      { container: 'inventory', slot: -106, item: { id: 'minecraft:shield', count: 1 } },
      { container: 'ender_chest', slot: 26, item: null },
    ],
  })
  const read = readNbt(writeNbt(changed)).tag as NbtCompound
  expect(plainIn(read)).toEqual([
    { slot: 0, id: 'minecraft:torch', count: 3, special: false },
    { slot: 9, id: 'minecraft:bow', count: 1, special: true },
    { slot: -106, id: 'minecraft:shield', count: 1, special: false },
  ])
  expect(readPlayerData(read).enderChest).toEqual([])
  const flattened = compoundOf({
    DataVersion: int(1343),
    Inventory: listOf([compoundOf({ Slot: byte(1), id: string('minecraft:dirt'), Count: byte(5) })]),
  })
  const added = changePlayerData(flattened, {
    items: [{ container: 'inventory', slot: 2, item: { id: 'minecraft:stone', count: 64 } }],
  })
  expect(findNbt(added, 'Inventory', 1, 'Count')).toEqual(byte(64))
  expect(() =>
    changePlayerData(old, { items: [{ container: 'inventory', slot: 2, item: { id: 'minecraft:stone', count: 1 } }] }),
  ).toThrow(RangeError)
})

test('what no slot could hold is refused', () => {
  fc.assert(
    fc.property(fc.integer(), fc.string(), fc.integer(), (slot, id, count) => {
      const fits =
        ((slot >= 0 && slot <= 35) || (slot >= 100 && slot <= 103) || slot === -106) &&
        /^[a-z0-9_.-]+:[a-z0-9_./-]+$/.test(id) &&
        count >= 1 &&
        count <= 99
      const change = () => changePlayerData(today, { items: [{ container: 'inventory', slot, item: { id, count } }] })
      if (fits) change()
      else expect(change).toThrow(RangeError)
    }),
  )
})

test('names and enchantments of all versions', () => {
  const level = (id: NbtTag, lvl: number) => compoundOf({ id, lvl: short(lvl) })
  const stacks = [
    compoundOf({
      Slot: byte(0),
      id: string('minecraft:bow'),
      count: int(1),
      components: compoundOf({
        'minecraft:enchantments': compoundOf({ levels: compoundOf({ 'minecraft:power': int(5) }) }),
        'minecraft:custom_name': string('{"text":"Long","extra":["bow"]}'),
        'minecraft:damage': int(7),
      }),
    }),
    compoundOf({
      Slot: byte(1),
      id: string('minecraft:book'),
      count: int(1),
      components: compoundOf({
        'minecraft:stored_enchantments': compoundOf({ 'minecraft:mending': int(1) }),
        'minecraft:custom_name': compoundOf({ text: string('Tome') }),
      }),
    }),
    compoundOf({
      Slot: byte(2),
      id: string('minecraft:axe'),
      Count: byte(1),
      tag: compoundOf({
        Enchantments: listOf([level(string('minecraft:efficiency'), 3)]),
        display: compoundOf({ Name: string('Chopper') }),
      }),
    }),
    compoundOf({
      Slot: byte(3),
      id: short(276),
      Count: byte(1),
      tag: compoundOf({ ench: listOf([level(short(16), 2)]) }),
    }),
  ]
  expect(readPlayerData(compoundOf({ Inventory: listOf(stacks) })).inventory).toMatchObject([
    { name: 'Longbow', damage: 7, enchantments: [{ id: 'minecraft:power', level: 5 }] },
    { name: 'Tome', enchantments: [{ id: 'minecraft:mending', level: 1 }] },
    { name: 'Chopper', enchantments: [{ id: 'minecraft:efficiency', level: 3 }] },
    { name: null, enchantments: [{ id: 'legacy:16', level: 2 }] },
  ])
})
