import { flagKeys, flags } from '@wakestone/contract/site/flags'
import { expect, test } from 'vitest'
import { draftOf, flagFields, valueOf } from './flag-fields.ts'

const zone = 'Europe/Warsaw'
const texts = (text: string) => ({ en: `${text} en`, pl: `${text} pl`, de: `${text} de` })
const values: Partial<Record<keyof typeof flags, unknown[]>> = {
  'contest-event': [true, false],
  'featured-projects': [[], ['lantern', 'harbour-map']],
  'demo-server': ['', 'misty-allay'],
  'redirect-modal': [null, { title: texts('Title'), text: texts('Text'), to: '/offers' }],
  'promotion-banner': [
    null,
    { text: texts('Half price') },
    { text: texts('Half price'), to: 'https://example.test/', ends_at: '2026-12-24T17:30:00.000Z' },
  ],
  'panel-announcement': [null, { text: texts('Hello'), community_url: 'https://example.test/chat' }],
}

test.each(flagKeys)('%s: its default and whatever it can be goes through the fields and comes back', (key) => {
  for (const value of [flags[key].default, ...(values[key] ?? [])]) {
    expect(flags[key].schema.safeParse(value).success).toBe(true)
    const fields = flagFields[key]
    expect(valueOf(fields, draftOf(fields, value, zone), zone)).toEqual(value)
  }
})

test('one language is enough, and none is not', () => {
  const fields = flagFields['panel-announcement']
  const { schema } = flags['panel-announcement']
  const read = (draft: Record<string, string>) => schema.safeParse(valueOf(fields, draft, zone))
  expect(read({ 'text.pl': 'Cześć' }).success).toBe(true)
  const { error } = read({ community_url: 'https://example.test/chat' })
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['text'])
})
