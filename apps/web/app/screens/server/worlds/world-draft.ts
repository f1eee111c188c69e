/** What is typed about a world, and what of it is a change. */
import { difficulties, type EditWorldBody, type World, worldLimits } from '@wakestone/contract/servers/worlds'

export type Draft = {
  difficulty: string
  hardcore: boolean
  x: string
  y: string
  z: string
  borderX: string
  borderZ: string
  borderSize: string
  time: string
  rules: Record<string, string>
}
type Change = Omit<EditWorldBody, 'world' | 'in_seconds'>

export function draftOf({ level }: World): Draft {
  const text = (value: number | undefined) => (value === undefined ? '' : String(Math.trunc(value)))
  return {
    difficulty: level?.difficulty ?? '',
    hardcore: level?.hardcore ?? false,
    x: text(level?.spawn?.x),
    y: text(level?.spawn?.y),
    z: text(level?.spawn?.z),
    borderX: text(level?.border?.x),
    borderZ: text(level?.border?.z),
    borderSize: text(level?.border?.size),
    time: text(level?.time ?? undefined),
    rules: level?.rules ?? {},
  }
}

/** Of numbers: the least and the most. */
const bounds: Record<string, readonly [least: number, most: number]> = {
  x: [-worldLimits.coordinate, worldLimits.coordinate],
  y: [-worldLimits.height, worldLimits.height],
  z: [-worldLimits.coordinate, worldLimits.coordinate],
  borderX: [-worldLimits.coordinate, worldLimits.coordinate],
  borderZ: [-worldLimits.coordinate, worldLimits.coordinate],
  borderSize: [1, worldLimits.border],
  time: [0, worldLimits.time],
}
const mostOfRule = 999_999_999

function isWhole(text: string, [least, most]: readonly [number, number]): boolean {
  const value = Number(text)
  return /^-?\d{1,12}$/.test(text.trim()) && value >= least && value <= most
}

/** What differs from what the world says; fields that are no such numbers are left out, and told by `wrong`. */
export function readChange(world: World, draft: Draft): { change: Change; wrong: ReadonlySet<string> } {
  const before = draftOf(world)
  const { level } = world
  const wrong = new Set<string>()
  const change: Change = {}
  const differs = (...names: (keyof Draft)[]) => names.some((name) => draft[name] !== before[name])
  const read = (...names: ('x' | 'y' | 'z' | 'borderX' | 'borderZ' | 'borderSize' | 'time')[]) => {
    for (const name of names) if (!isWhole(draft[name], bounds[name]!)) wrong.add(name)
    return names.every((name) => !wrong.has(name)) ? names.map((name) => Number(draft[name])) : undefined
  }
  const difficulty = difficulties.find((one) => one === draft.difficulty)
  if (difficulty !== undefined && differs('difficulty')) change.difficulty = difficulty
  if (differs('hardcore')) change.hardcore = draft.hardcore
  if (level?.spawn != null && differs('x', 'y', 'z')) {
    const [x, y, z] = read('x', 'y', 'z') ?? []
    if (x !== undefined && y !== undefined && z !== undefined) change.spawn = { x, y, z }
  }
  if (level?.border != null && differs('borderX', 'borderZ', 'borderSize')) {
    const [x, z, size] = read('borderX', 'borderZ', 'borderSize') ?? []
    if (x !== undefined && z !== undefined && size !== undefined) change.border = { x, z, size }
  }
  if (level?.time != null && differs('time')) {
    const [time] = read('time') ?? []
    if (time !== undefined) change.time = time
  }
  const rules: Record<string, string> = {}
  for (const [name, value] of Object.entries(draft.rules)) {
    if (value === before.rules[name]) continue
    if (value !== 'true' && value !== 'false' && !isWhole(value, [-mostOfRule, mostOfRule])) wrong.add(`rules.${name}`)
    else rules[name] = value.trim()
  }
  if (Object.keys(rules).length > 0) change.rules = rules
  return { change, wrong }
}
