import { StreamLanguage, type StreamParser } from '@codemirror/language'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonLike, log, mcfunction } from './own-languages.ts'

/** Words of a text with how they are coloured. */
function tokensOf(parser: StreamParser<never>, text: string): [string, string][] {
  const found: [string, string][] = []
  StreamLanguage.define(parser)
    .parser.parse(text)
    .iterate({
      enter: ({ name, from, to }) => {
        if (name !== 'Document') found.push([text.slice(from, to), name])
      },
    })
  return found
}
const json = (text: string) => tokensOf(jsonLike as StreamParser<never>, text)
const commands = (text: string) => tokensOf(mcfunction as StreamParser<never>, text)
const lines = (text: string) => tokensOf(log as StreamParser<never>, text)

test('JSON and its relatives', () => {
  expect(json('{"a": [1, true], b: 1b, /* x */ c: \'say "hi"\' // end')).toEqual([
    ['{', 'bracket'],
    ['"a"', 'propertyName'],
    [':', 'punctuation'],
    ['[', 'bracket'],
    ['1', 'number'],
    [',', 'punctuation'],
    ['true', 'atom'],
    [']', 'bracket'],
    [',', 'punctuation'],
    ['b', 'propertyName'],
    [':', 'punctuation'],
    ['1b', 'number'],
    [',', 'punctuation'],
    ['/* x */', 'comment'],
    ['c', 'propertyName'],
    [':', 'punctuation'],
    ['\'say "hi"\'', 'string'],
    ['// end', 'comment'],
  ])
})

test('commands', () => {
  const found = commands('# tick\nexecute as @a at @s run say "hi" ~1 minecraft:stone\n')
  expect(found).toContainEqual(['# tick', 'comment'])
  expect(found).toContainEqual(['execute', 'keyword'])
  expect(found).toContainEqual(['say', 'keyword'])
  expect(found).toContainEqual(['@a', 'variableName.special'])
  expect(found).toContainEqual(['~1', 'number'])
  expect(found).toContainEqual(['minecraft:stone', 'atom'])
})

test('logs', () => {
  const found = lines('[12:00:01] [Server thread/INFO]: Done\n[12:00:02] [x/WARN]: careful\n\tat net.minecraft.X\n')
  expect(found[0]).toEqual(['[12:00:01]', 'comment'])
  expect(found[1]).toEqual([' [Server thread/INFO]:', 'meta'])
  expect(found).toContainEqual([' [x/WARN]: careful', 'heading'])
  expect(found).toContainEqual(['\tat net.minecraft.X', 'invalid'])
})

test('no text stops them', () => {
  const text = fc.string({
    unit: fc.constantFrom('{', '}', '"', "'", '\\', ':', ',', '/', '*', '@', '#', '~', '.', '1', 'a', ' ', '\n'),
    maxLength: 60,
  })
  fc.assert(
    fc.property(text, (some) => {
      for (const parser of [json, commands, lines]) parser(some)
    }),
    { numRuns: 300 },
  )
})
