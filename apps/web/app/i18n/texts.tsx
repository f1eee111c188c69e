/** Texts in components: `const { t } = useTranslation()`, and `<Trans>` for texts with elements in them. */
import { cloneElement, createContext, Fragment, type ReactElement, type ReactNode, useContext } from 'react'
import type { TextKey } from './text-types.ts'
import type { I18n, Values } from './create-i18n.ts'

const I18nContext = createContext<I18n | null>(null)

export function I18nProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  return <I18nContext value={i18n}>{children}</I18nContext>
}

export function useTranslation(): { t: I18n['t']; i18n: I18n } {
  const i18n = useContext(I18nContext)
  if (i18n === null) throw new Error('texts are wanted outside of <I18nProvider>')
  return { t: i18n.t, i18n }
}

/** A text whose `<a>…</a>` and `<b/>` become the elements of those names. A value never becomes an element. */
export function Trans({
  i18nKey,
  values = {},
  components,
}: {
  i18nKey: TextKey
  values?: Values
  components: Readonly<Record<string, ReactElement>>
}) {
  const { t } = useTranslation()
  // Words from elsewhere take their places after the text was cut at its tags.
  const isWord = ([, value]: [string, unknown]) => typeof value === 'string'
  const marks = Object.fromEntries(
    Object.entries(values)
      .filter(isWord)
      .map(([name]) => [name, `{{${name}}}`]),
  )
  const fill = (part: string) => part.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
  return <>{withElements(t(i18nKey, { ...values, ...marks }), components, fill)}</>
}

function withElements(
  text: string,
  components: Readonly<Record<string, ReactElement>>,
  fill: (part: string) => string,
): ReactNode[] {
  const nodes: ReactNode[] = []
  let rest = text
  for (;;) {
    const tag = /<(\w+)\s*(?:\/>|>(.*?)<\/\1>)/s.exec(rest)
    nodes.push(fill(tag === null ? rest : rest.slice(0, tag.index)))
    if (tag === null) return nodes
    const [whole, name = '', inner] = tag
    const key = nodes.length
    const children = inner === undefined ? [] : withElements(inner, components, fill)
    const element = components[name]
    nodes.push(
      element === undefined ? <Fragment key={key}>{children}</Fragment> : cloneElement(element, { key }, ...children),
    )
    rest = rest.slice(tag.index + whole.length)
  }
}
