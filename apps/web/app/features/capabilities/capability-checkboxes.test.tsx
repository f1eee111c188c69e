import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import {
  type CapabilityName,
  capabilityNames,
  serverCapabilityGroups,
  userCapabilityGroups,
} from '@wakestone/contract/capability-names'
import { languages } from '@wakestone/contract/values'
import { createI18n } from '#app/i18n/create-i18n.ts'
import { serverTexts } from '#app/i18n/server-texts.server.ts'
import { I18nProvider } from '#app/i18n/texts.tsx'
import { CapabilityCheckboxes } from './capability-checkboxes.tsx'

const groups = [...serverCapabilityGroups, ...userCapabilityGroups]
const render = (language: (typeof languages)[number], chosen: CapabilityName[]) =>
  renderToStaticMarkup(
    <MantineProvider>
      <I18nProvider i18n={createI18n(language, serverTexts[language] as never)}>
        <CapabilityCheckboxes groups={groups} chosen={chosen} onChange={() => undefined} />
      </I18nProvider>
    </MantineProvider>,
  )

test.each(languages)('every capability has its words in %s', (language) => {
  const html = render(language, [])
  expect(html).not.toContain('capabilities.')
  expect(html.match(/type="checkbox"/g)).toHaveLength(capabilityNames.length)
})

test('a chosen capability brings those below it, not those beside it', () => {
  const boxes = render('en', ['server.manage']).match(/<input[^>]*type="checkbox"[^>]*>/g) ?? []
  const names = groups.flatMap(({ capabilities }) => [...capabilities])
  const having = (attribute: string) => names.filter((_, index) => boxes[index]?.includes(attribute))
  const brought = [
    'server.manage.read',
    'server.manage.power',
    'server.manage.console',
    'server.manage.players',
    'server.manage.ports',
  ]
  expect(having('checked=""')).toEqual([...brought, 'server.manage'])
  expect(having('disabled=""')).toEqual(brought)
})
