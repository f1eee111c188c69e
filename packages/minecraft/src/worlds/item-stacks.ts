/**
 * Items as a player's file holds them, in all of its forms: numbers (1.7 and before), `Count` and `tag`, since 1.20.5
 * `count` and `components`; what is worn stands apart since 1.21.5.
 * @see https://minecraft.wiki/w/Player.dat_format
 */
import { findNbt, listOf, type NbtCompound, type NbtTag, plainNbt } from '../nbt.ts'
import { numberAt, textAt } from './nbt-values.ts'

export type Enchantment = { id: string; level: number }
export type ItemStack = {
  /** As the game counts: 0–8 the hand's row, 9–35, 100–103 boots to helmet, -106 the other hand; of a chest 0–26. */
  slot: number
  /** Such as `minecraft:torch`; of 1.7 and before `legacy:50`. */
  id: string
  count: number
  /** Whether it is more than its kind: named, enchanted, damaged, filled. */
  special: boolean
  /** The name that a player gave it. */
  name: string | null
  enchantments: Enchantment[]
  /** Uses that it has lost. */
  damage: number
}
export const itemContainers = ['inventory', 'ender_chest'] as const
export type ItemContainer = (typeof itemContainers)[number]
/** `item` null: nothing lies there any more. The same kind as before keeps all that is special about it. */
export type ItemChange = { container: ItemContainer; slot: number; item: { id: string; count: number } | null }

const MOST_STACKS = 64
const MOST_ENCHANTMENTS = 50
export const ITEM_ID_LENGTH = 100
const NAME_LENGTH = 100
const MOST_OF_AN_ITEM = 99
/** Versions of data that brought `count` (1.20.5) and what is worn out of the inventory (1.21.5). */
const COUNT_SINCE = 3837
const WORN_SINCE = 4325
const ID = /^[a-z0-9_.-]+:[a-z0-9_./-]+$/

/** Slots of what is worn, by their names where they stand apart. */
const wornSlots: Record<string, number> = { feet: 100, legs: 101, chest: 102, head: 103, offhand: -106 }

export function readInventory(root: NbtTag): ItemStack[] {
  return [...stacksOf(findNbt(root, 'Inventory')), ...wornOf(findNbt(root, 'equipment'))]
}
export const readEnderChest = (root: NbtTag): ItemStack[] => stacksOf(findNbt(root, 'EnderItems'))

export function isSlot(container: ItemContainer, slot: number): boolean {
  if (!Number.isInteger(slot)) return false
  if (container === 'ender_chest') return slot >= 0 && slot <= 26
  return (slot >= 0 && slot <= 35) || Object.values(wornSlots).includes(slot)
}

/**
 * The tree with other items in these slots.
 * @throws RangeError for a slot or an item that there cannot be, and for items of 1.7 and before, which have numbers
 */
export function changeItems(root: NbtCompound, changes: readonly ItemChange[]): NbtCompound {
  let next = root
  for (const change of changes) next = changeItem(next, change)
  return next
}

function changeItem(root: NbtCompound, { container, slot, item }: ItemChange): NbtCompound {
  if (!isSlot(container, slot)) throw new RangeError(`slot: ${slot}`)
  if (item && (!ID.test(item.id) || item.id.length > ITEM_ID_LENGTH)) throw new RangeError('item: no such kind')
  if (item && !(Number.isInteger(item.count) && item.count >= 1 && item.count <= MOST_OF_AN_ITEM))
    throw new RangeError(`count: ${item.count}`)
  const form = formOf(root)
  const worn = Object.entries(wornSlots).find(([, number]) => number === slot)?.[0]
  if (container === 'inventory' && worn !== undefined && form.wornApart) return changeWorn(root, worn, item)
  const name = container === 'inventory' ? 'Inventory' : 'EnderItems'
  const list = findNbt(root, name)
  const stacks = list?.type === 'list' ? list.value : []
  const before = stacks.find((tag) => numberAt(tag, 'Slot') === slot)
  const others = stacks.filter((tag) => numberAt(tag, 'Slot') !== slot)
  const made = item && stackTag(before, item, form.hasCount)
  if (made) made.value.set('Slot', { type: 'byte', value: slot })
  const value = made ? [...others, made] : others
  return withEntry(root, name, value.length === 0 ? { type: 'list', of: 'end', value } : listOf(value))
}

function changeWorn(root: NbtCompound, place: string, item: ItemChange['item']): NbtCompound {
  const equipment = findNbt(root, 'equipment')
  const worn = new Map(equipment?.type === 'compound' ? equipment.value : [])
  if (item === null) worn.delete(place)
  else worn.set(place, stackTag(worn.get(place), item, true))
  return withEntry(root, 'equipment', { type: 'compound', value: worn })
}

function withEntry(root: NbtCompound, name: string, tag: NbtTag): NbtCompound {
  return { type: 'compound', value: new Map(root.value).set(name, tag) }
}

