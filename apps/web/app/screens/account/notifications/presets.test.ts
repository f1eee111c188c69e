import { expect, test } from 'vitest'
import { notificationGroups } from '@wakestone/contract/ground/notification-kinds/kind'
import { choicesOf, type Kind, presetOf, presetsFor, topics, withChoices } from './presets.ts'

const kind = (name: Kind['kind'], mailIsFixed = false) =>
  ({
    kind: name,
    group: 'servers',
    channels: {
      panel: { on: true, fixed: mailIsFixed },
      mail: { on: true, fixed: mailIsFixed },
      discord: { on: false, fixed: false },
      push: { on: false, fixed: false },
    },
  }) as unknown as Kind

test('every group has its place', () => {
  expect(Object.values(topics).flat().toSorted()).toEqual(notificationGroups.toSorted())
})

test('a preset is known once it was chosen, and is none when one kind differs', () => {
  const kinds = [kind('SERVER_CREATED'), kind('SERVER_CRASHED')]
  expect(presetOf(kinds)).toBe('mail')
  const settings = { kinds, push: {}, webhook: {} } as unknown as Parameters<typeof withChoices>[0]
  for (const preset of presetsFor(kinds))
    expect(presetOf(withChoices(settings, choicesOf(kinds, preset)).kinds)).toBe(preset)
  const mixed = withChoices(settings, [{ kind: kinds[0]!.kind, channel: 'mail', wanted: false }])
  expect(presetOf(mixed.kinds)).toBe(undefined)
})

test('what is always on is left alone, and presets that would say the same are offered once', () => {
  const kinds = [kind('SERVER_CREATED', true)]
  expect(choicesOf(kinds, 'panel').map(({ channel }) => channel)).toEqual(['discord', 'push'])
  expect(presetsFor(kinds)).toEqual(['standard', 'mail'])
})
