/** Where things lie, as games of Java Edition number it. */
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

export const slotGroups = {
  inventory: [
    { name: 'worn', slots: [103, 102, 101, 100, -106] },
    { name: 'pack', slots: range(9, 35) },
    { name: 'hand', slots: range(0, 8) },
  ],
  ender_chest: [{ name: 'chest', slots: range(0, 26) }],
} as const satisfies Record<string, { name: string; slots: readonly number[] }[]>

/** `minecraft:oak_log` → Oak log. Names of mods and of enchantments are read in the same way. */
export function itemName(id: string): string {
  const words = id
    .slice(id.indexOf(':') + 1)
    .replaceAll(/[_/.-]+/g, ' ')
    .trim()
  const name = words === '' ? id : words
  return name.charAt(0).toUpperCase() + name.slice(1)
}
