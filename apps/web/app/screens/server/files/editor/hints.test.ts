import type { Game } from '@wakestone/contract/servers/server'
import { expect, test } from 'vitest'
import { createI18n } from '#app/i18n/create-i18n.ts'
import en from '#app/i18n/locales/en.json' with { type: 'json' }
import { hintAt, plainGroup, plainKeys, suggestionsFor, yamlKeys, yamlSuggestions } from './hints.ts'

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

const plain = Object.entries(plainKeys).flatMap(([file, names]) => names.map((key) => [file, key] as const))
test.each(plain)('%s: %s has words', (file, key) => {
  const line = file.endsWith('.toml') ? `${key} = ` : `  "${key}": `
  expect(hintOf(file, line)?.text).toMatch(/\w.*[.0-9]$/)
  expect(hintOf(file, line)?.text).not.toContain(`files.hint.${plainGroup(file as 'ops.json')}`)
})

test('values of lists, packs and the proxy are looked at', () => {
  expect(hintOf('ops.json', '  "level": 7,')?.fault).toBe('1–4')
  expect(hintOf('ops.json', '  "level": 4,')?.fault).toBeUndefined()
  expect(hintOf('banned-players.json', '"expires": "tomorrow"')?.fault).toMatch(/^forever/)
  expect(hintOf('velocity.toml', 'player-info-forwarding-mode = "MODERN"')?.fault).toBeUndefined()
  expect(hintOf('velocity.toml', 'player-info-forwarding-mode = "new"')?.fault).toContain('modern')
  expect(hintOf('pack.mcmeta', '  "pack_format": "x"')?.fault).toBeDefined()
})

test('keys of YAML are suggested where they belong', () => {
  const suggested = (text: string) => {
    const lines = text.split('\n')
    return yamlSuggestions(t, 'spigot.yml', (index) => lines[index] ?? '', lines.length - 1).map(({ key }) => key)
  }
  expect(suggested('')).toEqual(['settings', 'messages', 'world-settings'])
  expect(suggested('settings:\n  ')).toContain('restart-on-crash')
  expect(suggested('world-settings:\n  default:\n    mob-spawn-range: 8\n    ')).toContain('merge-radius')
  expect(suggested('world-settings:\n  default:\n    merge-radius:\n      ')).toEqual(['item'])
  expect(yamlSuggestions(t, 'config.yml', () => '', 0)).toEqual([])
})
