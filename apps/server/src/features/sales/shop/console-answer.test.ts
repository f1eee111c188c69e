/** What consoles of several games answer, and what is left of that when nobody was there to read it. */
import { fenceOf } from '@wakestone/minecraft/command-fence'
import type { ConsoleLine } from '@wakestone/protocol/supervisor'
import { expect, test } from 'vitest'
import { judge } from './console-answer.ts'

const fence = fenceOf('0190a0b0-1111-7222-8333-444455556666')
const command = 'give Steve bread 1'
const sentAt = new Date(1_000_000)

/** Lines as `>` typed, `#` of the supervisor, or said. */
function consoleOf(...texts: string[]): ConsoleLine[] {
  return texts.map((line, index) => ({
    seq: index + 1,
    time: sentAt.getTime() - 60_000 + index * 60_000,
    stream: line.startsWith('>') ? 'in' : line.startsWith('#') ? 'system' : 'out',
    text: line.replace(/^[>#]/, ''),
  }))
}
const asked = (answer = '') => ({ command, fence, answer, sentAt })
const paper = (...said: string[]) =>
  consoleOf(
    'older',
    `>${command}`,
    `>${fence}`,
    ...said,
    '[14:02:11 INFO]: Unknown or incomplete command, see below for error',
    `[14:02:11 INFO]: ${fence}<--[HERE]`,
  )

test('confirmed once the game has come to the line after it, whatever it said or did not say of the command', () => {
  expect(judge(paper('[14:02:11 INFO]: Gave 1 [Bread] to Steve'), asked(), false)).toEqual({
    kind: 'confirmed',
    said: 'Gave 1 [Bread] to Steve',
  })
  expect(judge(paper(), asked(), false)).toEqual({ kind: 'confirmed', said: '' })
})

test.each([
  ['[14:02:11 INFO]: No player was found', 'player_away'],
  ["[14:02:11 ERROR]: Player 'Steve' not found", 'player_away'],
  ['[14:02:11 INFO]: Unknown or incomplete command, see below for error', 'refused'],
  ['[14:02:11 INFO]: Unknown item ‘minecraft:bred’', 'refused'],
  ['[14:02:11 INFO]: Incorrect argument for command at position 5: give <--[HERE]', 'refused'],
  ['[14:02:11 ERROR]: An unexpected error occurred trying to execute that command', 'refused'],
])('refused: %s', (line, because) => {
  expect(judge(paper(line), asked(), false)).toMatchObject({ kind: 'refused', because })
})

test('what players write is no answer, neither for nor against', () => {
  expect(judge(paper('[14:02:11 INFO]: <Mallory> No player was found'), asked(), false)).toMatchObject({
    kind: 'confirmed',
    said: '',
  })
  expect(judge(paper('[14:02:11 INFO]: <Mallory> Gave 1 Bread'), asked('Gave 1'), false)).toMatchObject({
    kind: 'refused',
    because: 'other_answer',
  })
})

test('an answer that the owner expects counts alone', () => {
  expect(judge(paper('[14:02:11 INFO]: Gave 1 [Bread] to Steve'), asked('gave 1'), false)?.kind).toBe('confirmed')
  expect(judge(paper('[14:02:11 INFO]: Something'), asked('gave 1'), false)).toMatchObject({ because: 'other_answer' })
})

test('a game that does not name what it does not know', () => {
  const notFound = '[14:02:11 ERROR]: Command not found'
  const good = consoleOf('older', `>${command}`, '[14:02:11 INFO]: done', `>${fence}`, notFound)
  expect(judge(good, asked(), false)).toBeUndefined() // one more line may come
  expect(judge(good, asked(), true)).toEqual({ kind: 'confirmed', said: 'done' })
  const bad = consoleOf('older', `>${command}`, notFound, `>${fence}`, notFound)
  expect(judge(bad, asked(), true)).toMatchObject({ kind: 'refused', because: 'refused' })
  const late = consoleOf('older', `>${command}`, `>${fence}`, notFound, notFound)
  expect(judge(late, asked(), true)).toMatchObject({ kind: 'refused', because: 'refused' })
})

test('after a kill: not typed is surely not typed, and everything else is unclear', () => {
  expect(judge(consoleOf('older', 'other'), asked(), true)).toEqual({ kind: 'not typed' })
  expect(judge(consoleOf('older', `>${command}`), asked(), true)).toMatchObject({ kind: 'unclear' })
  // The same command of somebody else, before this one.
  const before = [
    { ...consoleOf(`>${command}`)[0]!, time: sentAt.getTime() - 50_000 },
    ...consoleOf('', '', 'now').slice(2),
  ]
  expect(judge(before, asked(), true)).toEqual({ kind: 'not typed' })
  // What is kept begins later.
  expect(judge(consoleOf('', '', '', 'now').slice(3), asked(), true)).toMatchObject({ kind: 'unclear' })
  expect(judge([], asked(), true)).toMatchObject({ kind: 'unclear' })
  // Typed, and the game ended over it.
  expect(judge(consoleOf('older', `>${command}`, `>${fence}`, '#The game has crashed.'), asked(), true)).toMatchObject({
    kind: 'unclear',
  })
})

test('the fence of another attempt is not this one’s', () => {
  const other = fenceOf('ffffffff-1111-7222-8333-444455556666')
  const lines = consoleOf('older', `>${command}`, `>${other}`, `${other}<--[HERE]`)
  expect(judge(lines, asked(), true)?.kind).not.toBe('confirmed')
})
