import { expect, test } from 'vitest'
import { leftOf, matchUnfinished } from './match-unfinished.ts'

const found = (path: string, text: string, lastModified = 1) => ({
  path,
  file: new File([text], 'any', { lastModified }),
})
const batch = {
  id: 'b',
  serverId: 's',
  folder: 'plugins',
  startedAt: 0,
  files: [
    ['pack/a', 1, 1],
    ['pack/b', 2, 1],
    ['pack/c', 3, 1],
  ] as [string, number, number][],
  handles: [],
}
const remembered = [{ batch, ended: new Set([0, 2]) }]

test('the same folder again goes on where it was', () => {
  const files = [found('pack/a', 'x'), found('pack/b', 'xx'), found('pack/c', 'xxx')]
  expect(matchUnfinished(files, 'plugins', remembered)).toEqual({ batch, isThere: [true, false, true] })
  expect(leftOf(remembered[0]!)).toEqual([['pack/b', 2, 1]])
})

test('what has changed since is sent again', () => {
  const files = [found('pack/a', 'xy'), found('pack/c', 'xxx', 2), found('pack/b', 'xx'), found('pack/new', 'x')]
  expect(matchUnfinished(files, 'plugins', remembered)?.isThere).toEqual([false, false, false, false])
})

test('other files, and another folder, are another upload', () => {
  expect(matchUnfinished([found('other', 'x')], 'plugins', remembered)).toBeUndefined()
  expect(matchUnfinished([found('pack/a', 'x')], 'mods', remembered)).toBeUndefined()
})
