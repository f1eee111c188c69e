import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holdsPlayerWords } from './player-words.ts'

const prefixes = [
  '[14:02:11] [Server thread/INFO]: ',
  '[14:02:11] [Server thread/INFO] [minecraft/MinecraftServer]: ',
  '[14:02:11 INFO]: ',
  '> \u001b[1GNovember 20th 2026, 14:02:11 [\u001b[32mINFO\u001b[39m]: ',
  '',
]
const words = fc.string({ unit: 'binary', maxLength: 200 }).filter((text) => !/[\r\n]/.test(text))
const names = fc.stringMatching(/^[.*]?\w{1,16}$/)

test('whatever is chatted, typed or done in the third person is a player’s, behind the prefix of any engine', () => {
  fc.assert(
    fc.property(fc.constantFrom(...prefixes), names, words, (prefix, name, text) => {
      for (const message of [
        `<${name}> ${text}`,
        `[Not Secure] <${name}> ${text}`,
        `<[Admin] ${name}> ${text}`,
        `* ${name} ${text}.`,
        `${name} issued server command: /${text}`,
        `[${name} -> me] ${text}`,
      ])
        expect(holdsPlayerWords(prefix + message), prefix + message).toBe(true)
    }),
  )
})

test.each([
  '[14:02:11] [Async Chat Thread - #0/INFO]: Admin Steve » hello',
  '[14:02:11 INFO]: Alex was slain by Steve using [Done (1.2s)!]',
  "[14:02:11] [Server thread/INFO]: Named entity EntityWolf['Steve joined the game'/12] died: fell",
])('so is %s', (line) => expect(holdsPlayerWords(line)).toBe(true))

test.each([
  '[14:02:11] [Server thread/INFO]: Steve joined the game',
  '[14:02:11 INFO]: Done (1.2s)! For help, type "help"',
  '[14:02:11 INFO]: [Essentials] Loading <config>',
  '[14:02:11 INFO]: [Server] Restart in a minute',
  '[14:02:11 WARN]: Can’t keep up! Is the server overloaded?',
  '[2026-11-22 18:49:56:936 INFO] Player connected: Big Steve 42, xuid: 2535416409681153',
  'November 20th 2026, 14:02:11 [INFO]: bot (127.0.0.1:40000) connected',
])('the game’s own: %s', (line) => expect(holdsPlayerWords(line)).toBe(false))

test('a line made to be slow is not', () => {
  const line = `[14:02:11 INFO]: ${'[a] '.repeat(20_000)}${'<'.repeat(20_000)}${' using ['.repeat(20_000)}`
  const begun = performance.now()
  for (let time = 0; time < 20; time++) holdsPlayerWords(line)
  expect(performance.now() - begun).toBeLessThan(2000)
})
