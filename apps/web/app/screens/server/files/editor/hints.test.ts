import type { Game } from '@wakestone/contract/servers/server'
import { expect, test } from 'vitest'
import { createI18n } from '#app/i18n/create-i18n.ts'
import en from '#app/i18n/locales/en.json' with { type: 'json' }
import { hintAt, suggestionsFor, yamlKeys } from './hints.ts'

const { t } = createI18n('en', en)
const hintOf = (path: string, text: string, index = text.split('\n').length - 1, game: Game = 'minecraft-java') =>
  hintAt(t, { path, game }, (line) => text.split('\n')[line] ?? '', index)

test('settings of server.properties say what they do, and whether their value fits', () => {
  expect(hintOf('server.properties', 'difficulty=hard')).toEqual({
    key: 'difficulty',
    title: 'Difficulty',
    text: 'How dangerous monsters and hunger are. peaceful, easy, normal, hard',
  })
  expect(hintOf('server.properties', 'difficulty=impossible')?.fault).toBe('peaceful, easy, normal, hard')
  expect(hintOf('server.properties', 'max-players: 5')?.fault).toBeUndefined()
  expect(hintOf('server.properties', 'max-players=many')?.fault).toBe('A number from 1 to 1000.')
  expect(hintOf('server.properties', 'server-port=25565')?.text).toMatch(/^Set by the panel/)
  expect(hintOf('server.properties', '# difficulty=x')).toBeUndefined()
  expect(hintOf('server.properties', 'of-a-plugin=1')).toBeUndefined()
  expect(hintOf('plugins/x/server.properties.bak', 'difficulty=hard')).toBeUndefined()
})

const keys = Object.entries(yamlKeys).flatMap(([file, names]) => Object.keys(names).map((key) => [file, key] as const))
test.each(keys)('%s: %s has words', (file, key) => {
  const text = key
    .split('.')
    .map((name, depth) => `${'  '.repeat(depth)}${name}:`)
    .join('\n')
  const hint = hintOf(`config/${file}`, text)
  expect(hint?.key).toBe(key)
  // Without a text its key would be shown.
  expect(hint?.text).toMatch(/ .*\.$/)
})

test('other files have no hints, and no YAML has those of another', () => {
  expect(hintOf('config.yml', 'settings:\n  allow-end: true')).toBeUndefined()
  expect(hintOf('spigot.yml', 'settings:\n  allow-end: true')).toBeUndefined()
})

test('keys are suggested with their values', () => {
  const all = suggestionsFor(t, { path: 'server.properties', game: 'minecraft-java' })
  expect(all.find(({ key }) => key === 'gamemode')?.values).toContain('creative')
  expect(all.find(({ key }) => key === 'pvp')?.values).toEqual(['true', 'false'])
  expect(suggestionsFor(t, { path: 'bukkit.yml', game: 'minecraft-java' })).toEqual([])
})

test('each edition has its own settings', () => {
  const bedrock = (text: string) => hintOf('server.properties', text, 0, 'minecraft-bedrock')
  expect(bedrock('tick-distance=3')?.fault).toBe('A number from 4 to 12.')
  expect(bedrock('default-player-permission-level=member')?.fault).toBeUndefined()
  expect(bedrock('view-distance=4')?.fault).toBeDefined()
  expect(hintOf('server.properties', 'view-distance=4')?.fault).toBeUndefined()
  expect(bedrock('pvp=true')).toBeUndefined()
  expect(hintOf('server.properties', 'allow-list=true')).toBeUndefined()
  expect(bedrock('server-portv6=19133')?.text).toMatch(/^Set by the panel/)
  const all = suggestionsFor(t, { path: 'server.properties', game: 'minecraft-bedrock' })
  expect(all.find(({ key }) => key === 'gamemode')?.values).not.toContain('spectator')
  for (const { key, title } of all) expect(title).not.toContain(`properties.${key}`)
})
