import { TextInput } from '@mantine/core'
import { IconCheck, IconDots } from '@tabler/icons-react'
import { findNameFault } from '@wakestone/contract/servers/file-values'
import {
  type CSSProperties,
  type DragEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Link } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { useErrorText } from '#app/ui/error-text.ts'
import { type FileEntry, modeText } from '../file-entry.ts'
import { FileIcon } from '../file-icon.tsx'
import classes from '../files.module.css'

export type RowHandlers = {
  /** A click that is none on the name. Some browsers do not tell by the event whether it was a finger. */
  onPick: (entry: FileEntry, event: MouseEvent, isTouch: boolean) => void
  /** The name was clicked: a link, so that it can be opened elsewhere too. */
  onOpen: (entry: FileEntry, event: MouseEvent, isTouch: boolean) => void
  onToggle: (name: string) => void
  onMenu: (entry: FileEntry, place: { x: number; y: number }) => void
  onHold: (name: string) => void
  onDragStart: (entry: FileEntry, event: DragEvent) => void
  onRenamed: (entry: FileEntry, name: string | null) => Promise<unknown>
}

type Props = {
  entry: FileEntry
  id: string
  index: number
  link: string
  style: CSSProperties
  isChosen: boolean
  isCursor: boolean
  isCut: boolean
  isRenaming: boolean
  handlers: RowHandlers
  drop?: Record<string, (event: DragEvent) => void>
}

/** How long a finger rests on a row to choose it. */
const holdMilliseconds = 450

export function EntryRow({
  entry,
  id,
  index,
  link,
  style,
  isChosen,
  isCursor,
  isCut,
  isRenaming,
  handlers,
  drop,
}: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const hold = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const wasHeld = useRef(false)
  const isTouch = useRef(false)
  useEffect(() => () => clearTimeout(hold.current), [])
  const stopHolding = () => clearTimeout(hold.current)
  const beginHolding = (event: PointerEvent) => {
    wasHeld.current = false
    isTouch.current = event.pointerType === 'touch'
    if (!isTouch.current) return
    hold.current = setTimeout(() => {
      wasHeld.current = true
      handlers.onHold(entry.name)
    }, holdMilliseconds)
  }
  const details = [entry.type === 'file' ? format.bytes(entry.size) : null, format.dateTime(entry.mtime)]
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      className={classes['row']}
      data-cursor={isCursor || undefined}
      data-cut={isCut || undefined}
      style={style}
      draggable={!isRenaming}
      onDragStart={(event) => {
        stopHolding()
        // A finger that moves scrolls.
        if (hold.current !== undefined && wasHeld.current) return event.preventDefault()
        handlers.onDragStart(entry, event)
      }}
      onPointerDown={beginHolding}
      onPointerUp={stopHolding}
      onPointerMove={(event) => {
        if (Math.abs(event.movementX) + Math.abs(event.movementY) > 6) stopHolding()
      }}
      onPointerCancel={stopHolding}
      onClick={(event) => {
        if (wasHeld.current) event.preventDefault()
        else handlers.onPick(entry, event, isTouch.current)
        wasHeld.current = false
      }}
      onContextMenu={(event) => {
        event.preventDefault()
        if (!isTouch.current) handlers.onMenu(entry, { x: event.clientX, y: event.clientY })
      }}
      {...drop}
    >
      <div
        role="gridcell"
        className={classes['check']}
        onClick={(event) => {
          event.stopPropagation()
          if (!wasHeld.current) handlers.onToggle(entry.name)
        }}
      >
        <span data-checked={isChosen || undefined}>{isChosen && <IconCheck size={13} aria-hidden />}</span>
      </div>
      <div role="gridcell" className={classes['nameCell']}>
        <FileIcon entry={entry} />
        {isRenaming ? (
          <NameInput entry={entry} onDone={(name) => handlers.onRenamed(entry, name)} />
        ) : (
          <Link
            to={link}
            tabIndex={-1}
            draggable={false}
            className={classes['name']}
            onClick={(event) => {
              if (wasHeld.current) return event.preventDefault()
              handlers.onOpen(entry, event, isTouch.current)
            }}
          >
            {entry.name}
          </Link>
        )}
        {entry.target !== undefined && <small className={classes['target']}>→ {entry.target}</small>}
        <small className={classes['details']}>{details.filter(Boolean).join(' · ')}</small>
      </div>
      <div role="gridcell" className={classes['size']}>
        {entry.type === 'file' ? format.bytes(entry.size) : ''}
      </div>
      <div role="gridcell" className={classes['time']}>
        <time dateTime={new Date(entry.mtime).toISOString()} title={format.relative(entry.mtime)}>
          {format.dateTime(entry.mtime)}
        </time>
      </div>
      <div role="gridcell" className={classes['mode']}>
        <code>{modeText(entry.mode)}</code>
      </div>
      <div role="gridcell" className={classes['dots']}>
        <button
          type="button"
          tabIndex={-1}
          aria-label={t('files.actionsOf', { name: entry.name })}
          onClick={(event) => {
            event.stopPropagation()
            const { left, bottom } = event.currentTarget.getBoundingClientRect()
            handlers.onMenu(entry, { x: left, y: bottom })
          }}
        >
          <IconDots size={18} aria-hidden />
        </button>
      </div>
    </div>
  )
}

/** The name, to be typed anew: what stands before its extension is marked. */
function NameInput({ entry, onDone }: { entry: FileEntry; onDone: (name: string | null) => Promise<unknown> }) {
  const { t } = useTranslation()
  const [name, setName] = useState(entry.name)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const { text } = useErrorText(failure)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const dot = entry.type === 'folder' ? -1 : entry.name.lastIndexOf('.')
    input.current?.focus()
    input.current?.setSelectionRange(0, dot > 0 ? dot : entry.name.length)
  }, [entry])
  const fault = findNameFault(name)
  const save = async () => {
    if (busy || fault !== undefined) return
    if (name === entry.name) return onDone(null)
    setBusy(true)
    setFailure(undefined)
    try {
      await onDone(name)
    } catch (error) {
      setFailure(error)
      setBusy(false)
      input.current?.focus()
    }
  }
  return (
    <TextInput
      ref={input}
      size="xs"
      className={classes['nameInput']}
      aria-label={t('files.newNameOf', { name: entry.name })}
      value={name}
      disabled={busy}
      error={fault !== undefined ? t(`files.nameFault.${fault}`) : failure !== undefined ? text : undefined}
      onChange={(event) => setName(event.currentTarget.value)}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') void save()
        if (event.key === 'Escape') void onDone(null)
      }}
      onBlur={() => {
        // Left without an end: what can be saved is, else it stays as it was.
        if (fault === undefined && failure === undefined) void save()
        else if (!busy) void onDone(null)
      }}
    />
  )
}
