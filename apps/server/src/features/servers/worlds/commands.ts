/** What is changed of a world while it is played: by commands, which the game carries out and saves itself. */
import type { LevelChange } from '@wakestone/minecraft/worlds/level-change'

/** The commands of a change; undefined where there is none for something of it. */
export function commandsOf(change: LevelChange): string[] | undefined {
  const { difficulty, hardcore, spawn, border, time, rules = {} } = change
  // Whether it is hardcore the game learns from its files alone.
  if (hardcore !== undefined) return undefined
  return [
    ...(difficulty === undefined ? [] : [`difficulty ${difficulty}`]),
    ...(spawn === undefined ? [] : [`setworldspawn ${spawn.x} ${spawn.y} ${spawn.z}`]),
    ...(border === undefined ? [] : [`worldborder center ${border.x} ${border.z}`, `worldborder set ${border.size}`]),
    ...(time === undefined ? [] : [`time set ${time}`]),
    ...Object.entries(rules).map(([name, value]) => `gamerule ${name} ${value}`),
  ]
}
