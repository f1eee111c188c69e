import { expect, test } from 'vitest'
import { type Capabilities, newUserCapabilities } from '@wakestone/contract/capabilities'
import { languages } from '@wakestone/contract/values'
import { actionsOf } from './event-queries.ts'
import de from '#app/i18n/locales/de.json' with { type: 'json' }
import en from '#app/i18n/locales/en.json' with { type: 'json' }
import pl from '#app/i18n/locales/pl.json' with { type: 'json' }

const locales = { en, pl, de }

test.each(languages.flatMap((language) => [[language, 'server'] as const, [language, 'user'] as const]))(
  'in %s no two choices of a %s’s events read alike',
  (language, kind) => {
    const labels = actionsOf(kind, { admin: true }).map((action) => locales[language].events.actions[action])
    expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([])
  },
)

test('what only administrators do is offered to those who may do it', () => {
  const offered = (capabilities: Capabilities) => actionsOf('user', capabilities).map(String)
  expect(offered(newUserCapabilities)).toContain('USER_CHANGE_CAPABILITIES')
  expect(offered(newUserCapabilities)).not.toContain('USER_CHANGE_FLAG')
  expect(offered({ ...newUserCapabilities, 'admin.vouchers.generate': true })).toContain('USER_GENERATE_VOUCHERS')
  expect(offered({ admin: true })).toContain('USER_CHANGE_FLAG')
})
