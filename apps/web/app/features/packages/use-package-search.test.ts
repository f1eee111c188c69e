import { expect, test } from 'vitest'
import type { PackageHit } from '@wakestone/contract/servers/package-search'
import { type PackageSearch, readLines, withLine } from './use-package-search.ts'

const hit: PackageHit = {
  source: 'modrinth',
  name: 'modrinth:P7dR8mSH',
  title: 'Fabric API',
  summary: '',
  author: 'modmuss50',
  icon_url: null,
  url: 'https://modrinth.com/mod/fabric-api',
  kind: 'mod',
  categories: [],
  downloads: null,
  follows: null,
  updated_at: null,
  latest_version: null,
  game_versions: [],
  loaders: [],
  fits: true,
  installed: null,
  only_link: false,
}
const begun: PackageSearch = {
  hits: [],
  waiting: ['wakestone', 'modrinth', 'hangar'],
  away: [],
  hasMore: false,
  isChecking: false,
  isDone: false,
  error: undefined,
}

test('lines are read wherever the stream is cut, letters of several bytes too', async () => {
  const bytes = new TextEncoder().encode('{"a":"ż"}\n\n{"b":1}\n{"c":2}')
  const read = async (size: number) => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
        controller.close()
      },
    })
    const lines: string[] = []
    for await (const line of readLines(stream)) lines.push(line)
    return lines
  }
  for (const size of [1, 2, 3, 7, 100]) expect(await read(size)).toEqual(['{"a":"ż"}', '{"b":1}', '{"c":2}'])
})

test('a source that is away ends nothing but itself', () => {
  const lines = [
    { hit },
    { source: 'hangar', has_more: false, total: null, error: 'package_source_unavailable' },
    { source: 'modrinth', has_more: true, total: 40 },
  ]
  const found = lines.map((line) => JSON.stringify(line)).reduce(withLine, begun)
  expect(found).toMatchObject({ hits: [hit], waiting: ['wakestone'], away: ['hangar'], hasMore: true, isDone: false })
  expect(withLine(found, '{"end":true}')).toMatchObject({ waiting: [], isDone: true })
  expect(withLine(found, '{"of":"a newer server"}')).toBe(found)
})

test('a source that checks something which could fit is waited for', () => {
  const line = { source: 'wakestone', has_more: false, total: null, is_checking: true }
  const found = withLine(begun, JSON.stringify(line))
  expect(found).toMatchObject({ isChecking: true, waiting: ['modrinth', 'hangar'] })
  expect(withLine(found, '{"end":true}')).toMatchObject({ isChecking: true, isDone: true })
})
