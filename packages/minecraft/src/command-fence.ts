/**
 * The line that is typed after a command to find the end of its answer: no game knows it, so each says so, and what was
 * said before that is of the command. It is nobody's, and so is what the game says of it: readers are shown neither.
 */
import { holdsPlayerWords } from '#src/player-words.ts'

type Line = { stream: 'out' | 'err' | 'in' | 'system'; text: string }

export const fenceOf = (attemptId: string) => `wakestone-delivery-${attemptId.replaceAll('-', '').slice(0, 20)}`
const fence = /\bwakestone-delivery-[0-9a-f]{20}\b/

// oxlint-disable-next-line no-control-regex
const codes = /\u001b\[[0-9;?]*[A-Za-z]|§./g
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g
/** What engines put before a message. */
const prefix = /^(\[[^\]]{1,60}\]:? ?){1,4}:? ?/

const unknownCommand =
  /\b(unknown|not found|invalid|no such|nieznan\w*|unbekannt\w*)\b.*\b(command|komend\w*|poleceni\w*|befehl\w*)\b|\b(command|komend\w*|poleceni\w*|befehl\w*)\b.*\b(unknown|not found|nieznan\w*|unbekannt\w*|does not exist)\b/i

export const plainText = ({ text }: Line) => text.replace(codes, '').replace(controls, '').trim()
export const messageOf = (line: Line) => plainText(line).replace(prefix, '')
/** Of the game, and not of its players. */
export const isSaid = (line: Line) =>
  (line.stream === 'out' || line.stream === 'err') && plainText(line) !== '' && !holdsPlayerWords(line.text)
export const saysUnknown = (line: Line) => unknownCommand.test(messageOf(line))

/** What a game says of a line comes within so many lines, others of its own in between. */
const answerLines = 20

/** Tells of the lines of one console, each in its turn, which are of a fence. */
export function createFenceFinder(): (line: Line) => boolean {
  let awaited = 0
  return (line) => {
    if (line.stream === 'in' && fence.test(line.text)) {
      awaited = answerLines
      return true
    }
    if (!isSaid(line)) return false
    if (fence.test(line.text)) {
      awaited = 0
      return true
    }
    if (awaited === 0) return false
    awaited--
    if (!saysUnknown(line)) return false
    awaited = 0
    return true
  }
}
