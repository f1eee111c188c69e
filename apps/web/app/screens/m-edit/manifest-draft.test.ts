import { expect, test } from 'vitest'
import { manifestSchema } from '@wakestone/contract/marketplace/manifest'
import { dependencyProblem, draftOf, emptyManifest, isGoodManifest, manifestOf, newRow } from './manifest-draft.ts'

const needing = (name: string, expr: string) => ({
  ...emptyManifest,
  dependencies: [{ id: newRow(), name, expr, kind: 'required' as const }],
})

test('nothing said is no manifest, and what is said is one that the API takes', () => {
  expect(manifestOf(emptyManifest, { name: 'shops', version: '1.0.0' })).toBeUndefined()
  const manifest = manifestOf(needing('vault', '>=1.7 <2'), { name: 'shops', version: '1.0.0' })
  expect(manifestSchema.parse(manifest)).toMatchObject({
    name: 'shops',
    packageVersion: '1.0.0',
    dependencies: [{ selector: { name: 'vault', expr: '>=1.7 <2' }, kind: 'required' }],
  })
})

test.each([
  ['vault', '', undefined],
  ['vault', '>=1.7 <2 || ^3.1', undefined],
  ['vault', '1.20.x', undefined],
  ['vault', 'newer than 2', 'range'],
  ['vault', '>=', 'range'],
  ['Vault plugin', '*', 'name'],
])('%s in %s: %s', (name, expr, problem) => {
  expect(dependencyProblem({ name, expr })).toBe(problem)
  expect(isGoodManifest(needing(name, expr))).toBe(problem === undefined)
})

test('the last release is where the next one begins, both spellings of it', () => {
  const draft = draftOf({
    depends: ['vault', { name: 'maps', expr: '^2' }],
    dependencies: [{ selector: 'chat', kind: 'optional' }],
  })
  expect(draft.dependencies.map(({ name, expr, kind }) => `${name} ${expr} ${kind}`)).toEqual([
    'vault  required',
    'maps ^2 required',
    'chat  optional',
  ])
})
