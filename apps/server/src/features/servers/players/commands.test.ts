import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listChangeBody, operatorBody, playerActionBody } from '@wakestone/contract/servers/players'
import { commandOf, type PlayerOrder } from './commands.ts'

test.each([
  [{ order: 'whitelist', action: 'add', name: 'Ala' }, 'whitelist add Ala', 'allowlist add "Ala"'],
  [{ order: 'whitelist_state', on: false }, 'whitelist off', 'allowlist off'],
  [{ order: 'ban', name: 'Ala', reason: 'for a while' }, 'ban Ala for a while', null],
  [{ order: 'ban', name: 'Ala', reason: '' }, 'ban Ala', null],
  [{ order: 'pardon', name: 'Ala' }, 'pardon Ala', null],
  [{ order: 'ban_ip', ip: '2001:db8::1', reason: 'x' }, 'ban-ip 2001:db8::1 x', null],
  [{ order: 'op', name: 'Ala' }, 'op Ala', 'op "Ala"'],
  [{ order: 'act', action: 'kick', name: 'Ala', reason: 'bye' }, 'kick Ala bye', 'kick "Ala" bye'],
  [{ order: 'act', action: 'message', name: 'Ala', text: 'hi' }, 'tell Ala hi', 'tell "Ala" hi'],
  [
    { order: 'act', action: 'teleport', name: 'Ala', to: { x: 1.5, y: -3, z: 1e-9 } },
    'tp Ala 1.5 -3 0',
    'tp "Ala" 1.5 -3 0',
  ],
  [{ order: 'act', action: 'teleport', name: 'Ala', to: { name: 'Ola' } }, 'tp Ala Ola', 'tp "Ala" "Ola"'],
  [
    { order: 'act', action: 'game_mode', name: 'Ala', mode: 'creative' },
    'gamemode creative Ala',
    'gamemode creative "Ala"',
  ],
] as const)('%j', (order, java, bedrock) => {
  expect(commandOf('minecraft-java', order)).toBe(java)
  if (bedrock === null) expect(() => commandOf('minecraft-bedrock', order)).toThrow(RangeError)
  else expect(commandOf('minecraft-bedrock', order)).toBe(bedrock)
})

test('a name with spaces is Bedrock’s alone, and stands between quotes', () => {
  expect(commandOf('minecraft-bedrock', { order: 'op', name: 'Big Steve 42' })).toBe('op "Big Steve 42"')
  expect(() => commandOf('minecraft-java', { order: 'op', name: 'Big Steve 42' })).toThrow(RangeError)
})

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc
    .array(
      fc.constantFrom('a', '@e', '@a', '"', '\\', '\n', '\r', '\u2028', '§4', '/', ' ', '\0', '\u0085', 'op Ala'),
      {
        maxLength: 8,
      },
    )
    .map((parts) => parts.join('')),
)

test('whatever is asked for, one line of one command comes of it, with one name in its place, or nothing', () => {
  const asked: fc.Arbitrary<unknown> = fc.oneof(
    fc.record({ list: fc.constant('bans'), action: fc.constant('add'), name: nasty, reason: nasty }),
    fc.record({ list: fc.constant('whitelist'), action: fc.constant('add'), name: nasty }),
    fc.record({ list: fc.constant('address_bans'), action: fc.constant('add'), ip: nasty, reason: nasty }),
    fc.record({ action: fc.constantFrom('kick', 'message'), name: nasty, reason: nasty, text: nasty }),
    fc.record({ action: fc.constant('add'), name: nasty }),
  )
  const orderOf = (body: unknown): PlayerOrder | undefined => {
    const list = listChangeBody.safeParse(body).data
    if (list?.list === 'bans') return { order: 'ban', name: list.name, reason: list.reason }
    if (list?.list === 'address_bans') return { order: 'ban_ip', ip: list.ip, reason: list.reason }
    if (list?.list === 'whitelist') return { order: 'whitelist', action: list.action, name: list.name }
    const act = playerActionBody.safeParse(body).data
    if (act) return { order: 'act', ...act }
    const operator = operatorBody.safeParse(body).data
    return operator && { order: 'op', name: operator.name }
  }
  fc.assert(
    fc.property(fc.constantFrom('minecraft-java', 'minecraft-bedrock'), asked, (game, body) => {
      const order = orderOf(body)
      if (order === undefined) return
      let line: string
      try {
        line = commandOf(game, order)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
        return
      }
      expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}§]|@[aenprs]/iu)
      expect(line.length).toBeLessThan(400)
      const named = /^(?:ban|op|kick|tell|whitelist add|allowlist add) ("[^"]*"|\S+)/.exec(line)?.[1]
      if (!line.startsWith('ban-ip'))
        expect(named).toMatch(game === 'minecraft-java' ? /^[.*]?\w{1,16}$/ : /^"[^"\\]+"$/)
    }),
    { numRuns: 2_000 },
  )
})
