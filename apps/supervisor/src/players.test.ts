import { expect, test } from 'vitest'
import { createPlayers } from './players.ts'

const nothing = () => undefined
const open = () => createPlayers({ onChange: nothing, onJoin: nothing, onLeave: nothing })

test('who was counted by a ping before the game wrote the line is one player, not two', () => {
  const players = open()
  players.setCounts(1, 20)
  players.change({ kind: 'joined', name: 'Steve' })
  expect(players.state()).toEqual({ online: 1, max: 20, names: ['Steve'] })
})

test('who has left by a ping before the game wrote the line is taken off once', () => {
  const players = open()
  players.change({ kind: 'joined', name: 'Steve' })
  players.change({ kind: 'joined', name: 'Alex' })
  players.setCounts(1, 20)
  players.change({ kind: 'left', name: 'Steve' })
  expect(players.state()).toMatchObject({ online: 1, names: ['Alex'] })
})

test('players who are known by number alone stay counted when somebody with a name leaves', () => {
  const players = open()
  players.change({ kind: 'joined', name: 'Steve' })
  players.setCounts(3, 20)
  players.change({ kind: 'left', name: 'Steve' })
  expect(players.state().online).toBe(2)
})
