import { useQuery } from '@tanstack/react-query'
import {
  type DragEvent,
  type KeyboardEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useSearchParams } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { AskedDialog } from '../dialogs/asked-dialog.tsx'
import { fileClipboard } from '../file-clipboard.ts'
import type { FileEntry } from '../file-entry.ts'
import classes from '../files.module.css'
import { folderQuery } from '../files-queries.ts'
import { folderOf, joinPath, nameOf } from '../paths.ts'
import type { Found } from '../uploads/read-dropped.ts'
import { readDropped } from '../uploads/read-dropped.ts'
import type { ServerUploads } from '../uploads/uploads.ts'
import { useFileWork } from '../use-file-work.ts'
import { useFiles } from '../use-files.ts'
import { beginDrag, type DropHandlers } from './drag-files.ts'
import { EntryList } from './entry-list.tsx'
import { ContextMenu, MenuActions, type MenuPlace } from './entry-menu.tsx'
import type { RowHandlers } from './entry-row.tsx'
import { FolderTree } from './folder-tree.tsx'
import { ManagerFoot } from './manager-foot.tsx'
import { SearchResults } from './search-results.tsx'
import { choose, chooseNone, mannerOf, noSelection, retain, type Selection } from './selection.ts'
import { type EntryOrder, filterEntries, sortEntries } from './sort-entries.ts'
import { Toolbar } from './toolbar.tsx'
import { type Asked, useEntryActions } from './use-entry-actions.tsx'

const none: readonly FileEntry[] = []

type Props = {
  uploads: ServerUploads
  upload: (found: Found, folder: string) => Promise<void>
  chooseFiles: (isFolder: boolean) => void
}

