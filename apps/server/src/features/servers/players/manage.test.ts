import { expect, test } from 'vitest'
import { callOf } from './manage.ts'

test('each order as the management protocol has it, and whether the answer says that it is done', () => {
  const until = new Date('2027-01-02T03:04:05Z')
  const ofBan = callOf({ order: 'ban', name: 'Steve', reason: '' }, { until })!
  expect([ofBan.method, ofBan.params]).toEqual([
    'bans/add',
    [
      [
        {
          player: { name: 'Steve' },
          reason: 'Banned by an operator.',
          source: 'Server',
          expires: '2027-01-02T03:04:05.000Z',
        },
      ],
    ],
  ])
  expect(ofBan.isDone([{ player: { name: 'steve', id: 'x' } }])).toBe(true)
  for (const answer of [[], null, 'Steve', [null], [{ player: null }], [{ name: 7 }]])
    expect(ofBan.isDone(answer)).toBe(false)
  const op = callOf({ order: 'op', name: 'Alex' }, { level: 2 })!
  expect(op.params).toEqual([[{ player: { name: 'Alex' }, bypassesPlayerLimit: false, permissionLevel: 2 }]])
  const gone = callOf({ order: 'pardon_ip', ip: '192.0.2.7' })!
  expect([gone.method, gone.params]).toEqual(['ip_bans/remove', [['192.0.2.7']]])
  expect([gone.isDone([{ ip: '192.0.2.7' }]), gone.isDone([])]).toEqual([false, true])
  expect(callOf({ order: 'whitelist_state', on: true })!.isDone(false)).toBe(false)
  const kick = callOf({ order: 'act', action: 'kick', name: 'Steve', reason: 'too loud' })!
  expect([kick.method, kick.params]).toEqual([
    'players/kick',
    [[{ player: { name: 'Steve' }, message: { literal: 'too loud' } }]],
  ])
  // Whispers and teleports are commands.
  expect(callOf({ order: 'act', action: 'message', name: 'Steve', text: 'psst' })).toBeUndefined()
})
