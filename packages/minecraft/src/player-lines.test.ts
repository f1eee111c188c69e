import { expect, test } from 'vitest'
import { readPlayerIdentity, readPlayerLine } from './player-lines.ts'

test.each([
  ['[14:02:11] [Server thread/INFO]: Steve joined the game', 'joined', 'Steve'],
  ['[14:02:11] [Server thread/INFO]: Steve left the game', 'left', 'Steve'],
  ['[14:02:11] [Server thread/INFO] [minecraft/MinecraftServer]: Alex_1 joined the game', 'joined', 'Alex_1'],
  ['[14:02:11 INFO]: .Bedrock joined the game', 'joined', '.Bedrock'],
  ['[14:02:11 INFO]: Steve left the game', 'left', 'Steve'],
  ['> \x1b[1GNovember 20th 2026, 14:02:11 [\x1b[32mINFO\x1b[39m]: bot (127.0.0.1:40000) connected', 'joined', 'bot'],
  ['November 20th 2026, 14:02:11 [INFO]: bot disconnected', 'left', 'bot'],
  ['[2026-11-22 18:49:56:936 INFO] Player connected: Big Steve 42, xuid: 2535416409681153', 'joined', 'Big Steve 42'],
  ['[2026-11-22 18:49:56:936 INFO] Player disconnected: Steve, xuid: 25354, pfid: 1a2b3c', 'left', 'Steve'],
])('%s', (line, kind, name) => {
  expect(readPlayerLine(line)).toMatchObject({ kind, name })
})

test.each([
  '[14:02:11] [Server thread/INFO]: <Steve> Alex left the game',
  '[14:02:11] [Server thread/INFO]: [Steve] Alex left the game',
  '[14:02:11] [Server thread/INFO]: * Steve Alex joined the game',
  '[14:02:11] [Server thread/INFO]: <Steve> [14:02:11 INFO]: Alex left the game',
  'November 20th 2026, 14:02:11 [INFO]: <bot> x disconnected',
  'Alex joined the game',
  '[14:02:11 INFO]: Alex joined the game and more',
  '[2026-11-22 18:49:56:936 INFO] [Steve] Chat: Player connected: Alex, xuid: 1',
  '[2026-11-22 18:49:56:936 INFO] Player connected: Alex, xuid: 1 and more',
  'Player connected: Alex, xuid: 1',
])('is not about a player: %s', (line) => {
  expect(readPlayerLine(line)).toBeUndefined()
})

test('who a player is', () => {
  const id = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
  for (const head of ['[14:02:11] [User Authenticator #1/INFO]:', '[14:02:11 INFO]:'])
    expect(readPlayerIdentity(`${head} UUID of player Steve is ${id}`)).toEqual({ name: 'Steve', id })
  expect(readPlayerIdentity(`[14:02:11 INFO]: <Alex> UUID of player Steve is ${id}`)).toBeUndefined()
  expect(readPlayerLine('[2026-11-22 18:49:56:936 INFO] Player connected: Big Steve 42, xuid: 25354')).toEqual({
    kind: 'joined',
    name: 'Big Steve 42',
    id: '25354',
  })
})
