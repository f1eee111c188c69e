import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createI18n } from './create-i18n.ts'
import { flattenLocale } from './locale-faults.ts'
import { serverTexts } from './server-texts.server.ts'
import type { TextKey } from './text-types.ts'
import { I18nProvider, Trans } from './texts.tsx'

const texts = {
  hello: 'Hello {{name}}, {{ name }}!',
  deep: { line_one: '{{count, number}} wiersz', line_few: '{{count, number}} wiersze', line_many: '{{count}} wierszy' },
  link: 'Read <a>the <b>whole</b> text</a><br/>by {{name}}',
}
const key = (name: string) => name as TextKey

test('values take their places', () => {
  const { t } = createI18n('en', texts)
  expect(t(key('hello'), { name: '$& {{name}}' })).toBe('Hello $& {{name}}, $& {{name}}!')
  expect(t(key('hello'))).toBe('Hello , !')
})

test('numbers have the form and the writing of the language', () => {
  const { t } = createI18n('pl', texts)
  expect([1, 3, 5].map((count) => t(key('deep.line'), { count }))).toEqual(['1 wiersz', '3 wiersze', '5 wierszy'])
  expect(t(key('deep.line'), { count: 12_002 })).toMatch(/^12\s002 wiersze$/)
})

test('a key without a text is shown, and known as missing', () => {
  const { t, exists } = createI18n('en', texts)
  expect(t(key('deep.none'))).toBe('deep.none')
  expect(['hello', 'deep', 'deep.none', 'toString'].map(exists)).toEqual([true, false, false, false])
})

test('tags become elements, values never do', () => {
  const render = (name: string, components: Record<string, ReactElement>) =>
    renderToStaticMarkup(
      <I18nProvider i18n={createI18n('en', texts)}>
        <Trans i18nKey={key('link')} values={{ name }} components={components} />
      </I18nProvider>,
    )
  expect(render('<a>me</a>', { a: <a href="/x" />, b: <b className="y" />, br: <br /> })).toBe(
    'Read <a href="/x">the <b class="y">whole</b> text</a><br/>by &lt;a&gt;me&lt;/a&gt;',
  )
  expect(render('you', {})).toBe('Read the whole textby you')
})

test('every text keeps to what is understood here', () => {
  for (const tree of Object.values(serverTexts)) {
    for (const [name, text] of flattenLocale(tree as never)) {
      const rest = text.replace(/\{\{\s*\w+(?:,\s*number)?\s*\}\}/g, '')
      expect({ name, odd: /\{\{|\}\}|\$t\(/.exec(rest)?.[0] }).toEqual({ name, odd: undefined })
    }
  }
})
