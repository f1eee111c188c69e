import { expect, test } from 'vitest'
import { isChanged, openFilesOf, type OpenText } from './open-files.ts'

const text: OpenText = {
  saved: 'a',
  codec: { encoding: 'utf-8', lineEnd: '\n' },
  revision: '1',
  changed: undefined,
  generation: 0,
  kept: undefined,
}

test('closing one shows the one beside it', () => {
  const files = openFilesOf('one')
  for (const path of ['a', 'b', 'c', 'b']) files.open(path)
  expect(files.get().paths).toEqual(['a', 'b', 'c'])
  expect(files.close('b')).toBe('c')
  expect(files.close('c')).toBe('a')
  expect(files.close('a')).toBeNull()
})

test('what was typed is kept until it is closed, and typing it back is no change', () => {
  const files = openFilesOf('two')
  files.open('a')
  files.keep('a', text)
  expect(isChanged(files.get().texts.get('a'))).toBe(false)
  files.update('a', { changed: 'ab' })
  expect(isChanged(files.get().texts.get('a'))).toBe(true)
  files.update('a', { changed: 'a' })
  expect(isChanged(files.get().texts.get('a'))).toBe(false)
  files.close('a')
  expect(files.get().texts.size).toBe(0)
  files.update('a', { changed: 'x' })
  expect(files.get().texts.size).toBe(0)
  expect(openFilesOf('two')).toBe(files)
})
