import { podDeletedCauses } from '@wakestone/contract/ground/event'
import { backupCauses } from '@wakestone/contract/servers/backups'
import { awakeReasons } from '@wakestone/contract/servers/levels'
import { expect, test } from 'vitest'
import { readFacts, writtenReason } from './event-facts.ts'

const nothing = readFacts('GAME_STARTED', {})

test('a crash tells its code, its reasons each once, and its last lines', () => {
  const facts = readFacts('GAME_CRASHED', {
    crash_count: 3,
    code: 1,
    signal: null,
    crash_reasons: [{ tag: 'out_of_memory', details: {} }, { tag: 'out_of_memory' }, { tag: 'from_the_future' }],
    last_logs: ['a', 'b'],
  })
  expect(facts).toEqual({
    ...nothing,
    named: [
      { name: 'code', value: '1' },
      { name: 'crash_count', value: '3' },
    ],
    reasons: ['out_of_memory', 'unknown'],
    crash: { tag: 'out_of_memory', details: {}, exit: { code: 1, signal: null } },
    lines: ['a', 'b'],
  })
})

test('what tells a person nothing is left out', () => {
  expect(nothing).toMatchObject({ named: [], reasons: [], changes: [], lists: [], lines: [] })
  const data = { executor: 'uuid', plan: 'hash', kill: true, engine: { nested: 1 }, last_logs: 'no list' }
  expect(readFacts('SERVER_GAME_STOP', data)).toEqual(nothing)
})

test('a restored backup has no cause: that of the copy which is made first is not its own', () => {
  expect(readFacts('SERVER_RESTORE_BACKUP', { cause: 'restore' })).toEqual(nothing)
  expect(readFacts('SERVER_BACKUP', { cause: 'restore' }).named).toEqual([
    { name: 'cause', value: 'restore', text: 'backups.cause.restore' },
  ])
})

test('a cause is told in words that fit what happened, and without words not at all', () => {
  const textOf = (action: string, cause: string) => readFacts(action, { cause }).named.map(({ text }) => text)
  expect(podDeletedCauses.map((cause) => textOf('SERVER_POD_DELETED', cause))).toEqual(
    podDeletedCauses.map((cause) => [`events.removedBecause.${cause}`]),
  )
  expect(awakeReasons.map((cause) => textOf('SERVER_WAKE', cause))).toEqual(
    awakeReasons.map((cause) => [`events.wokenBy.${cause}`]),
  )
  expect(backupCauses.map((cause) => textOf('SERVER_BACKUP', cause))).toEqual(
    backupCauses.map((cause) => [`backups.cause.${cause}`]),
  )
  expect(textOf('SERVER_SLEEP', 'session_over')).toEqual(['events.sleptBecause.session_over'])
  for (const action of ['SERVER_POD_DELETED', 'SERVER_WAKE', 'SERVER_BACKUP', 'SERVER_SLEEP'])
    expect(readFacts(action, { cause: 'from_the_future' })).toEqual(nothing)
})

test('an end in order has no exit code to tell', () => {
  expect(readFacts('GAME_STOPPED', { code: 0, signal: null })).toEqual(nothing)
  expect(readFacts('GAME_STOPPED', { code: 143 }).named).toEqual([{ name: 'code', value: '143' }])
})

test('a login tells where, with what and how', () => {
  const data = { ip: '192.0.2.1', country_code: 'PL', user_agent: 'Firefox', method: 'local', second_step: 'totp' }
  expect(readFacts('USER_LOGIN', data)).toEqual({
    ...nothing,
    country: 'PL',
    ip: '192.0.2.1',
    userAgent: 'Firefox',
    named: [
      { name: 'method', value: 'local' },
      { name: 'second_step', value: 'totp' },
    ],
  })
})

test('a change tells what was before', () => {
  expect(readFacts('SERVER_NAME_CHANGED', { old_name: 'a', new_name: 'b' }).named).toEqual([
    { name: 'name', value: 'b', old: 'a' },
  ])
  expect(readFacts('USER_CHANGE_USERNAME', { old_username: 'a', username: 'b' }).named).toEqual([
    { name: 'username', value: 'b', old: 'a' },
  ])
  const before = { 'server.manage': null, 'user.offers': true, admin: false }
  const after = { 'server.manage': true, 'user.offers': true, admin: null }
  expect(readFacts('USER_CHANGE_CAPABILITIES', { before, after, actor: { username: 'boss' } })).toMatchObject({
    actor: 'boss',
    changes: [
      { name: 'server.manage', old: '–', now: 'true' },
      { name: 'admin', old: 'false', now: '–' },
    ],
  })
})

test('a code means one thing after a crash and another of a referral', () => {
  expect(readFacts('USER_SET_REFERRER', { code: 'ABC' }).named).toEqual([{ name: 'referral_code', value: 'ABC' }])
})

test('a reason is shown where it is a text', () => {
  const written = (code: 'map_not_available' | 'mysql_refused' | 'user_suspended', reason: unknown) =>
    writtenReason({ code, fields: { reason } })
  expect(written('map_not_available', 'empty')).toBeUndefined()
  expect(written('map_not_available', '')).toBeUndefined()
  expect(written('map_not_available', undefined)).toBeUndefined()
  expect(written('mysql_refused', 'No such table')).toBe('No such table')
  expect(written('user_suspended', 'spam')).toBe('spam')
  const named = (reason: string) => readFacts('USER_PAYMENT_RETURN_END', { reason }).named
  expect(named('COMPLETED')).toEqual([])
  expect(named('Sent to the wrong account')).toEqual([{ name: 'reason', value: 'Sent to the wrong account' }])
})
