import { expect, test } from 'vitest'
import { createPositions } from './positions.ts'

const answer = (name: string, value: string) => `[12:00:01 INFO]: ${name} has the following entity data: ${value}`

function start({ names = ['Steve', 'Alex'], answers = true, askMs = 0 } = {}) {
  const typed: string[] = []
  const shown: string[] = []
  const online = [...names]
  const positions = createPositions({
    names: () => online,
    waitMs: 30,
    askMs,
    type(line) {
      typed.push(line)
      const [, name, what] = /^data get entity (\w+) (Pos|Dimension)$/.exec(line)!
      if (answers)
        setImmediate(() => {
          const text = answer(name!, what === 'Pos' ? `[${name!.length}.5d, 64.0d, -1.0d]` : '"minecraft:the_nether"')
          if (!positions.readLine(text)) shown.push(text)
        })
      return true
    },
  })
  return { positions, typed, shown, online }
}

test('the game is asked once for all who want to know, and its answers are no lines of the console', async () => {
  const { positions, typed, shown, online } = start({ askMs: 60_000 })
  const [one, other] = await Promise.all([positions.ask(), positions.ask()])
  expect(one).toEqual(other)
  expect(one).toEqual([
    { name: 'Steve', x: 5.5, y: 64, z: -1, dimension: 'minecraft:the_nether' },
    { name: 'Alex', x: 4.5, y: 64, z: -1, dimension: 'minecraft:the_nether' },
  ])
  expect(typed).toHaveLength(4)
  await positions.ask()
  expect(typed).toHaveLength(4)
  expect(shown).toEqual([])
  // What somebody else asks for is theirs to see.
  expect(positions.readLine(answer('Steve', '[0.0d, 0.0d, 0.0d]'))).toBe(false)
  online.splice(0, 1)
  expect((await positions.ask()).map(({ name }) => name)).toEqual(['Alex'])
  positions.clear()
  online.length = 0
  expect(await positions.ask()).toEqual([])
})

test('a game that does not answer is left alone after a few times, until it starts anew', async () => {
  const { positions, typed } = start({ names: ['Steve'], answers: false })
  for (let time = 0; time < 6; time++) expect(await positions.ask()).toEqual([])
  expect(typed).toHaveLength(6)
  positions.clear()
  await positions.ask()
  expect(typed).toHaveLength(8)
})

test('of many players some are asked at a time; names that are no names are not typed', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `player${index}`)
  const { positions, typed } = start({ names: [...names, '.Bedrock One', '@a'] })
  for (let time = 0; time < 3; time++) await positions.ask()
  expect(typed).toHaveLength(3 * 2 * 20)
  expect(await positions.ask()).toHaveLength(50)
  expect(typed.some((line) => /@a|Bedrock/.test(line))).toBe(false)
})
