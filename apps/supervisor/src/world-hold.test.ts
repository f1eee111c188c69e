/** A world is held while somebody reads it, and never longer than they ask for it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWorldHold, holdCommands } from './world-hold.ts'

const java = { flush: { command: 'save-all flush', answer: ': Saved the game' } }
const bedrock = { probe: 'bedrock' as const }
let typed: string[]
let isReading: boolean
const make = () =>
  createWorldHold({
    type(line) {
      if (isReading) typed.push(line)
      return isReading
    },
    onChange() {},
  })

beforeEach(() => {
  vi.useFakeTimers()
  typed = []
  isReading = true
})
afterEach(() => void vi.useRealTimers())

test('the game stops writing, writes what it has, and goes on when it is told', () => {
  const world = make()
  world.hold(60, 'running', java)
  expect([world.state(), typed]).toEqual(['saving', ['save-off', 'save-all flush']])
  world.readLine('[12:00:00 INFO]: Saving the game')
  expect(world.state()).toBe('saving')
  world.readLine('[12:00:01 INFO]: Saved the game')
  expect(world.state()).toBe('held')
  world.hold(60, 'running', java)
  expect(typed).toHaveLength(2) // asked again, it is held longer and nothing else
  world.release()
  world.release()
  expect([world.state(), typed.slice(2)]).toEqual(['none', ['save-on']])
})

test('it goes on by itself when whoever asked is gone, or the game does not say that it is done', () => {
  const world = make()
  world.hold(90, 'running', java)
  vi.advanceTimersByTime(60_000)
  expect(world.state()).toBe('held')
  vi.advanceTimersByTime(29_000)
  world.hold(90, 'running', java)
  vi.advanceTimersByTime(89_000)
  expect(world.state()).toBe('held')
  vi.advanceTimersByTime(1_000)
  expect([world.state(), typed.at(-1)]).toEqual(['none', 'save-on'])
})

test('Bedrock is asked until it says so', () => {
  const world = make()
  world.hold(60, 'running', bedrock)
  vi.advanceTimersByTime(2_500)
  expect(typed).toEqual(['save hold', 'save query', 'save query', 'save query'])
  world.readLine('Data saved. Files are now ready to be copied.')
  vi.advanceTimersByTime(5_000)
  expect(typed).toHaveLength(4)
  world.release()
  expect(typed.at(-1)).toBe('save resume')
})

test('one that is frozen or down is told as soon as it goes on; one that has ended is told nothing', () => {
  const world = make()
  world.hold(60, 'frozen', java)
  expect([world.state(), typed]).toEqual(['held', []])
  world.gameRuns()
  expect(typed).toEqual(['save-off'])
  world.gameEnded()
  world.release()
  expect(typed).toEqual(['save-off'])
  world.gameRuns()
  expect(typed).toEqual(['save-off'])
  isReading = false
  world.hold(60, 'running', java)
  expect(world.state()).toBe('held')
  world.close()
})

test('a game without either way is not held', () => {
  expect(holdCommands({})).toBeUndefined()
  const world = make()
  world.hold(60, 'running', {})
  expect([world.state(), typed]).toEqual(['held', []])
  world.release()
})
