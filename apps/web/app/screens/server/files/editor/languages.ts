/** How a file is coloured, by its name. */
import { foldService, StreamLanguage } from '@codemirror/language'
import { properties } from '@codemirror/legacy-modes/mode/properties'
import { toml } from '@codemirror/legacy-modes/mode/toml'
import { yaml } from '@codemirror/legacy-modes/mode/yaml'
import type { Extension } from '@codemirror/state'
import { extensionOf } from '../paths.ts'
import { jsonLike, log, mcfunction } from './own-languages.ts'

/** A line folds with all that is indented further below it. */
const foldByIndent = foldService.of((state, start) => {
  const indentOf = (text: string) => /^\s*/.exec(text)![0].length
  const line = state.doc.lineAt(start)
  if (line.text.trim() === '') return null
  const own = indentOf(line.text)
  let last = line
  for (let number = line.number + 1; number <= state.doc.lines; number += 1) {
    const next = state.doc.line(number)
    if (next.text.trim() === '') continue
    if (indentOf(next.text) <= own) break
    last = next
  }
  return last === line ? null : { from: line.to, to: last.to }
})

const json: Extension = [StreamLanguage.define(jsonLike), foldByIndent]
const languages = {
  yaml: { name: 'YAML', extension: [StreamLanguage.define(yaml), foldByIndent] },
  toml: { name: 'TOML', extension: StreamLanguage.define(toml) },
  properties: { name: 'Properties', extension: StreamLanguage.define(properties) },
  json: { name: 'JSON', extension: json },
  json5: { name: 'JSON5', extension: json },
  snbt: { name: 'SNBT', extension: json },
  mcfunction: { name: 'mcfunction', extension: StreamLanguage.define(mcfunction) },
  log: { name: 'Log', extension: StreamLanguage.define(log) },
} as const satisfies Record<string, { name: string; extension: Extension }>

const byExtension: Record<string, keyof typeof languages> = {
  yml: 'yaml',
  yaml: 'yaml',
  toml: 'toml',
  properties: 'properties',
  cfg: 'properties',
  conf: 'properties',
  ini: 'properties',
  lang: 'properties',
  env: 'properties',
  json: 'json',
  mcmeta: 'json',
  json5: 'json5',
  jsonc: 'json5',
  snbt: 'snbt',
  mcfunction: 'mcfunction',
  log: 'log',
}

/** @returns its name, shown as it is in every language, and what colours it; undefined for plain text. */
export function languageOf(path: string): { name: string; extension: Extension } | undefined {
  const known = byExtension[extensionOf(path)] ?? (/(^|\/)eula\.txt$/.test(path) ? 'properties' : undefined)
  return known === undefined ? undefined : languages[known]
}
