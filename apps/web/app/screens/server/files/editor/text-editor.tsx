import type { EditorView } from '@codemirror/view'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconDeviceFloppy, IconDownload, IconHistory, IconSearch } from '@tabler/icons-react'
import { fileContent } from '@wakestone/contract/servers/files-transports'
import { getFileStat, listFileRevisions } from '@wakestone/contract/servers/files-routes'
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { answersOf, makeStale, transportQuery } from '#app/api/query-of.ts'
import { filesChanged } from '#app/features/servers/files-changed.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { isModifiedSince, readContent } from '../file-content.ts'
import { statQuery } from '../files-queries.ts'
import { nameOf } from '../paths.ts'
import { useFileWork } from '../use-file-work.ts'
import { useFiles } from '../use-files.ts'
import { CodeView, findInView, type Place } from './code-view.tsx'
import classes from './editor.module.css'
import type { Hint } from './hints.ts'
import { isChanged, type OpenText, openFilesOf } from './open-files.ts'
import { OtherFile } from './other-file.tsx'
import { EncodingFault, saveText } from './save-text.ts'
import { StatusLine } from './status-line.tsx'
import { decodeText } from './text-codec.ts'

const MergeEditor = lazy(() => import('./merge-editor.tsx'))
const Revisions = lazy(() => import('./revisions.tsx'))

const readText = async (serverId: string, path: string) => {
  const { bytes, revision } = await readContent(serverId, path)
  const decoded = decodeText(bytes)
  return decoded === undefined ? null : { ...decoded, revision }
}

/** A text file: read once and kept while it is open, with what was typed. `revision`: the one that the server has now. */
export default function TextEditor({
  path,
  line,
  revision,
}: {
  path: string
  line: number | null
  revision: string | null
}) {
  const { serverId } = useFiles()
  const files = openFilesOf(serverId)
  const open = useSyncExternalStore(files.subscribe, files.get, files.get).texts.get(path)
  const isStale = open !== undefined && revision !== null && open.revision !== revision
  // What nobody has typed into follows the file; the rest is kept until it is saved.
  const wantsReading = open === undefined || (isStale && !isChanged(open))
  const { data, error, refetch } = useQuery(
    transportQuery(
      fileContent,
      { params: { id: serverId }, query: { path, revision } },
      { read: () => readText(serverId, path), enabled: wantsReading, gcTime: 0 },
    ),
  )
  useEffect(() => {
    if (data == null || !wantsReading) return
    const { text: saved, codec, revision: read } = data
    const before = files.get().texts.get(path)
    // What was only touched, or saved by this very page, leaves the editor as it is.
    if (before?.saved === saved && !isChanged(before)) return files.update(path, { revision: read, codec })
    const generation = (before?.generation ?? 0) + 1
    files.keep(path, { saved, codec, revision: read, changed: undefined, kept: undefined, generation })
  }, [files, path, data, wantsReading])
  if (data === null) return <OtherFile path={path} />
  if (open === undefined)
    return error === null ? <Skeleton height="56vh" /> : <ErrorState error={error} onRetry={() => void refetch()} />
  return <Opened path={path} line={line} text={open} isStale={isStale && isChanged(open)} />
}

