import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dialectOf, findSyntaxFault } from './syntax-fault.ts'

test('all that JSON.parse reads is JSON, and nothing else', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(findSyntaxFault(text, 'json')).toBeUndefined()
    }),
  )
  const letters = fc.array(fc.constantFrom(...'{}[]:,"\'\\ 1.e-tnruelsfax\n'.split('')), { maxLength: 12 })
  fc.assert(
    fc.property(letters, (some) => {
      const text = some.join('')
      if (text.trim() === '') return
      let isJson = true
      try {
        JSON.parse(text)
      } catch {
        isJson = false
      }
      // Escapes and control characters within strings are the game's business.
      if (text.includes('\\')) return
      expect([text, findSyntaxFault(text, 'json') === undefined]).toEqual([text, isJson])
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['json', '{"a": 1,}', 8, 'key'],
  ['json', '{"a" 1}', 5, 'colon'],
  ['json', '[1 2]', 3, 'comma'],
  ['json', '{"a": "b', 6, 'string_end'],
  ['json', '{"a": }', 6, 'value'],
  ['json', '{} x', 3, 'end'],
  ['json5', '{a: 1, /* b', 7, 'comment_end'],
  ['snbt', '{id: "x", Count: }', 17, 'value'],
] as const)('%s: %s', (dialect, text, at, wanted) => {
  expect(findSyntaxFault(text, dialect)).toEqual({ at, wanted })
})

test('what the dialects allow beyond that', () => {
  const json5 = `// head\n{a: 'b', "c": [+1, .5, 0xFF, Infinity,], /* d */ $e_1: null,}`
  expect(findSyntaxFault(json5, 'json5')).toBeUndefined()
  const snbt = `{Pos: [1.5d, 64.0d, -3d], Tags: [B; 1b, 2b], Name: 'it is', minecraft.key: stone, list: [I;], x: 1b,}`
  expect(findSyntaxFault(snbt, 'snbt')).toBeUndefined()
  expect(findSyntaxFault('', 'json')).toBeUndefined()
  expect(findSyntaxFault('['.repeat(5_000), 'json')).toBeUndefined()
  expect([dialectOf('pack.mcmeta'), dialectOf('a/b.JSON5'), dialectOf('x.snbt'), dialectOf('x.yml')]).toEqual([
    'json',
    'json5',
    'snbt',
    undefined,
  ])
})
