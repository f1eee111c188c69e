import { expect, test } from 'vitest'
import { askFor, askForNewest, askToRemove, isNothing, takeWayOut, versionsIn, withName } from './package-change.ts'

test('another version takes the place of what was asked for', () => {
  const changes = [{ kind: 'version' as const, package: 'shops', version: '1.0.0' }]
  expect(takeWayOut(askFor('shops'), changes)).toEqual(askFor('shops', '1.0.0'))
})

test('what is wanted is left out, and what is installed goes in the same step', () => {
  const both = withName(askFor('shops'), { name: 'maps', expr: '>=2' }, true)
  expect(takeWayOut(both, [{ kind: 'remove', package: 'maps' }])).toEqual(askFor('shops'))
  expect(takeWayOut(askFor('shops'), [{ kind: 'remove', package: 'old-shops' }])).toEqual({
    ...askFor('shops'),
    replaced: ['old-shops'],
  })
  const nothing = takeWayOut(askFor('shops'), [{ kind: 'remove', package: 'shops' }])
  expect(nothing !== undefined && isNothing(nothing)).toBe(true)
})

test('another version of the game is no change of packages', () => {
  const changes = [{ kind: 'ground' as const, of: 'game' as const, name: 'minecraft', version: '1.21.4' }]
  expect(takeWayOut(askFor('shops'), changes)).toBeUndefined()
  expect(takeWayOut(askToRemove(['shops']), [])).toBeUndefined()
})

test('what is recommended is taken and left again', () => {
  const taken = withName(askFor('shops'), { name: 'maps' }, true)
  expect(taken).toMatchObject({ wanted: [{ name: 'shops' }, { name: 'maps' }] })
  expect(withName(taken, { name: 'maps' }, false)).toEqual(askFor('shops'))
})

test('the newest is asked for in words that hold it to no version', () => {
  expect(askForNewest('shops')).toMatchObject({ wanted: [{ name: 'shops' }], renewed: ['shops'] })
  expect(['=1.0.0', '<2', '#latest'].map(versionsIn)).toEqual(['1.0.0', '<2', 'latest'])
})
