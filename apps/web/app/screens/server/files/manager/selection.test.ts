import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  choose,
  chooseAll,
  chooseNone,
  findByLetters,
  type Manner,
  mannerOf,
  move,
  noSelection,
  retain,
  type Selection,
} from './selection.ts'

const names = ['a', 'b', 'c', 'd', 'e']
const chosen = (selection: Selection) => [...selection.chosen].sort().join('')

test('clicks', () => {
  const one = choose(noSelection, names, 'b', 'only')
  expect(chosen(one)).toBe('b')
  const range = choose(one, names, 'd', 'range')
  expect(chosen(range)).toBe('bcd')
  // Another range begins where the first did.
  expect(chosen(choose(range, names, 'a', 'range'))).toBe('ab')
  const two = choose(one, names, 'e', 'toggle')
  expect(chosen(two)).toBe('be')
  expect(chosen(choose(two, names, 'b', 'toggle'))).toBe('e')
  expect(chosen(choose(two, names, 'a', 'only'))).toBe('a')
  expect(chosen(choose(noSelection, names, 'c', 'range'))).toBe('c')
})

test('keys', () => {
  const first = move(noSelection, names, 1, 'only')
  expect(first.cursor).toBe('a')
  expect(move(noSelection, names, -1, 'only').cursor).toBe('a')
  const third = move(first, names, 2, 'only')
  expect(third).toMatchObject({ cursor: 'c', anchor: 'c' })
  expect(chosen(move(move(third, names, 1, 'range'), names, 1, 'range'))).toBe('cde')
  expect(chosen(move(third, names, 'first', 'range'))).toBe('abc')
  const looked = move(third, names, 'last', 'toggle')
  expect([looked.cursor, chosen(looked)]).toEqual(['e', 'c'])
  expect(move(third, names, 99, 'only').cursor).toBe('e')
  expect(move(noSelection, [], 1, 'only')).toBe(noSelection)
})

test('everything, and nothing', () => {
  const all = chooseAll(noSelection, names)
  expect(chosen(all)).toBe('abcde')
  expect(chosen(chooseNone(all))).toBe('')
})

test('what is gone is not chosen any more', () => {
  const some = choose(choose(noSelection, names, 'b', 'only'), names, 'd', 'range')
  const left = retain(some, (name) => name !== 'd')
  expect([chosen(left), left.cursor, left.anchor]).toEqual(['bc', null, 'b'])
  expect(retain(some, () => true)).toBe(some)
})

test('letters that are typed', () => {
  const list = ['banned-ips.json', 'banned-players.json', 'Bukkit.yml', 'world']
  expect(findByLetters(list, null, 'b')).toBe('banned-ips.json')
  expect(findByLetters(list, 'banned-ips.json', 'b')).toBe('banned-players.json')
  expect(findByLetters(list, 'banned-ips.json', 'bu')).toBe('Bukkit.yml')
  expect(findByLetters(list, 'world', 'b')).toBe('banned-ips.json')
  expect(findByLetters(list, 'world', 'x')).toBeUndefined()
})

test('modifiers', () => {
  const none = { shiftKey: false, ctrlKey: false, metaKey: false }
  expect(mannerOf(none)).toBe('only')
  expect(mannerOf({ ...none, metaKey: true })).toBe('toggle')
  expect(mannerOf({ ...none, ctrlKey: true, shiftKey: true })).toBe('range')
})

test('whatever is done, only names of the list are chosen, and a range is without gaps', () => {
  const list = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 30 })
  const manner = fc.constantFrom<Manner>('only', 'toggle', 'range')
  const step = fc.oneof(
    fc.record({ at: fc.nat(), manner }),
    fc.record({
      by: fc.oneof(fc.integer({ min: -40, max: 40 }), fc.constantFrom('first' as const, 'last' as const)),
      manner,
    }),
  )
  fc.assert(
    fc.property(list, fc.array(step, { maxLength: 20 }), (all, steps) => {
      let selection = noSelection
      for (const one of steps) {
        selection =
          'at' in one
            ? choose(selection, all, all[one.at % all.length]!, one.manner)
            : move(selection, all, one.by, one.manner)
        expect(selection.cursor).not.toBeNull()
        const places = [...selection.chosen].map((name) => all.indexOf(name)).sort((left, right) => left - right)
        expect(places.every((place) => place >= 0)).toBe(true)
        if (one.manner === 'range') expect(places.at(-1)! - places[0]! + 1).toBe(places.length)
      }
    }),
  )
})
