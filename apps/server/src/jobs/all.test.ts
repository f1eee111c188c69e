/** A job whose queue nobody makes ends the worker when it starts. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allJobs } from './all.ts'

test('every job that a feature defines is among all jobs', () => {
  const features = join(import.meta.dirname, '../features')
  const defined = globSync('**/*.ts', { cwd: features, exclude: (name) => name.endsWith('.test.ts') }).flatMap((file) =>
    [...readFileSync(join(features, file), 'utf8').matchAll(/\bqueue: '([\w.-]+)'/g)].map(([, queue]) => queue),
  )
  expect(defined.length).toBeGreaterThan(10)
  expect(new Set(allJobs.map(({ queue }) => queue))).toEqual(new Set(defined))
})