/** The folder that is shown, and everything that can be done in it. */
export function Manager({ uploads, upload, chooseFiles }: Props) {
  const { t } = useTranslation()
  const { serverId, folder, hidden, why, openFolder } = useFiles()
  const work = useFileWork()
  const [search, setSearch] = useSearchParams()
  const query = useQuery(folderQuery(serverId, folder, hidden))
  const [order, setOrder] = useState<EntryOrder>({ by: 'name', isDescending: false })
  const [filter, setFilter] = useState('')
  const [selection, setSelection] = useState<Selection>(noSelection)
  const [renaming, setRenaming] = useState<string | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [menu, setMenu] = useState<{ place: MenuPlace; name: string | null } | null>(null)
  const listRef = useRef<HTMLDivElement>(null)
  const clipboard = useSyncExternalStore(fileClipboard.subscribe, fileClipboard.get, fileClipboard.getInitial)

  const all = query.data?.entries ?? none
  const sorted = useMemo(() => sortEntries(all, order), [all, order])
  const wanted = useDeferredValue(filter)
  const entries = useMemo(() => filterEntries(sorted, wanted), [sorted, wanted])
  const names = useMemo(() => entries.map(({ name }) => name), [entries])
  const byName = useMemo(() => new Map(entries.map((entry) => [entry.name, entry])), [entries])
  const kept = useMemo(() => retain(selection, (name) => byName.has(name)), [selection, byName])
  const chosen = useMemo(() => entries.filter(({ name }) => kept.chosen.has(name)), [entries, kept])
  const cut = useMemo(
    () => new Set(clipboard?.serverId === serverId && clipboard.isCut ? clipboard.paths : []),
    [clipboard, serverId],
  )
  // What the cursor was on is gone: it goes on from the same place.
  const cursorAt = useRef(-1)
  useEffect(() => {
    const { cursor } = selection
    if (cursor !== null && byName.has(cursor)) cursorAt.current = names.indexOf(cursor)
    else if (cursor !== null && names.length > 0) {
      const next = names[Math.min(cursorAt.current, names.length - 1)] ?? null
      setSelection((before) => ({ ...retain(before, (name) => byName.has(name)), cursor: next }))
    }
  }, [selection, names, byName])
  // Another folder: nothing of the last one is chosen or looked for.
  useEffect(() => {
    setSelection(noSelection)
    setFilter('')
    setRenaming(null)
    listRef.current?.scrollTo(0, 0)
  }, [folder])

  const transfer = useCallback(
    (from: readonly string[], to: string, isCopy: boolean) => {
      void work.namesIn(to, hidden).then((there): unknown => {
        const isSame = (path: string) => isCopy && folderOf(path) === to
        const taken = from.map(nameOf).filter((name) => there.has(name))
        // A copy beside what it is a copy of has another name, and no question.
        if (isCopy && from.every(isSame)) return work.copy(from, to, 'keep-both')
        if (taken.length > 0) return setAsked({ kind: 'conflict', from, to, isCopy, names: taken })
        return isCopy ? work.copy(from, to) : work.move(from, to)
      })
    },
    [work, hidden],
  )
  const actions = useEntryActions({ work, ask: setAsked, rename: ({ name }) => setRenaming(name), transfer })
  const drop: DropHandlers = {
    onFiles: (dropped, to) => {
      uploads.reading.set(0)
      void readDropped(dropped, uploads.reading.set)
        .then((found) => upload(found, to))
        .finally(() => uploads.reading.set(null))
    },
    onEntries: transfer,
  }

  const focusList = () => listRef.current?.focus({ preventScroll: true })
  const handlers: RowHandlers = {
    onPick: (entry, event, isTouch) => {
      // A tap opens; once something is chosen it chooses more.
      if (isTouch && kept.chosen.size === 0) actions.open(entry)
      else setSelection(choose(kept, names, entry.name, isTouch ? 'toggle' : mannerOf(event)))
    },
    onOpen: (entry, event, isTouch) => {
      if (event.shiftKey || event.ctrlKey || event.metaKey || (isTouch && kept.chosen.size > 0))
        return event.preventDefault()
      event.stopPropagation()
      if (entry.type === 'folder') return
      event.preventDefault()
      actions.open(entry)
    },
    onToggle: (name) => setSelection(choose(kept, names, name, 'toggle')),
    onHold: (name) => {
      navigator.vibrate?.(10)
      setSelection(choose(kept, names, name, 'toggle'))
    },
    onMenu: ({ name }, place) => {
      if (!kept.chosen.has(name)) setSelection(choose(kept, names, name, 'only'))
      setMenu({ place, name })
    },
    onDragStart: ({ name }, event: DragEvent) => {
      const isChosen = kept.chosen.has(name)
      if (!isChosen) setSelection(choose(kept, names, name, 'only'))
      beginDrag(
        event,
        (isChosen ? [...kept.chosen] : [name]).map((one) => joinPath(folder, one)),
      )
    },
    onRenamed: async (entry, name) => {
      if (name !== null) await work.rename(joinPath(folder, entry.name), joinPath(folder, name))
      setRenaming(null)
      if (name !== null) setSelection(choose(noSelection, [name], name, 'only'))
      focusList()
    },
  }

  const onKey = (event: KeyboardEvent, cursor: FileEntry | undefined): boolean => {
    const subject = chosen.length > 0 ? chosen : cursor === undefined ? [] : [cursor]
    const run = (id: string): boolean => {
      const action = actions.actionsFor(subject).find((one) => one.id === id)
      if (action === undefined || action.why !== undefined) return false
      action.run()
      return true
    }
    const isCommand = event.ctrlKey || event.metaKey
    if (event.key === 'Enter' && cursor !== undefined) actions.open(cursor)
    else if ((event.key === 'Backspace' || (event.altKey && event.key === 'ArrowUp')) && folder !== '')
      openFolder(folderOf(folder))
    else if (event.key === 'F2') return run('rename')
    else if (event.key === 'Delete') return run(event.shiftKey ? 'remove' : 'trash')
    else if (isCommand && event.key === 'c') return run('copy')
    else if (isCommand && event.key === 'x') return run('cut')
    else if (isCommand && event.key === 'v') return run('paste')
    else if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
      const row = listRef.current?.querySelector('[data-cursor]') ?? listRef.current
      const box = row!.getBoundingClientRect()
      if (cursor !== undefined && !kept.chosen.has(cursor.name)) setSelection(choose(kept, names, cursor.name, 'only'))
      setMenu({ place: { x: box.left + 60, y: box.bottom - 8 }, name: cursor?.name ?? null })
    } else return false
    return true
  }

  const looked = search.get('q')
  const place = search.get('in') === 'content' ? 'content' : 'names'
  const look = (changes: Record<string, string | null>) => {
    const next = new URLSearchParams(search)
    for (const [key, value] of Object.entries(changes)) {
      if (value === null) next.delete(key)
      else next.set(key, value)
    }
    setSearch(next)
  }
  const menuEntries =
    menu?.name == null
      ? []
      : kept.chosen.has(menu.name)
        ? chosen
        : [byName.get(menu.name)].filter((one) => one !== undefined)
  const isLoading = query.data === undefined && query.error === null
  return (
    <>
      <Toolbar
        chosen={chosen}
        actionsFor={actions.actionsFor}
        paste={actions.pasteAction}
        ask={setAsked}
        chooseFiles={chooseFiles}
        drop={drop}
        filter={filter}
        onFilter={setFilter}
        onSearch={(text) => look({ q: text, in: place })}
        onRefresh={() => void work.changed()}
        isRefreshing={query.isFetching}
      />
      <div className={classes['columns']}>
        <aside className={classes['treeBox']} aria-label={t('files.folders')}>
          <FolderTree label={t('files.folders')} current={folder} drop={drop} />
        </aside>
        <div className={classes['listBox']}>
          {looked !== null && looked !== '' ? (
            <SearchResults
              text={looked}
              place={place}
              onPlace={(value) => look({ in: value })}
              onClose={() => look({ q: null, in: null })}
            />
          ) : query.error !== null && query.data === undefined ? (
            <ErrorState error={query.error} title={t('files.listFailed')} onRetry={() => void query.refetch()} />
          ) : isLoading ? (
            <ListSkeleton />
          ) : (
            <EntryList
              entries={entries}
              names={names}
              order={order}
              onOrder={setOrder}
              selection={kept}
              onSelection={setSelection}
              renaming={renaming}
              cut={cut}
              handlers={handlers}
              drop={drop}
              onKey={onKey}
              isBusy={query.isFetching}
              listRef={listRef}
              empty={
                all.length > 0 ? (
                  <EmptyState
                    figure="none"
                    title={t('files.filter.none')}
                    text={t('files.filter.noneText', { text: filter })}
                    action={
                      <Button onClick={() => look({ q: filter, in: 'names' })}>{t('files.filter.everywhere')}</Button>
                    }
                  />
                ) : (
                  <EmptyState
                    title={t('files.empty.title')}
                    text={why ?? t('files.empty.text')}
                    action={
                      <Button why={why} onClick={() => chooseFiles(false)}>
                        {t('files.upload.choose')}
                      </Button>
                    }
                  />
                )
              }
            />
          )}
          <ManagerFoot
            shown={entries}
            chosen={chosen}
            isTruncated={query.data?.isTruncated === true}
            actions={actions.actionsFor(chosen)}
            onNone={() => setSelection(chooseNone(kept))}
          />
        </div>
      </div>
      <ContextMenu
        place={menu?.place ?? null}
        label={t('files.actionsOf', { name: menu?.name ?? t('files.top') })}
        onClose={() => {
          setMenu(null)
          focusList()
        }}
      >
        <MenuActions actions={actions.actionsFor(menuEntries)} />
      </ContextMenu>
      <AskedDialog
        asked={asked}
        work={work}
        isTaken={(name) => byName.has(name)}
        transfer={transfer}
        onClose={() => setAsked(null)}
      />
    </>
  )
}

function ListSkeleton() {
  return (
    <div className={classes['bones']} aria-busy="true">
      {Array.from({ length: 9 }, (_, index) => (
        <Skeleton key={index} height={20} width={`${[46, 30, 58, 38, 24, 52, 34, 42, 28][index]}%`} />
      ))}
    </div>
  )
}
