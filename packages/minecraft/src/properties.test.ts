import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeProperties, formatProperties, readProperties } from './properties.ts'

const key = fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}$/)
const value = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replace(/[\r\n\t\f]/g, '').trim())

test('what is written is read', () => {
  fc.assert(
    fc.property(fc.dictionary(key, value), (values) => {
      expect(Object.fromEntries(readProperties(formatProperties(values)))).toEqual({ ...values })
    }),
  )
})

test('a change touches its keys alone', () => {
  fc.assert(
    fc.property(fc.dictionary(key, value), fc.dictionary(key, fc.option(value)), (before, changes) => {
      const text = `# by the owner\n${formatProperties(before)}#end\n`
      const changed = changeProperties(text, new Map(Object.entries(changes)))
      const wanted = Object.entries({ ...before, ...changes }).filter(([, one]) => one !== null)
      expect(Object.fromEntries(readProperties(changed))).toEqual(Object.fromEntries(wanted))
      expect(changed.startsWith('# by the owner\n')).toBe(true)
      expect(changed).toContain('#end\n')
    }),
  )
})

test('reads what others write', () => {
  const text =
    '#Minecraft server properties\r\nmotd=\\u0141\\u0105ka\\: hej\r\nlevel-seed\r\n gamemode : creative\npvp=false\npvp=true'
  expect(Object.fromEntries(readProperties(text))).toEqual({
    motd: 'Łąka: hej',
    'level-seed': '',
    gamemode: 'creative',
    pvp: 'true',
  })
  expect(changeProperties(text, new Map([['pvp', 'false']]))).toBe(
    '#Minecraft server properties\nmotd=\\u0141\\u0105ka\\: hej\nlevel-seed\n gamemode : creative\npvp=false\n',
  )
})

test('Bedrock’s file has no escapes', () => {
  const text = '# a comment\r\nserver-name=Łąka: 5 #1\nallow-list = true \ntexturepack-required=false\n'
  expect(Object.fromEntries(readProperties(text, 'plain'))).toEqual({
    'server-name': 'Łąka: 5 #1',
    'allow-list': 'true',
    'texturepack-required': 'false',
  })
  const changes = new Map([
    ['server-name', 'Wiese! = schön'],
    ['tick-distance', '6'],
  ])
  const changed = changeProperties(text, changes, 'plain')
  expect(changed).toBe(
    '# a comment\nserver-name=Wiese! = schön\nallow-list = true \ntexturepack-required=false\ntick-distance=6\n',
  )
  expect(readProperties(changed, 'plain').get('server-name')).toBe('Wiese! = schön')
})
