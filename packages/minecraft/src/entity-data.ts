/** Where a player is, as Java's engines since 1.13 answer `data get entity NAME Pos` and `… Dimension` on their console. */

type EntityData = { name: string } & ({ position: [x: number, y: number, z: number] } | { dimension: string })

/** Names that can be typed into a command as they are: those of bridges begin with another letter. */
export const isPlainName = (name: string): boolean => /^\w{1,16}$/.test(name)

export const entityQuestions = (name: string): string[] => [
  `data get entity ${name} Pos`,
  `data get entity ${name} Dimension`,
]

// oxlint-disable-next-line no-control-regex
const TERMINAL_CODES = /\x1b\[[0-9;?]*[A-Za-z]/g
/** What stands before a message: anchored, so that nobody says such an answer in the chat. */
const PREFIX = String.raw`^\[(?:[\w.]+ )?\d\d:\d\d:\d\d(?:\.\d+)?(?: INFO\]|\] \[Server thread/INFO\](?: \[[^\]]{1,60}\])?): `
const NUMBER = String.raw`(-?\d{1,10}(?:\.\d{1,20})?(?:E-?\d{1,3})?)d`
const POSITION = new RegExp(
  String.raw`${PREFIX}(\w{1,16}) has the following entity data: \[${NUMBER}, ${NUMBER}, ${NUMBER}\]$`,
)
/** A number before 1.16. */
const DIMENSION = new RegExp(
  String.raw`${PREFIX}(\w{1,16}) has the following entity data: (?:"([\w.:/-]{1,80})"|(-?[01]))$`,
)
const REFUSAL = new RegExp(String.raw`${PREFIX}(?:No entity was found|Unknown (?:or incomplete )?command)`)
const oldDimensions: Record<string, string> = {
  '-1': 'minecraft:the_nether',
  '0': 'minecraft:overworld',
  '1': 'minecraft:the_end',
}

/** Reads one console line; undefined when it is about something else. */
export function readEntityData(text: string): EntityData | undefined {
  if (text.length > 300 || !text.includes(' has the following entity data: ')) return undefined
  const plain = text.replace(TERMINAL_CODES, '').trim()
  const place = POSITION.exec(plain)
  if (place !== null) {
    const [x, y, z] = place.slice(2).map(Number)
    return { name: place[1]!, position: [x!, y!, z!] }
  }
  const [, name, dimension, old] = DIMENSION.exec(plain) ?? []
  if (name === undefined) return undefined
  return { name, dimension: dimension ?? oldDimensions[old ?? ''] ?? 'minecraft:overworld' }
}

/** That there is nobody of that name, or no such command. */
export const isEntityRefusal = (text: string): boolean =>
  text.length < 300 && REFUSAL.test(text.replace(TERMINAL_CODES, '').trim())
