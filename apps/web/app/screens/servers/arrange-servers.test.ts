import { expect, test } from 'vitest'
import { arrangeServers } from './arrange-servers.ts'

const server = (
  name: string,
  more: { online?: number; expires?: string | null; engine?: 'paper' | 'vanilla' } = {},
) => ({
  name,
  address: `${name.toLowerCase()}.example`,
  owner_name: 'steve',
  created_at: '2026-01-01T00:00:00Z',
  expires: more.expires ?? null,
  parameters: { engine: more.engine ?? ('paper' as const), engine_version: '1.21.4' },
  status: { players: { online: more.online ?? 0 } },
})
const all = [
  server('Łąka', { online: 2, expires: '2026-03-01T00:00:00Z' }),
  server('Castle', { online: 9, engine: 'vanilla' }),
  server('Arena', { expires: '2026-02-01T00:00:00Z' }),
]
const names = (words: string, order: Parameters<typeof arrangeServers>[1]['order'] = null) =>
  arrangeServers(all, { words, order, language: 'pl' }).map(({ name }) => name)

test('finds by name, address or engine, whatever the accents', () => {
  expect(names('')).toEqual(['Łąka', 'Castle', 'Arena'])
  expect(names('laka')).toEqual(['Łąka'])
  expect(names('vanilla 1.21')).toEqual(['Castle'])
  expect(names('arena.example')).toEqual(['Arena'])
  expect(names('nothing')).toEqual([])
})

test('orders by name, by players, and by what ends first', () => {
  expect(names('', 'name')).toEqual(['Arena', 'Castle', 'Łąka'])
  expect(names('', 'players')).toEqual(['Castle', 'Łąka', 'Arena'])
  expect(names('', 'expires')).toEqual(['Arena', 'Łąka', 'Castle'])
})
