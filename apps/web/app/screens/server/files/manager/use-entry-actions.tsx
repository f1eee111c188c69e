import {
  IconArrowsMove,
  IconClipboard,
  IconCopy,
  IconCut,
  IconDownload,
  IconEdit,
  IconEye,
  IconFileZip,
  IconFolderOpen,
  IconLock,
  IconPackageExport,
  IconPencil,
  IconRulerMeasure,
  IconTrash,
  IconTrashX,
} from '@tabler/icons-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { fileClipboard } from '../file-clipboard.ts'
import type { FileEntry } from '../file-entry.ts'
import { canUnpack } from '../file-kind.ts'
import { canMoveInto, joinPath } from '../paths.ts'
import { useFiles } from '../use-files.ts'
import type { FileWork } from '../use-file-work.ts'

/** What can be asked before something is done. */
export type Asked =
  | { kind: 'new-folder' | 'new-file' | 'fetch' }
  | { kind: 'move' | 'pack' | 'permissions' | 'remove'; entries: readonly FileEntry[] }
  | { kind: 'archive'; entry: FileEntry }
  | { kind: 'conflict'; from: readonly string[]; to: string; isCopy: boolean; names: readonly string[] }

export type EntryAction = {
  id: string
  label: string
  icon: ReactNode
  /** Shown beside it; the list listens to it. */
  keys?: string
  /** Why it cannot be done now. */
  why: string | undefined
  isDangerous?: true
  /** Stands apart from what is before it. */
  begins?: true
  run: () => void
}

type Options = {
  work: FileWork
  ask: (asked: Asked) => void
  rename: (entry: FileEntry) => void
  /** Asks first where something of that name is there. */
  transfer: (from: readonly string[], to: string, isCopy: boolean) => void
}

/** What can be done with entries that are chosen, in the order of menus; the same for toolbar, menu and keys. */
export function useEntryActions({ work, ask, rename, transfer }: Options) {
  const { t } = useTranslation()
  const { serverId, folder, why, openFolder, openFile } = useFiles()
  const clipboard = useSyncExternalStore(fileClipboard.subscribe, fileClipboard.get, fileClipboard.getInitial)
  const held = clipboard?.serverId === serverId ? clipboard : null

  const open = (entry: FileEntry) => {
    const path = joinPath(folder, entry.name)
    if (entry.type === 'folder') openFolder(path)
    else if (canUnpack(entry)) ask({ kind: 'archive', entry })
    else openFile(path)
  }
  const paste = (to = folder) => {
    if (held === null) return
    transfer(held.paths, to, !held.isCut)
    if (held.isCut) fileClipboard.set(null)
  }
  const pasteAction: EntryAction = {
    id: 'paste',
    label: t('files.do.paste'),
    icon: <IconClipboard />,
    keys: t('files.keys.ctrl', { key: 'V' }),
    why:
      why ??
      (held === null
        ? t('files.because.nothingToPaste')
        : held.isCut && !canMoveInto(held.paths, folder)
          ? t('files.because.cannotPaste')
          : undefined),
    run: () => paste(),
  }

  function actionsFor(entries: readonly FileEntry[]): EntryAction[] {
    const [first] = entries
    if (first === undefined) return [pasteAction]
    const isOne = entries.length === 1
    const paths = entries.map(({ name }) => joinPath(folder, name))
    const isFile = isOne && first.type !== 'folder'
    const hold = (isCut: boolean) => fileClipboard.set({ serverId, paths, isCut })
    const all: (EntryAction | false)[] = [
      isOne && {
        id: 'open',
        label: t(first.type === 'folder' ? 'files.do.open' : canUnpack(first) ? 'files.do.lookInto' : 'files.do.edit'),
        icon: first.type === 'folder' ? <IconFolderOpen /> : canUnpack(first) ? <IconEye /> : <IconEdit />,
        keys: t('files.keys.enter'),
        why: first.type === 'other' ? t('files.because.special') : undefined,
        run: () => open(first),
      },
      {
        id: 'download',
        label: t(isFile ? 'files.do.download' : 'files.do.downloadZip'),
        icon: <IconDownload />,
        why: undefined,
        run: () => void work.download(paths, isFile),
      },
      !isFile && {
        id: 'download-zst',
        label: t('files.do.downloadZst'),
        icon: <IconDownload />,
        why: undefined,
        run: () => void work.download(paths, false, 'tar.zst'),
      },
      {
        id: 'cut',
        label: t('files.do.cut'),
        icon: <IconCut />,
        keys: t('files.keys.ctrl', { key: 'X' }),
        why,
        begins: true,
        run: () => hold(true),
      },
      {
        id: 'copy',
        label: t('files.do.copy'),
        icon: <IconCopy />,
        keys: t('files.keys.ctrl', { key: 'C' }),
        why: undefined,
        run: () => hold(false),
      },
      pasteAction,
      {
        id: 'move',
        label: t('files.do.move'),
        icon: <IconArrowsMove />,
        why,
        begins: true,
        run: () => ask({ kind: 'move', entries }),
      },
      isOne && {
        id: 'rename',
        label: t('files.do.rename'),
        icon: <IconPencil />,
        keys: 'F2',
        why,
        run: () => rename(first),
      },
      isOne &&
        canUnpack(first) && {
          id: 'unpack',
          label: t('files.do.unpack'),
          icon: <IconPackageExport />,
          why,
          run: () => ask({ kind: 'archive', entry: first }),
        },
      entries.some(({ type }) => type === 'folder') && {
        id: 'measure',
        label: t('files.do.measure'),
        icon: <IconRulerMeasure />,
        why: undefined,
        run: () => void work.measure(paths),
      },
      { id: 'pack', label: t('files.do.pack'), icon: <IconFileZip />, why, run: () => ask({ kind: 'pack', entries }) },
      {
        id: 'permissions',
        label: t('files.do.permissions'),
        icon: <IconLock />,
        why,
        run: () => ask({ kind: 'permissions', entries }),
      },
      {
        id: 'trash',
        label: t('files.do.trash'),
        icon: <IconTrash />,
        keys: t('files.keys.delete'),
        why,
        begins: true,
        run: () => void work.trash(paths),
      },
      {
        id: 'remove',
        label: t('files.do.remove'),
        icon: <IconTrashX />,
        keys: t('files.keys.shiftDelete'),
        why,
        isDangerous: true,
        run: () => ask({ kind: 'remove', entries }),
      },
    ]
    return all.filter((action) => action !== false)
  }
  return { actionsFor, open, paste, pasteAction }
}
