/** One description of manifests: what docs/authors.md shows, the API takes and the solver reads. */
import { readFileSync } from 'node:fs'
import { manifestJsonSchema, manifestSchema, rangesOf, selectorSchema } from '@wakestone/contract/marketplace/manifest'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSelector } from './selector.ts'
import { isRange } from './versions/range.ts'

const docs = readFileSync(new URL('../../../docs/authors.md', import.meta.url), 'utf8')

test('manifests in the docs are ones that are taken, with ranges that can be read', () => {
  const blocks = [...docs.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text!) as object)
  expect(blocks.length).toBeGreaterThan(0)
  for (const block of blocks) {
    const read = manifestSchema.parse({ name: 'first-lantern', packageVersion: '1.0.0', ...block })
    expect(rangesOf(read).length).toBeGreaterThan(0)
    for (const { expr } of rangesOf(read)) expect(isRange(expr)).toBe(true)
  }
})

test('a selector as a text means to authors what it means to the solver', () => {
  const name = fc.constantFrom('vault', 'modrinth:P7dR8mSH', 'a_b', 'x.y-z')
  const rest = fc.constantFrom('', '@>=1.7 <2', '@[1.0,2.0)', '@maven:[1.0,)', '@fabric:>=0.15', '#stable')
  fc.assert(
    fc.property(fc.constantFrom('', 'provides:'), name, rest, (start, named, end) => {
      fc.pre(start === '' || !named.includes(':'))
      const text = `${start}${named}${end}`
      const said = selectorSchema.parse(text)
      expect(parseSelector(said)).toEqual(parseSelector(text))
    }),
  )
  for (const bad of ['', ' ', '@1', 'Vault', 'a b', 'vault#other', 'vault@1#stable'])
    expect(selectorSchema.safeParse(bad).success).toBe(false)
})

test('the JSON Schema for editors names every field, and closes objects', () => {
  const schema = manifestJsonSchema('https://example.test/schema.json') as {
    properties: Record<string, { description?: string }>
    required: string[]
    additionalProperties: boolean
  }
  expect(Object.keys(schema.properties)).toEqual(Object.keys(manifestSchema.shape))
  expect(schema.required).toEqual(['packageVersion', 'name'])
  expect(schema.additionalProperties).toBe(false)
})
