import type { EditorView } from '@codemirror/view'
import { Switch } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconDownload, IconSearch } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { followContent, readContent } from '../file-content.ts'
import { nameOf } from '../paths.ts'
import { useFileWork } from '../use-file-work.ts'
import { useFiles } from '../use-files.ts'
import { CodeView, findInView } from './code-view.tsx'
import classes from './editor.module.css'
import { pieceBytes, wholeLines } from './pieces.ts'

/** More than this is not kept in sight: what is at the other end goes. */
const mostCharacters = 6 * 1024 * 1024
const reconnectAfter = 2000

/** The part of a file that is shown, in bytes. */
type Shown = { from: number; to: number; total: number }

/** A large file, read only, in pieces; a log from its end, and as it grows. */
export default function PiecesView({ path, size, isLog }: { path: string; size: number; isLog: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { serverId } = useFiles()
  const work = useFileWork()
  const view = useRef<EditorView | null>(null)
  const [first, setFirst] = useState<{ text: string; shown: Shown } | null>(null)
  const [shown, setShown] = useState<Shown>({ from: 0, to: 0, total: size })
  const [follows, setFollows] = useState(isLog)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)

  const read = useCallback(
    async (from: number, to: number) => {
      if (to <= from) return { text: '', from, to: from, total: from }
      const { bytes, total } = await readContent(serverId, path, { startByte: from, endByte: to - 1 })
      const end = from + bytes.length
      const whole = wholeLines(bytes, { isFirst: from === 0, isLast: end >= total })
      return {
        text: new TextDecoder().decode(bytes.subarray(whole.from, whole.to)),
        from: from + whole.from,
        to: from + whole.to,
        total,
      }
    },
    [serverId, path],
  )
  useEffect(() => {
    const from = isLog ? Math.max(0, size - pieceBytes) : 0
    read(from, Math.min(size, from + pieceBytes))
      .then(({ text, ...part }) => {
        setShown(part)
        setFirst({ text, shown: part })
      })
      .catch(setFailure)
    // The size is that of the moment when it was opened.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [read, isLog])

  const append = useCallback((text: string) => {
    const editor = view.current
    if (editor === null || text === '') return
    const { scrollTop, scrollHeight, clientHeight } = editor.scrollDOM
    const isAtEnd = scrollHeight - scrollTop - clientHeight < 40
    const over = Math.max(0, editor.state.doc.length + text.length - mostCharacters)
    const cut = over === 0 ? 0 : editor.state.doc.lineAt(Math.min(over, editor.state.doc.length)).to
    editor.dispatch({
      changes: [
        { from: 0, to: cut },
        { from: editor.state.doc.length, insert: text },
      ],
    })
    if (isAtEnd) editor.scrollDOM.scrollTop = editor.scrollDOM.scrollHeight
  }, [])

  const place = useRef(0)
  place.current = shown.to
  const isReady = first !== null
  useEffect(() => {
    if (!follows || !isReady) return
    const control = new AbortController()
    const decoder = new TextDecoder()
    const run = async () => {
      while (!control.signal.aborted) {
        try {
          await followContent(serverId, path, {
            from: place.current,
            signal: control.signal,
            onBytes: (bytes) => {
              append(decoder.decode(bytes, { stream: true }))
              setShown((before) => ({
                ...before,
                to: before.to + bytes.length,
                total: Math.max(before.total, before.to + bytes.length),
              }))
            },
          })
        } catch (error) {
          if (control.signal.aborted) return
          if (!(error instanceof TypeError)) {
            setFailure(error)
            setFollows(false)
            return
          }
        }
        await new Promise((resolve) => setTimeout(resolve, reconnectAfter))
      }
    }
    void run()
    return () => control.abort()
  }, [follows, isReady, serverId, path, append])
  useEffect(() => {
    const editor = view.current
    if (isReady && isLog && editor !== null) editor.scrollDOM.scrollTop = editor.scrollDOM.scrollHeight
  }, [isReady, isLog])

  const load = async (where: 'earlier' | 'later') => {
    setBusy(true)
    setFailure(undefined)
    try {
      const isEarlier = where === 'earlier'
      const part = isEarlier
        ? await read(Math.max(0, shown.from - pieceBytes), shown.from)
        : await read(shown.to, Math.min(shown.total, shown.to + pieceBytes))
      if (isEarlier) view.current?.dispatch({ changes: { from: 0, insert: part.text } })
      else append(part.text)
      setShown((before) => ({
        from: isEarlier ? part.from : before.from,
        to: isEarlier ? before.to : part.to,
        total: Math.max(part.total, before.total),
      }))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <div className={classes['tools']}>
        <code className={classes['path']}>{path}</code>
        <span className={classes['saved']}>{t(isLog ? 'files.editor.logReadOnly' : 'files.editor.largeReadOnly')}</span>
        <Button size="small" look="quiet" icon={<IconSearch />} onClick={() => findInView(view.current)}>
          {t('files.editor.find')}
        </Button>
        <Button size="small" look="quiet" icon={<IconDownload />} onClick={() => void work.download([path], true)}>
          {t('files.do.download')}
        </Button>
        {isLog && (
          <Switch
            label={t('files.editor.follow')}
            checked={follows}
            onChange={(event) => setFollows(event.currentTarget.checked)}
          />
        )}
      </div>
      {failure !== undefined && <ErrorNote error={failure} />}
      {first === null ? (
        failure === undefined && <Skeleton height="56vh" />
      ) : (
        <CodeView
          path={isLog ? 'a.log' : path}
          label={t('files.editor.content', { name: nameOf(path) })}
          text={first.text}
          lineEnd={'\n'}
          readOnly
          viewRef={view}
        />
      )}
      <div className={classes['status']}>
        {shown.from > 0 && (
          <Button size="small" icon={<IconArrowUp />} loading={busy} onClick={() => void load('earlier')}>
            {t('files.editor.earlier')}
          </Button>
        )}
        {!follows && shown.to < shown.total && (
          <Button size="small" icon={<IconArrowDown />} loading={busy} onClick={() => void load('later')}>
            {t('files.editor.later')}
          </Button>
        )}
        <p className={classes['hint']} />
        <span>
          {t('files.editor.part', {
            from: format.bytes(shown.from),
            to: format.bytes(shown.to),
            total: format.bytes(Math.max(shown.total, shown.to)),
          })}
        </span>
      </div>
    </>
  )
}
