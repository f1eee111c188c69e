import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import type { FileEntry } from '../file-entry.ts'
import classes from '../files.module.css'
import { joinPath } from '../paths.ts'
import { useFiles } from '../use-files.ts'
import { useRows } from '../use-rows.ts'
import { type DropHandlers, dropTarget } from './drag-files.ts'
import { EntryRow, type RowHandlers } from './entry-row.tsx'
import { chooseAll, chooseNone, choose, findByLetters, move, type Selection } from './selection.ts'
import type { EntryOrder } from './sort-entries.ts'
import { useRowHeight } from './use-row-height.ts'

type Props = {
  entries: readonly FileEntry[]
  names: readonly string[]
  order: EntryOrder
  onOrder: (order: EntryOrder) => void
  selection: Selection
  onSelection: (selection: Selection) => void
  renaming: string | null
  cut: ReadonlySet<string>
  handlers: RowHandlers
  drop: DropHandlers
  /** Keys that the list does not know: actions. Answers whether it took the key. */
  onKey: (event: KeyboardEvent, cursor: FileEntry | undefined) => boolean
  /** Instead of rows. */
  empty: ReactNode
  isBusy: boolean
  listRef: RefObject<HTMLDivElement | null>
}

const columns = [
  { by: 'name', label: 'files.column.name', className: 'nameCell' },
  { by: 'size', label: 'files.column.size', className: 'size' },
  { by: 'mtime', label: 'files.column.changed', className: 'time' },
] as const

/** A folder as rows, of which only those in sight exist: a hundred thousand are no more work than ten. */
export function EntryList({
  entries,
  names,
  order,
  onOrder,
  selection,
  onSelection,
  renaming,
  cut,
  handlers,
  drop,
  onKey,
  empty,
  isBusy,
  listRef,
}: Props) {
  const { t } = useTranslation()
  const { folder, folderLink, fileLink, why } = useFiles()
  const id = useId()
  const rowHeight = useRowHeight()
  const rows = useRows(listRef, { count: entries.length, height: rowHeight, headHeight: 40 })
  useEffect(() => rows.measure(), [rows, rowHeight])
  const cursorAt = selection.cursor === null ? -1 : names.indexOf(selection.cursor)
  useEffect(() => {
    if (cursorAt >= 0) rows.scrollToIndex(cursorAt)
  }, [rows, cursorAt])
  const typed = useRef({ text: '', at: 0 })
  const pageRows = () => Math.max(1, Math.floor((listRef.current?.clientHeight ?? 400) / rowHeight) - 2)

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLButtonElement) return
    const manner = event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only'
    const go = (step: number | 'first' | 'last') => onSelection(move(selection, names, step, manner))
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key === 'ArrowDown') go(1)
    else if (event.key === 'ArrowUp' && !event.altKey) go(-1)
    else if (event.key === 'PageDown') go(pageRows())
    else if (event.key === 'PageUp') go(-pageRows())
    else if (event.key === 'Home') go('first')
    else if (event.key === 'End') go('last')
    else if (event.key === ' ' && selection.cursor !== null)
      onSelection(choose(selection, names, selection.cursor, event.shiftKey ? 'range' : 'toggle'))
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) onSelection(chooseAll(selection, names))
    else if (event.key === 'Escape' && selection.chosen.size > 0) onSelection(chooseNone(selection))
    else if (onKey(event, entries[cursorAt])) {
      // An action.
    } else if (event.key.length === 1 && event.key !== ' ' && isPlain) {
      const isNew = event.timeStamp - typed.current.at > 800
      const isSame = typed.current.text === event.key
      typed.current = { text: isNew || isSame ? event.key : typed.current.text + event.key, at: event.timeStamp }
      const found = findByLetters(names, selection.cursor, typed.current.text)
      if (found !== undefined) onSelection(choose(selection, names, found, 'only'))
    } else return
    event.preventDefault()
  }

  return (
    <div
      ref={listRef}
      role="grid"
      aria-label={t('files.list')}
      aria-rowcount={entries.length + 1}
      aria-colcount={6}
      aria-multiselectable
      aria-busy={isBusy}
      aria-activedescendant={cursorAt >= 0 ? `${id}-${cursorAt}` : undefined}
      tabIndex={0}
      className={classes['list']}
      onKeyDown={onKeyDown}
      {...dropTarget(folder, drop, why)}
    >
      <div role="rowgroup" className={classes['head']}>
        <div role="row" aria-rowindex={1} className={classes['headRow']}>
          <div role="columnheader" className={classes['check']}>
            <span className="visually-hidden">{t('files.column.chosen')}</span>
          </div>
          {columns.map(({ by, label, className }) => {
            const isOurs = order.by === by
            const Icon = order.isDescending ? IconArrowDown : IconArrowUp
            return (
              <div
                key={by}
                role="columnheader"
                className={classes[className]}
                aria-sort={isOurs ? (order.isDescending ? 'descending' : 'ascending') : 'none'}
              >
                <button
                  type="button"
                  onClick={() => onOrder({ by, isDescending: isOurs ? !order.isDescending : by !== 'name' })}
                >
                  {t(label)}
                  {isOurs && <Icon size={14} aria-hidden />}
                </button>
              </div>
            )
          })}
          <div role="columnheader" className={classes['mode']}>
            {t('files.column.mode')}
          </div>
          <div role="columnheader" className={classes['dots']}>
            <span className="visually-hidden">{t('files.column.actions')}</span>
          </div>
        </div>
      </div>
      {entries.length === 0 ? (
        <div role="rowgroup">
          <div role="row">
            <div role="gridcell" className={classes['emptyCell']}>
              {empty}
            </div>
          </div>
        </div>
      ) : (
        <div role="rowgroup" className={classes['rows']} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start, size }) => {
            const entry = entries[index]
            if (entry === undefined) return null
            const path = joinPath(folder, entry.name)
            return (
              <EntryRow
                key={entry.name}
                entry={entry}
                id={`${id}-${index}`}
                index={index}
                link={entry.type === 'folder' ? folderLink(path) : fileLink(path)}
                style={{ height: size, transform: `translateY(${start}px)` }}
                isChosen={selection.chosen.has(entry.name)}
                isCursor={index === cursorAt}
                isCut={cut.has(path)}
                isRenaming={renaming === entry.name}
                handlers={handlers}
                {...(entry.type === 'folder' ? { drop: dropTarget(path, drop, why) } : {})}
              />
            )
          })}
        </div>
      )}
    </div>
  )
}