/** How this file writes items: as those in it do, else by the version that wrote it. */
function formOf(root: NbtCompound): { hasCount: boolean; wornApart: boolean } {
  const lists = ['Inventory', 'EnderItems'].flatMap((name) => {
    const list = findNbt(root, name)
    return list?.type === 'list' ? list.value : []
  })
  const version = numberAt(root, 'DataVersion') ?? 0
  const wornApart = findNbt(root, 'equipment') !== undefined || version >= WORN_SINCE
  const some = lists.find((tag) => findNbt(tag, 'id') !== undefined)
  if (numberAt(some, 'id') !== undefined) throw new RangeError('items: of a version that has numbers for them')
  if (some === undefined) return { hasCount: wornApart || version >= COUNT_SINCE, wornApart }
  return { hasCount: findNbt(some, 'count') !== undefined, wornApart }
}

function stackTag(before: NbtTag | undefined, { id, count }: { id: string; count: number }, hasCount: boolean) {
  const isSame = before?.type === 'compound' && textAt(before, ITEM_ID_LENGTH, 'id') === id
  const value = new Map<string, NbtTag>(isSame ? before.value : [['id', { type: 'string', value: id }]])
  if (hasCount) value.set('count', { type: 'int', value: count })
  else value.set('Count', { type: 'byte', value: count })
  return { type: 'compound', value } satisfies NbtCompound
}

function stacksOf(list: NbtTag | undefined): ItemStack[] {
  if (list?.type !== 'list') return []
  return list.value.slice(0, MOST_STACKS).flatMap((tag) => {
    const slot = numberAt(tag, 'Slot')
    const stack = stackOf(tag)
    return slot === undefined || stack === undefined ? [] : [{ slot, ...stack }]
  })
}

function wornOf(equipment: NbtTag | undefined): ItemStack[] {
  return Object.entries(wornSlots).flatMap(([name, slot]) => {
    const stack = stackOf(findNbt(equipment, name))
    return stack === undefined ? [] : [{ slot, ...stack }]
  })
}

function stackOf(tag: NbtTag | undefined): Omit<ItemStack, 'slot'> | undefined {
  const old = numberAt(tag, 'id')
  const id = textAt(tag, ITEM_ID_LENGTH, 'id') ?? (old === undefined ? undefined : `legacy:${old}`)
  if (id === undefined) return undefined
  const components = findNbt(tag, 'components')
  const more = components ?? findNbt(tag, 'tag')
  const damage =
    numberAt(components, 'minecraft:damage') ?? numberAt(tag, 'tag', 'Damage') ?? numberAt(tag, 'Damage') ?? 0
  return {
    id,
    count: numberAt(tag, 'count') ?? numberAt(tag, 'Count') ?? 1,
    special: (more?.type === 'compound' && more.value.size > 0) || damage !== 0,
    name: nameOf(findNbt(components, 'minecraft:custom_name') ?? findNbt(tag, 'tag', 'display', 'Name')),
    enchantments: enchantmentsOf(tag).slice(0, MOST_ENCHANTMENTS),
    damage,
  }
}

function enchantmentsOf(tag: NbtTag | undefined): Enchantment[] {
  const found: Enchantment[] = []
  for (const name of ['minecraft:enchantments', 'minecraft:stored_enchantments']) {
    const all = findNbt(tag, 'components', name)
    const levels = findNbt(all, 'levels') ?? all
    if (levels?.type !== 'compound') continue
    for (const id of [...levels.value.keys()].slice(0, MOST_ENCHANTMENTS)) {
      const level = numberAt(levels, id)
      if (level !== undefined) found.push({ id: cut(id, ITEM_ID_LENGTH), level })
    }
  }
  for (const name of ['Enchantments', 'StoredEnchantments', 'ench']) {
    const list = findNbt(tag, 'tag', name)
    if (list?.type !== 'list') continue
    for (const entry of list.value.slice(0, MOST_ENCHANTMENTS)) {
      const old = numberAt(entry, 'id')
      const id = textAt(entry, ITEM_ID_LENGTH, 'id') ?? (old === undefined ? undefined : `legacy:${old}`)
      const level = numberAt(entry, 'lvl')
      if (id !== undefined && level !== undefined) found.push({ id, level })
    }
  }
  return found
}

/** The plain letters of a text component: as NBT, as JSON in a string, or as a string of long ago. */
function nameOf(tag: NbtTag | undefined): string | null {
  if (tag === undefined) return null
  if (tag.type !== 'string') return lettersOf(plainNbt(tag))
  try {
    return lettersOf(JSON.parse(tag.value)) ?? cut(tag.value, NAME_LENGTH)
  } catch {
    return cut(tag.value, NAME_LENGTH)
  }
}

function lettersOf(component: unknown, depth = 0): string | null {
  if (typeof component === 'string') return cut(component, NAME_LENGTH)
  if (depth > 8 || typeof component !== 'object' || component === null) return null
  if (Array.isArray(component))
    return (
      cut(
        component
          .slice(0, 20)
          .map((part) => lettersOf(part, depth + 1) ?? '')
          .join(''),
        NAME_LENGTH,
      ) || null
    )
  const { text, extra } = component as Record<string, unknown>
  return cut((lettersOf(text, depth + 1) ?? '') + (lettersOf(extra, depth + 1) ?? ''), NAME_LENGTH) || null
}

const cut = (text: string, length: number) => text.slice(0, length).toWellFormed()
