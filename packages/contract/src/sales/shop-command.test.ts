/** Nothing that a buyer says is more than one word of a command. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandProblem, type CommandValues, fillCommand } from './shop-command.ts'
import { shopItemBody } from './shop.ts'
import { findInItem } from './shop-rules.ts'

const values: CommandValues = {
  game: 'minecraft-java',
  player: 'Steve',
  uuid: '069a79f4-44e9-4726-a5be-fca90e38aaf5',
  quantity: 3,
  order: '0190a0b0-1111-7222-8333-444455556666',
  chosen: { colour: 'red' },
}

test('names are filled in, and braces of the game stay', () => {
  expect(fillCommand('/give {player} bread{Count:{quantity}b,tag:{}} {colour}', values)).toBe(
    'give Steve bread{Count:3b,tag:{}} red',
  )
  expect(fillCommand('say {uuid} {order}', values)).toBe(`say ${values.uuid} ${values.order}`)
  expect(fillCommand('allowlist add {player}', { ...values, game: 'minecraft-bedrock', player: 'Old Steve' })).toBe(
    'allowlist add "Old Steve"',
  )
})

/** What has been tried on shops: ends of lines, selectors, second commands, other scripts, marks that turn text round. */
const attacks = [
  'Steve\nop Mallory',
  'Steve\r\nop Mallory',
  'Steve\u2028op Mallory',
  'Steve\u0085op',
  'Steve\u0000',
  '@a',
  '@e[type=!player]',
  'Steve; op Mallory',
  'Steve && op Mallory',
  'Steve op',
  '"Steve" op',
  "Steve'",
  '{player}',
  '{uuid}',
  '$(op Mallory)',
  '`op`',
  '../../ops.json',
  'Ѕteve',
  'Steve\u202e',
  'Steve\u200b',
  '§4Steve',
  '/op Mallory',
  '~ ~ ~',
  '*',
  '',
  'a'.repeat(17),
]

test.each(attacks)('refused as a Java name and as a choice: %j', (attack) => {
  expect(() => fillCommand('give {player} bread', { ...values, player: attack })).toThrow(RangeError)
  if (!/^\w{1,32}$/.test(attack))
    expect(() => fillCommand('give Steve {colour}', { ...values, chosen: { colour: attack } })).toThrow(RangeError)
})

test.each(attacks.filter((attack) => !/^[\w ]+$/.test(attack) && attack !== "Steve'" && attack !== 'Ѕteve'))(
  'refused as a Bedrock name: %j',
  (attack) => {
    const bedrock = { ...values, game: 'minecraft-bedrock', player: attack } as const
    expect(() => fillCommand('give {player} bread', bedrock)).toThrow(RangeError)
  },
)

test('whatever is filled in, a line has as many words as its template', () => {
  const template = 'give {player} {colour} {quantity}'
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^\w{1,16}$/)),
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('red', '__proto__', 'constructor')),
      (player, colour) => {
        let line: string
        try {
          line = fillCommand(template, { ...values, player, chosen: { colour } })
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
          return
        }
        expect(line).toMatch(/^give [.*]?\w{1,16} \w{1,32} 3$/)
      },
    ),
    { examples: attacks.map((attack) => [attack, attack]) },
  )
})

test('templates: one line, known names, and something in it', () => {
  expect(commandProblem('give {player} bread', [])).toBeUndefined()
  expect(commandProblem('give {player} {colour}', [])).toBe('unknown_variable')
  expect(commandProblem('give {player} {colour}', ['colour'])).toBeUndefined()
  expect(commandProblem('give Steve bread\nop Mallory', [])).toBe('one_line')
  expect(commandProblem(' / ', [])).toBe('empty')
  expect(commandProblem(`say ${'a'.repeat(300)}`, [])).toBe('too_long')
  expect(() => fillCommand('say {constructor}', values)).toThrow(RangeError)
})

test('an item that could not be sent is no item', () => {
  const body = { name: 'Bread', price: 100, commands: [{ stage: 'purchase', command: 'give {player} {what}' }] }
  expect(shopItemBody.safeParse(body).error?.issues[0]).toMatchObject({
    path: ['commands', 0, 'command'],
    message: 'unknown_variable',
  })
  expect(
    shopItemBody.safeParse({ ...body, variables: [{ name: 'what', label: 'What', choices: ['bread'] }] }).success,
  ).toBe(true)
  expect(
    shopItemBody.safeParse({ ...body, variables: [{ name: 'player', label: 'What', choices: ['bread'] }] }).success,
  ).toBe(false)
})

const item = (name: string, ...commands: string[]) => ({
  name,
  description: '',
  commands: commands.map((command) => ({ command })),
})
test.each([
  [item('Rank', 'op {player}'), ['operator']],
  [item('Rank', 'minecraft:op {player}'), ['operator']],
  [item('VIP', 'lp user {player} group add vip'), []],
  [item('Sword', 'give {player} netherite_sword 1'), ['advantage']],
  [item('Gold', 'eco give {player} 100'), ['currency']],
  [item('Crate', 'crate key give {player} vote 1'), ['chance']],
  [item('Cape', 'give {player} bread'), ['cape']],
  [item('Oficjalna ranga Minecraft', 'say hi'), ['looks_official']],
  [item('Unban', 'pardon {player}'), ['server_control']],
  [item('Bread', 'give {player} bread 1'), []],
])('the rules of the game’s maker: $name', (one, findings) => {
  expect(findInItem(one)).toEqual(findings)
})