function Opened({
  path,
  line,
  text,
  isStale,
}: {
  path: string
  line: number | null
  text: OpenText
  isStale: boolean
}) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { serverId, why } = useFiles()
  const work = useFileWork()
  const files = openFilesOf(serverId)
  const view = useRef<EditorView | null>(null)
  const [place, setPlace] = useState<Place>({ line: 1, column: 1 })
  const [hint, setHint] = useState<Hint | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const [isSaved, setSaved] = useState(false)
  const [theirs, setTheirs] = useState<{ text: string; revision: string } | null>(null)
  const [showsRevisions, setShowsRevisions] = useState(false)
  const hasChanged = isChanged(text)

  const afterSaving = async () => {
    setSaved(true)
    await makeStale(queries, answersOf(getFileStat, { id: serverId }), answersOf(listFileRevisions, { id: serverId }))
    await filesChanged(queries, serverId)
  }
  const compare = async () => {
    const read = await readText(serverId, path)
    if (read !== null) setTheirs({ text: read.text, revision: read.revision })
  }
  const save = async (over?: string) => {
    if (busy || why !== undefined) return
    setBusy(true)
    setFailure(undefined)
    try {
      const stat = statQuery(serverId, path)
      await saveText(serverId, path, {
        over,
        onSaved: (written) => queries.setQueryData(stat.queryKey, (known) => known && { ...known, ...written }),
      })
      setTheirs(null)
      await afterSaving()
    } catch (error) {
      if (isModifiedSince(error)) await compare().catch(setFailure)
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const saving = useRef(save)
  saving.current = save
  useEffect(() => {
    // Wherever the focus is: the browser would save the page.
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
      event.preventDefault()
      void saving.current()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  /** Puts a text in the place of what is there, as if it had been typed. */
  const put = (next: string) => {
    files.update(path, { changed: next, kept: undefined, generation: text.generation + 1 })
    setShowsRevisions(false)
    setTheirs(null)
  }
  if (theirs !== null)
    return (
      <Suspense fallback={<Skeleton height="56vh" />}>
        <MergeEditor
          path={path}
          theirs={theirs.text}
          mine={text.changed ?? text.saved}
          busy={busy}
          failure={failure}
          onCancel={() => setTheirs(null)}
          onTheirs={() => {
            files.update(path, { saved: theirs.text, revision: theirs.revision })
            put(theirs.text)
          }}
          onSave={(merged) => {
            files.update(path, { changed: merged, kept: undefined, generation: text.generation + 1 })
            void save(theirs.revision)
          }}
        />
      </Suspense>
    )
  if (showsRevisions)
    return (
      <Suspense fallback={<Skeleton height="56vh" />}>
        <Revisions
          path={path}
          now={text.changed ?? text.saved}
          lineEnd={text.codec.lineEnd}
          onReturn={put}
          onClose={() => setShowsRevisions(false)}
        />
      </Suspense>
    )
  return (
    <>
      <div className={classes['tools']}>
        <code className={classes['path']}>{path}</code>
        <span role="status" className={classes['saved']}>
          {hasChanged ? t('files.editor.unsaved') : isSaved ? t('files.editor.saved') : ''}
        </span>
        <Button size="small" look="quiet" icon={<IconSearch />} onClick={() => findInView(view.current)}>
          {t('files.editor.find')}
        </Button>
        <Button size="small" look="quiet" icon={<IconHistory />} onClick={() => setShowsRevisions(true)}>
          {t('files.editor.revisions')}
        </Button>
        <Button size="small" look="quiet" icon={<IconDownload />} onClick={() => void work.download([path], true)}>
          {t('files.do.download')}
        </Button>
        <Button
          size="small"
          look="primary"
          icon={<IconDeviceFloppy />}
          loading={busy}
          why={why ?? (hasChanged ? undefined : t('files.editor.unchanged'))}
          onClick={() => void save()}
          title={t('files.keys.ctrl', { key: 'S' })}
        >
          {t('files.editor.save')}
        </Button>
      </div>
      {failure instanceof EncodingFault ? (
        <div className={classes['note']} role="alert">
          <p>{t('files.editor.encodingFault')}</p>
          <Button
            size="small"
            onClick={() => {
              files.update(path, { codec: { ...text.codec, encoding: 'utf-8' } })
              void save()
            }}
          >
            {t('files.editor.saveAsUtf8')}
          </Button>
        </div>
      ) : (
        failure !== undefined && <ErrorNote error={failure} title={t('files.editor.saveFailed')} />
      )}
      {isStale && (
        <div className={classes['note']} role="status">
          <p>{t('files.editor.changedMeanwhile')}</p>
          <Button size="small" onClick={() => void compare().catch(setFailure)}>
            {t('files.editor.compare')}
          </Button>
        </div>
      )}
      <CodeView
        key={text.generation}
        path={path}
        label={t('files.editor.content', { name: nameOf(path) })}
        text={text.changed ?? text.saved}
        lineEnd={text.codec.lineEnd}
        readOnly={why !== undefined}
        kept={text.kept}
        onLeave={(state) => files.update(path, { kept: state })}
        onChange={(read) => {
          setSaved(false)
          files.update(path, { changed: read() })
        }}
        onPlace={(next, hintOf) => {
          setPlace(next)
          setHint(hintOf(next.line))
        }}
        onSave={() => void save()}
        line={line}
        viewRef={view}
      />
      <StatusLine path={path} place={place} codec={text.codec} hint={hint} />
    </>
  )
}
