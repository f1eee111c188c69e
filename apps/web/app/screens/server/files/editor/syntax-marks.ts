/** The line at which a file of JSON, JSON5 or SNBT breaks: marked while it is written, and said in words. */
import { type EditorState, type Extension, StateField, type Text } from '@codemirror/state'
import { Decoration, EditorView } from '@codemirror/view'
import type { Translate } from '#app/i18n/create-i18n.ts'
import type { Hint } from './hints.ts'
import { dialectOf, findSyntaxFault, type SyntaxFault } from './syntax-fault.ts'

/** Larger texts would be looked through at each key. */
const mostLength = 300_000
const mark = Decoration.line({ class: 'cm-fault' })
const known = new WeakMap<Text, SyntaxFault | null>()

function faultOf({ doc }: EditorState, path: string): SyntaxFault | null {
  const dialect = dialectOf(path)
  if (dialect === undefined || doc.length > mostLength) return null
  let fault = known.get(doc)
  if (fault === undefined) {
    fault = findSyntaxFault(doc.toString(), dialect) ?? null
    known.set(doc, fault)
  }
  return fault
}

const lineOf = ({ doc }: EditorState, { at }: SyntaxFault) => doc.lineAt(Math.min(at, doc.length))

export function syntaxMarks(path: string): Extension {
  if (dialectOf(path) === undefined) return []
  const marksOf = (state: EditorState) => {
    const fault = faultOf(state, path)
    return fault === null ? Decoration.none : Decoration.set([mark.range(lineOf(state, fault).from)])
  }
  return StateField.define({
    create: marksOf,
    update: (marks, { docChanged, state }) => (docChanged ? marksOf(state) : marks),
    provide: (field) => EditorView.decorations.from(field),
  })
}

/** Where it breaks and what is wanted there. */
export function syntaxHint(t: Translate, state: EditorState, path: string): Hint | undefined {
  const fault = faultOf(state, path)
  if (fault === null) return undefined
  const line = lineOf(state, fault)
  const text = t(`files.syntax.${fault.wanted}`)
  return { key: 'syntax', title: t('files.syntax.line', { line: line.number }), text, isBroken: true }
}
