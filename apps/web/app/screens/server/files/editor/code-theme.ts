/** The editor in our colours, in both themes: it takes them from the page. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const mix = (color: string, share: number, ground = 'transparent') =>
  `color-mix(in srgb, ${color} ${share}%, ${ground})`

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--raised)', color: 'var(--text)', fontSize: '13.5px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--lantern-line)', paddingBlock: '10px' },
  '.cm-cursor': { borderLeftColor: 'var(--lantern-line)', borderLeftWidth: '2px' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: `${mix('var(--lantern)', 26)} !important`,
  },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--muted)', border: 'none', paddingInlineEnd: '6px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: mix('var(--text)', 4) },
  '.cm-activeLineGutter': { color: 'var(--text)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--overlay)', border: '1px solid var(--line)', color: 'var(--muted)' },
  '.cm-matchingBracket': { backgroundColor: `${mix('var(--moss)', 25)} !important` },
  '.cm-searchMatch': { backgroundColor: mix('var(--lantern)', 30), borderRadius: '2px' },
  '.cm-searchMatch-selected': { backgroundColor: mix('var(--lantern)', 60) },
  '.cm-selectionMatch': { backgroundColor: mix('var(--dusk)', 22) },
  '.cm-specialChar': { color: 'var(--ember)' },
  '.cm-panels': { backgroundColor: 'var(--overlay)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    padding: '8px 40px 8px 12px',
    fontFamily: 'var(--font-ui)',
    fontSize: '13px',
  },
  '.cm-panel.cm-search br': { flexBasis: '100%', height: '0' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '4px',
    fontSize: '13px',
    minHeight: '28px',
  },
  '.cm-panel.cm-search input[type=checkbox]': { width: '16px', height: '16px', accentColor: 'var(--lantern)' },
  '.cm-textfield': {
    minHeight: '30px',
    boxSizing: 'border-box',
    padding: '2px 8px',
    border: '1px solid var(--control-line)',
    borderRadius: '6px',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    font: '13px var(--font-mono)',
  },
  '.cm-button': {
    minHeight: '30px',
    padding: '2px 10px',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    backgroundImage: 'none',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    font: '600 13px var(--font-ui)',
    cursor: 'pointer',
  },
  '.cm-panel.cm-search [name=close]': {
    top: '6px',
    right: '8px',
    width: '30px',
    height: '30px',
    color: 'var(--muted)',
    fontSize: '20px',
    cursor: 'pointer',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: '8px',
    backgroundColor: 'var(--overlay)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', fontSize: '13px', maxHeight: '220px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 10px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--lantern-soft)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', fontFamily: 'var(--font-ui)' },
  '.cm-completionInfo': { padding: '8px 12px', maxWidth: '320px', fontFamily: 'var(--font-ui)', fontSize: '13px' },
  '.cm-hint': {
    maxWidth: '360px',
    padding: '8px 12px',
    fontFamily: 'var(--font-ui)',
    fontSize: '13px',
    lineHeight: '1.45',
  },
  '.cm-hint strong': { display: 'block' },
  '.cm-fault': { textDecoration: 'underline wavy var(--ember)', textUnderlineOffset: '4px' },
  '.cm-mergeView, .cm-mergeViewEditors': { height: '100%' },
  '.cm-changedLine': { backgroundColor: `${mix('var(--lantern)', 10)} !important` },
  '.cm-changedText': { background: `${mix('var(--lantern)', 28)} !important`, borderRadius: '2px' },
  // What is muted elsewhere would be hard to read on a mark.
  '.cm-changedText *, .cm-deletedText *, .cm-selectionMatch *, .cm-searchMatch *': { color: 'var(--text) !important' },
  '.cm-deletedChunk': { backgroundColor: mix('var(--ember)', 12), paddingBlock: '2px' },
  '.cm-deletedText': { background: `${mix('var(--ember)', 30)} !important` },
  '.cm-insertedLine, .cm-changedLine.cm-insertedLine': { backgroundColor: `${mix('var(--moss)', 12)} !important` },
  '.cm-deletedChunk .cm-chunkButtons button': {
    minHeight: '26px',
    paddingInline: '8px',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    background: 'var(--raised) !important',
    color: 'var(--text) !important',
    font: '600 12.5px var(--font-ui)',
  },
  '.cm-collapsedLines': {
    background: 'var(--sunken)',
    color: 'var(--muted)',
    fontFamily: 'var(--font-ui)',
    fontSize: '13px',
    padding: '3px 12px',
  },
})

const highlights = HighlightStyle.define([
  { tag: [tags.comment, tags.processingInstruction], color: 'var(--muted)', fontStyle: 'italic' },
  {
    tag: [tags.propertyName, tags.definition(tags.propertyName), tags.definition(tags.variableName), tags.keyword],
    color: 'var(--dusk)',
  },
  { tag: [tags.string, tags.special(tags.string), tags.quote], color: 'var(--moss)' },
  { tag: [tags.number, tags.bool, tags.atom, tags.literal], color: 'var(--lantern-text)' },
  { tag: [tags.meta, tags.punctuation, tags.bracket], color: 'var(--muted)' },
  { tag: tags.special(tags.variableName), color: 'var(--dusk)', fontWeight: '600' },
  { tag: tags.heading, color: 'var(--lantern-text)' },
  { tag: tags.invalid, color: 'var(--ember)' },
  { tag: [tags.tagName, tags.typeName, tags.labelName], color: 'var(--dusk)' },
])

export const codeTheme: Extension = [theme, syntaxHighlighting(highlights)]
