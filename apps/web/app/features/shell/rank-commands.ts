/** Which commands fit what was typed, best first. */
import { plainText } from '#app/ui/plain-text.ts'

type Rankable = {
  label: string
  /** Stands beside it, and is searched too. */
  hint?: string
  /** What else people call it: never shown. */
  words?: string | undefined
  /** Only read: it comes after the places where something is done. */
  isReading?: boolean
  /** Only offered once something is typed: they would crowd out what is asked for most. */
  isQuiet?: boolean
}

const wordStart = /[\s\-_.:,()]+/

/** How well one typed word fits a text: whole word, beginning of a word, within, or its letters in order; 0 = not. */
function fit(word: string, text: string): number {
  const words = text.split(wordStart)
  if (words.includes(word)) return 100
  if (words.some((candidate) => candidate.startsWith(word))) return 80
  if (text.includes(word)) return 50
  return word.length > 2 && hasInOrder(text, word) ? 10 : 0
}

/** Letters in order from the start of a word and close together: a long text contains any letters somewhere. */
function hasInOrder(text: string, letters: string): boolean {
  return [...text].some((_, start) => {
    if (start > 0 && !wordStart.test(text[start - 1] ?? '')) return false
    let at = 0
    for (const letter of text.slice(start, start + 3 * letters.length)) if (letter === letters[at]) at += 1
    return text[start] === letters[0] && at === letters.length
  })
}

/** In hidden words only beginnings count: nobody could see why the middle of one matches. */
function fitUnseen(word: string, unseen: readonly string[]): number {
  return unseen.includes(word) ? 60 : unseen.some((candidate) => candidate.startsWith(word)) ? 48 : 0
}

function score(command: Rankable, words: readonly string[]): number {
  const label = plainText(command.label)
  const hint = plainText(command.hint ?? '')
  const unseen = plainText(command.words ?? '').split(wordStart)
  let sum = label.startsWith(words.join(' ')) ? 40 : 0
  for (const word of words) {
    // Its own name counts for more than what stands beside it.
    const best = Math.max(fit(word, label), hint === '' ? 0 : fit(word, hint) / 2, fitUnseen(word, unseen))
    if (best === 0) return 0
    sum += best
  }
  // Of two that fit alike, the shorter name is meant.
  return (sum / words.length) * (command.isReading === true ? 0.4 : 1) - label.length / 100
}

/** Every typed word has to fit. Nothing typed = all that are not quiet, as they come. */
export function rankCommands<Command extends Rankable>(commands: readonly Command[], typed: string): Command[] {
  const words = plainText(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return commands.filter((command) => command.isQuiet !== true)
  return commands
    .map((command) => ({ command, score: score(command, words) }))
    .filter((candidate) => candidate.score > 0)
    .toSorted((left, right) => right.score - left.score)
    .map(({ command }) => command)
}

/** Commands under the name of their group; the group of the best one comes first. */
export function groupCommands<Command extends { group: string }>(
  commands: readonly Command[],
): { group: string; commands: Command[] }[] {
  return [...Map.groupBy(commands, (command) => command.group)].map(([group, members]) => ({
    group,
    commands: members,
  }))
}
