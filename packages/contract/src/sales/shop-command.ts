/**
 * Commands of a shop: templates of its owner with names in braces. What a buyer says passes a strict grammar before it
 * stands in one, so that a name or a choice is never more than one word of the command.
 */
import { isPlayerName } from '../servers/players.ts'
import type { Game } from '../servers/server.ts'

export const commandLength = 300
/** What a supervisor takes, see `commandRequestSchema` of the protocol. */
const lineLength = 1000
/** Ends of lines, and what stands for nothing that is seen. */
const forbidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
const place = /\{([^{}]*)\}/g
/** A word that a buyer chooses: letters, digits and underscores, so that it ends nothing and selects nobody. */
export const shopWord = /^[A-Za-z0-9_]{1,32}$/
export const variableName = /^[a-z][a-z0-9_]{0,15}$/
/** Known of every order. */
export const ownVariables = ['player', 'uuid', 'quantity', 'order'] as const
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const orderName = /^[0-9a-f-]{36}$/

export type CommandProblem = 'empty' | 'too_long' | 'one_line' | 'unknown_variable'

/** What is wrong with a template; undefined: nothing. */
export function commandProblem(template: string, variables: readonly string[]): CommandProblem | undefined {
  const text = template.trim().replace(/^\//, '')
  if (text === '') return 'empty'
  if (text.length > commandLength) return 'too_long'
  if (forbidden.test(text)) return 'one_line'
  const known = new Set<string>([...ownVariables, ...variables])
  for (const [, name = ''] of text.matchAll(place))
    if (variableName.test(name) && !known.has(name)) return 'unknown_variable'
  return undefined
}

export type CommandValues = {
  game: Game
  player: string
  /** Null where the game has not told it; a template that asks for it is then refused. */
  uuid: string | null
  quantity: number
  order: string
  chosen: Readonly<Record<string, string>>
}

/**
 * One line for the console. Braces around what is no name, as in NBT, stay as they are; what is put in is never read as
 * a template again.
 * @throws RangeError for a value that is no plain word of its kind, or a line that would be more than one
 */
export function fillCommand(template: string, values: CommandValues): string {
  const line = template
    .trim()
    .replace(/^\//, '')
    .replace(place, (whole, name: string) => (variableName.test(name) ? valueOf(name, values) : whole))
  if (line === '' || line.length > lineLength || forbidden.test(line)) throw new RangeError('no command')
  return line
}

function valueOf(name: string, values: CommandValues): string {
  switch (name) {
    case 'player':
      if (!isPlayerName(values.game, values.player)) throw new RangeError('player')
      return values.game === 'minecraft-bedrock' ? `"${values.player}"` : values.player
    case 'uuid':
      if (values.uuid === null || !uuid.test(values.uuid)) throw new RangeError('uuid')
      return values.uuid
    case 'quantity':
      if (!Number.isSafeInteger(values.quantity) || values.quantity < 1) throw new RangeError('quantity')
      return String(values.quantity)
    case 'order':
      if (!orderName.test(values.order)) throw new RangeError('order')
      return values.order
    default: {
      const chosen = Object.hasOwn(values.chosen, name) ? values.chosen[name] : undefined
      if (chosen === undefined || !shopWord.test(chosen)) throw new RangeError(name)
      return chosen
    }
  }
}
