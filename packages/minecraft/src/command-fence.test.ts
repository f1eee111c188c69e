import { expect, test } from 'vitest'
import { createFenceFinder, fenceOf } from './command-fence.ts'

const fence = fenceOf('0190a0b0-1111-7222-8333-444455556666')
const typed = (text: string) => ({ stream: 'in', text }) as const
const said = (text: string) => ({ stream: 'out', text }) as const
const leftOf = (...lines: (ReturnType<typeof typed> | ReturnType<typeof said>)[]) => {
  const isOfFence = createFenceFinder()
  return lines.filter((line) => !isOfFence(line)).map(({ text }) => text)
}

test.each([
  ['one line', ['\u001b[31m[ERROR]\u001b[0m: Command not found']],
  [
    'two',
    ['[14:02:11 INFO]: Unknown or incomplete command, see below for error', `[14:02:11 INFO]: ${fence}<--[HERE]`],
  ],
  ['a line that names it', [`Unknown command: ${fence}`]],
])('the line and what a game says of it in %s are found, and nothing else is', (_how, answer) => {
  expect(
    leftOf(
      typed('give Steve bread'),
      said('Gave 1 [Bread] to Steve'),
      typed(fence),
      said('[14:02:11 INFO]: <Alex> Unknown command, they say'),
      ...answer.map(said),
      typed('gvie'),
      said('Unknown command'),
    ),
  ).toEqual([
    'give Steve bread',
    'Gave 1 [Bread] to Steve',
    '[14:02:11 INFO]: <Alex> Unknown command, they say',
    'gvie',
    'Unknown command',
  ])
})
