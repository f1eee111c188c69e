import {
  autocompletion,
  type CompletionContext,
  completionKeymap,
  closeBrackets,
  closeBracketsKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language'
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  crosshairCursor,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view'
import { type RefObject, useEffect, useRef } from 'react'
import type { I18n } from '#app/i18n/create-i18n.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './editor.module.css'
import { codeTheme } from './code-theme.ts'
import { useFiles } from '../use-files.ts'
import { type HintedFile, hintAt, suggestionsFor, yamlSuggestions } from './hints.ts'
import { languageOf } from './languages.ts'
import { syntaxHint, syntaxMarks } from './syntax-marks.ts'
import { searchPhrases } from './phrases.ts'
import type { LineEnd } from './text-codec.ts'

/** What every view of text has. */
export function baseExtensions(path: string, i18n: I18n, label: string): Extension[] {
  return [
    lineNumbers(),
    foldGutter(),
    highlightSpecialChars(),
    drawSelection(),
    highlightSelectionMatches(),
    search({ top: true }),
    EditorState.phrases.of(searchPhrases(i18n.t)),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    codeTheme,
    languageOf(path)?.extension ?? [],
  ]
}

/** What can also be written into. Esc and then Tab leaves, so that the keyboard is never caught. */
function editingExtensions(file: HintedFile, { t }: I18n, lineEnd: LineEnd): Extension[] {
  const suggestions = suggestionsFor(t, file)
  const { path } = file
  const isYaml = /\.ya?ml$/i.test(path)
  const completeYaml = (context: CompletionContext) => {
    const line = context.state.doc.lineAt(context.pos)
    const word = /^\s*([\w-]*)$/.exec(line.text.slice(0, context.pos - line.from))
    if (word === null || (word[1] === '' && !context.explicit)) return null
    const lineAt = (index: number) => context.state.doc.line(index + 1).text
    const found = yamlSuggestions(t, path, lineAt, line.number - 1)
    if (found.length === 0) return null
    return {
      from: context.pos - word[1]!.length,
      options: found.map(({ key: label, title }) => ({ label, detail: title, apply: `${label}: ` })),
    }
  }
  const complete = (context: CompletionContext) => {
    const line = context.state.doc.lineAt(context.pos)
    const before = line.text.slice(0, context.pos - line.from)
    const value = /^([\w.-]+)=([\w-]*)$/.exec(before)
    if (value !== null) {
      const values = suggestions.find(({ key }) => key === value[1])?.values ?? []
      return values.length === 0
        ? null
        : { from: context.pos - value[2]!.length, options: values.map((label) => ({ label })) }
    }
    const key = /^[\w.-]*$/.exec(before)
    if (key === null || (key[0] === '' && !context.explicit)) return null
    return {
      from: line.from,
      options: suggestions.map(({ key: label, title }) => ({ label, detail: title, apply: `${label}=` })),
    }
  }
  return [
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    rectangularSelection(),
    crosshairCursor(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    EditorState.allowMultipleSelections.of(true),
    EditorState.tabSize.of(4),
    indentUnit.of('  '),
    // Lines of several kinds are left as they are: the line's end is its last character then.
    lineEnd === 'mixed' ? EditorState.lineSeparator.of('\n') : [],
    isYaml
      ? autocompletion({ override: [completeYaml] })
      : suggestions.length === 0
        ? []
        : autocompletion({ override: [complete] }),
    syntaxMarks(path),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      indentWithTab,
    ]),
    hoverTooltip(({ state }, position) => {
      const line = state.doc.lineAt(position)
      const hint = hintAt(t, file, (index) => state.doc.line(index + 1).text, line.number - 1)
      if (hint === undefined) return null
      return {
        pos: line.from,
        above: true,
        create: () => {
          const dom = document.createElement('div')
          dom.className = 'cm-hint'
          dom.append(Object.assign(document.createElement('strong'), { textContent: hint.title }), hint.text)
          return { dom }
        },
      }
    }),
  ]
}

export type Place = { line: number; column: number }
type Props = {
  path: string
  label: string
  text: string
  lineEnd: LineEnd
  readOnly: boolean
  /** What the editor was when it was left: with its history, its selection and its folds. */
  kept?: EditorState | undefined
  onLeave?: (state: EditorState) => void
  onChange?: (text: () => string) => void
  onPlace?: (place: Place, hintOf: (line: number) => ReturnType<typeof hintAt>) => void
  onSave?: () => void
  /** From 1: gone to at first. */
  line?: number | null
  viewRef?: RefObject<EditorView | null>
}

/** CodeMirror, for as long as it is shown. Texts that come later are put in by whoever holds `viewRef`. */
export function CodeView(props: Props) {
  const { path, line = null, viewRef } = props
  const { i18n } = useTranslation()
  const { game } = useFiles()
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const own = useRef<EditorView | null>(null)
  useEffect(() => {
    const { text, lineEnd, readOnly, kept, label } = latest.current
    const tellPlace = ({ state }: EditorView) => {
      const { head } = state.selection.main
      const at = state.doc.lineAt(head)
      const hintOf = (number: number) =>
        (latest.current.readOnly ? undefined : syntaxHint(i18n.t, state, path)) ??
        hintAt(i18n.t, { path, game }, (index) => state.doc.line(index + 1).text, number - 1)
      latest.current.onPlace?.({ line: at.number, column: head - at.from + 1 }, hintOf)
    }
    const extensions = [
      keymap.of([
        {
          key: 'Mod-s',
          preventDefault: true,
          run: () => {
            latest.current.onSave?.()
            return true
          },
        },
      ]),
      ...baseExtensions(path, i18n, label),
      ...(readOnly
        ? [keymap.of([...defaultKeymap, ...searchKeymap])]
        : editingExtensions({ path, game }, i18n, lineEnd)),
      EditorState.readOnly.of(readOnly),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) latest.current.onChange?.(() => update.state.doc.toString())
        if (update.selectionSet || update.docChanged) tellPlace(update.view)
      }),
    ]
    const view = new EditorView({
      parent: box.current!,
      state: kept ?? EditorState.create({ doc: text, extensions }),
    })
    own.current = view
    if (viewRef !== undefined) viewRef.current = view
    tellPlace(view)
    if (!readOnly) view.focus()
    return () => {
      latest.current.onLeave?.(view.state)
      if (viewRef?.current === view) viewRef.current = null
      own.current = null
      view.destroy()
    }
  }, [path, game, i18n, viewRef])
  useEffect(() => {
    const view = own.current
    if (line === null || view === null || line > view.state.doc.lines) return
    const { from } = view.state.doc.line(line)
    view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
  }, [line, path])
  return <div ref={box} className={classes['code']} />
}

export const findInView = (view: EditorView | null) => {
  if (view !== null) openSearchPanel(view)
}
