/**
 * What a game's console answered to a command. After the command a second line is typed that no game knows and that
 * names the attempt: games read their console in order, so whatever they say of that line, they have done the command by
 * then. Both are in the supervisor's record of the console, which outlives whoever typed them.
 */
import { isSaid, messageOf, plainText, saysUnknown } from '@wakestone/minecraft/command-fence'
import type { ConsoleLine } from '@wakestone/protocol/supervisor'

export type Verdict =
  | { kind: 'confirmed'; said: string }
  /** The game did not do it, and says so. */
  | { kind: 'refused'; said: string; because: 'player_away' | 'refused' | 'other_answer' }
  /** It was not typed: it may be sent again. */
  | { kind: 'not typed' }
  /** It was typed, and nothing tells what came of it. */
  | { kind: 'unclear'; said: string }

const saidLength = 500
const playerAway =
  /\b(no player was found|player(?: '[^']*')? not found|no entity was found|that player (cannot be found|does not exist)|no targets matched selector|player is not online)\b/i
const refusal =
  /<--\[here\]|\bincorrect argument\b|\bexpected (?:whitespace|integer|literal|float|bool|double|value)\b|\b(?:syntax|usage)(?: error)?:|\ban unexpected error\b|\bunable to\b|\bcould not\b|\bcannot\b|\bcan't\b|\bunknown (?:item|enchantment|effect|entity|block|permission|group|currency|key|function)\b|\binvalid\b|\byou (?:do not|don't) have permission\b|\bnot a valid\b|\bfailed to\b|\berror\b|\bexception\b/i

export type Asked = { command: string; fence: string; answer: string; sentAt: Date }

/** The time of a supervisor's clock may be a little off ours. */
const clockMilliseconds = 5_000

/**
 * @param lines what is kept of the console, oldest first
 * @param isOver nobody waits for more
 */
export function judge(lines: readonly ConsoleLine[], asked: Asked, isOver: boolean): Verdict | undefined {
  const { command, fence, answer, sentAt } = asked
  const typed = (text: string, until: number) =>
    lines.findLastIndex(({ stream, text: line }, index) => index < until && stream === 'in' && line === text)
  const fenceAt = typed(fence, lines.length)
  if (fenceAt === -1) {
    if (!isOver) return undefined
    const since = sentAt.getTime() - clockMilliseconds
    const commandAt = typed(command, lines.length)
    const wasTyped = commandAt !== -1 && lines[commandAt]!.time >= since
    const reachesBack = lines.length > 0 && lines[0]!.time < since
    return wasTyped || !reachesBack ? { kind: 'unclear', said: '' } : { kind: 'not typed' }
  }
  const commandAt = typed(command, fenceAt)
  if (commandAt === -1) return isOver ? { kind: 'unclear', said: '' } : undefined
  const early = lines.slice(commandAt + 1, fenceAt).filter(isSaid)
  const late = lines.slice(fenceAt + 1).filter(isSaid)
  const named = late.findIndex((line) => line.text.includes(fence))
  const unknown = late.flatMap((line, index) => (saysUnknown(line) ? [index] : []))
  // Games that name what they do not know say so in two lines, of which the first tells nothing.
  const end = named === -1 ? (unknown.at(-1) ?? -1) : unknown.includes(named - 1) ? named - 1 : named
  const said = [...early, ...(end === -1 ? late : late.slice(0, end))]
  const text = said.map(messageOf).join('\n').slice(0, saidLength)
  const isAnswered = answer !== '' && said.some((line) => plainText(line).toLowerCase().includes(answer.toLowerCase()))
  if (isAnswered) return { kind: 'confirmed', said: text }
  if (end === -1) return isOver ? { kind: 'unclear', said: text } : undefined
  // A game that does not name the line may have said this of the command, and be about to say it of the other.
  if (named === -1 && !isOver) return undefined
  if (said.some((line) => playerAway.test(messageOf(line))))
    return { kind: 'refused', said: text, because: 'player_away' }
  if (said.some((line) => refusal.test(messageOf(line)) || saysUnknown(line)))
    return { kind: 'refused', said: text, because: 'refused' }
  if (answer !== '') return { kind: 'refused', said: text, because: 'other_answer' }
  return { kind: 'confirmed', said: text }
}

/** Whether the game has said something of a line that it does not know, without naming it. */
export const hasAnswered = (lines: readonly ConsoleLine[], fence: string): boolean => {
  const at = lines.findLastIndex(({ stream, text }) => stream === 'in' && text === fence)
  return at !== -1 && lines.slice(at + 1).some((line) => isSaid(line) && saysUnknown(line))
}

/** Whether the game has said anything since a command was typed. */
export const hasSpoken = (lines: readonly ConsoleLine[], command: string): boolean => {
  const at = lines.findLastIndex(({ stream, text }) => stream === 'in' && text === command)
  return at !== -1 && lines.slice(at + 1).some(isSaid)
}
