import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { baseExtensions } from './code-view.tsx'
import classes from './editor.module.css'

/** Below this both texts stand in one column. */
const leastWidth = 760

const collapse = { margin: 3, minSize: 6 }

/**
 * Two texts, what differs marked: side by side where there is room. With `textRef` the right one can be written into, and
 * pieces of the left one can be taken over.
 */
export function DiffView({
  path,
  left,
  right,
  leftLabel,
  rightLabel,
  textRef,
}: {
  path: string
  left: string
  right: string
  leftLabel: string
  rightLabel: string
  /** Set to what tells the right text as it is now. */
  textRef?: RefObject<(() => string) | null>
}) {
  const { i18n } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const isEdited = textRef !== undefined
  useEffect(() => {
    const parent = box.current!
    const fixed: Extension = EditorState.readOnly.of(true)
    const edited: Extension = isEdited ? [history(), keymap.of([...defaultKeymap, ...historyKeymap])] : fixed
    const of = (label: string) => [...baseExtensions(path, i18n, label), EditorView.lineWrapping]
    let tell: () => string
    let end: () => void
    if (parent.clientWidth >= leastWidth) {
      const view = new MergeView({
        parent,
        a: { doc: left, extensions: [...of(leftLabel), fixed] },
        b: { doc: right, extensions: [...of(rightLabel), edited] },
        gutter: true,
        collapseUnchanged: collapse,
        ...(isEdited ? { revertControls: 'a-to-b' as const } : {}),
      })
      tell = () => view.b.state.doc.toString()
      end = () => view.destroy()
    } else {
      const view = new EditorView({
        parent,
        doc: right,
        extensions: [
          ...of(rightLabel),
          edited,
          unifiedMergeView({ original: left, mergeControls: isEdited, collapseUnchanged: collapse }),
        ],
      })
      tell = () => view.state.doc.toString()
      end = () => view.destroy()
    }
    if (textRef !== undefined) textRef.current = tell
    return end
  }, [path, left, right, leftLabel, rightLabel, i18n, isEdited, textRef])
  return <div ref={box} className={classes['diff']} />
}
