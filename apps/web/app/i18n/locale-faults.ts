/** Compares the texts of all languages: keys, plural forms and placeholders. */
export type LocaleTree = { [key: string]: string | LocaleTree }

const pluralSuffix = /_(zero|one|two|few|many|other)$/

/** Every text by its dotted key. */
export function flattenLocale(tree: LocaleTree, prefix = ''): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') texts.set(prefix + key, value)
    else for (const [inner, text] of flattenLocale(value, `${prefix}${key}.`)) texts.set(inner, text)
  }
  return texts
}

/** The key that code uses: without the plural form. */
export function baseKey(key: string): string {
  return key.replace(pluralSuffix, '')
}

function placeholdersOf(text: string): string {
  return [
    ...new Set(Array.from(text.matchAll(/\{\{\s*(\w+)[^}]*\}\}|<\/?(\w+)>/g), (match) => match[1] ?? `<${match[2]}>`)),
  ]
    .toSorted()
    .join(' ')
}

/** One line per fault; none when every language says everything. */
export function findLocaleFaults(trees: Record<string, LocaleTree>): string[] {
  const faults: string[] = []
  const flat = new Map(Object.entries(trees).map(([language, tree]) => [language, flattenLocale(tree)]))
  const plurals = new Set<string>()
  const keys = new Set<string>()
  for (const texts of flat.values()) {
    for (const key of texts.keys()) {
      keys.add(baseKey(key))
      if (pluralSuffix.test(key)) plurals.add(baseKey(key))
    }
  }
  for (const [language, texts] of flat) {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    for (const key of keys) {
      const wanted = plurals.has(key) ? forms.map((form) => `${key}_${form}`) : [key]
      for (const name of wanted) if (!texts.get(name)?.trim()) faults.push(`${language}: ${name} is missing`)
    }
    for (const [key, text] of texts) {
      const form = pluralSuffix.exec(key)?.[1]
      if (form !== undefined && !(forms as string[]).includes(form))
        faults.push(`${language}: ${key} is a form the language does not have`)
      const reference = flat.get('en')?.get(form === undefined ? key : `${baseKey(key)}_other`)
      const mayDropCount = form === 'one' && !text.includes('{{count}}')
      if (reference === undefined || mayDropCount) continue
      if (placeholdersOf(reference) !== placeholdersOf(text))
        faults.push(`${language}: ${key} has other placeholders than English`)
    }
  }
  return faults
}
