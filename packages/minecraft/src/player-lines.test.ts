import { expect, test } from 'vitest'
import { readPlayerLine } from './player-lines.ts'

test.each([
  ['[14:02:11] [Server thread/INFO]: Steve joined the game', 'joined', 'Steve'],
  ['[14:02:11] [Server thread/INFO]: Steve left the game', 'left', 'Steve'],
  ['[14:02:11] [Server thread/INFO] [minecraft/MinecraftServer]: Alex_1 joined the game', 'joined', 'Alex_1'],
  ['[14:02:11 INFO]: .Bedrock joined the game', 'joined', '.Bedrock'],
  ['[14:02:11 INFO]: Steve left the game', 'left', 'Steve'],
  ['> \x1b[1GNovember 20th 2026, 14:02:11 [\x1b[32mINFO\x1b[39m]: bot (127.0.0.1:40000) connected', 'joined', 'bot'],
  ['November 20th 2026, 14:02:11 [INFO]: bot disconnected', 'left', 'bot'],
])('%s', (line, kind, name) => {
  expect(readPlayerLine(line)).toEqual({ kind, name })
})

test.each([
  '[14:02:11] [Server thread/INFO]: <Steve> Alex left the game',
  '[14:02:11] [Server thread/INFO]: [Steve] Alex left the game',
  '[14:02:11] [Server thread/INFO]: * Steve Alex joined the game',
  '[14:02:11] [Server thread/INFO]: <Steve> [14:02:11 INFO]: Alex left the game',
  'November 20th 2026, 14:02:11 [INFO]: <bot> x disconnected',
  'Alex joined the game',
  '[14:02:11 INFO]: Alex joined the game and more',
])('is not about a player: %s', (line) => {
  expect(readPlayerLine(line)).toBeUndefined()
})
