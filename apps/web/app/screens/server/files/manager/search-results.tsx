import { Switch } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { pathOf } from '@wakestone/contract/client'
import type { SearchLine } from '@wakestone/contract/servers/file-values'
import { searchFiles } from '@wakestone/contract/servers/files-routes'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { FileIcon } from '../file-icon.tsx'
import classes from '../files.module.css'
import { folderOf, nameOf } from '../paths.ts'
import { readLines } from '#app/api/read-lines.ts'
import { useFiles } from '../use-files.ts'
import { useRows } from '../use-rows.ts'
import { finderOf } from './find-text.ts'

export type SearchPlace = 'names' | 'content'
type Found = { lines: SearchLine[]; state: 'running' | 'done' | 'stopped' | 'truncated'; error: unknown }

/** Found lines are shown this often, however fast they come. */
const showEvery = 150
const mostKept = 20_000
const rowHeight = 48

/** Looks through a folder and all below it; what is found is shown as it comes. */
type How = { matchCase: boolean; isRegex: boolean }

function useSearch(text: string, place: SearchPlace, { matchCase, isRegex }: How) {
  const { serverId, folder, hidden } = useFiles()
  const [found, setFound] = useState<Found>({ lines: [], state: 'running', error: undefined })
  const stop = useRef(() => {})
  useEffect(() => {
    const control = new AbortController()
    const lines: SearchLine[] = []
    const show = (state: Found['state'], error?: unknown) => setFound({ lines: [...lines], state, error })
    setFound({ lines: [], state: 'running', error: undefined })
    const timer = setInterval(() => show('running'), showEvery)
    stop.current = () => {
      control.abort()
      show('stopped')
    }
    const query = {
      path: folder,
      hidden: hidden ? '1' : '0',
      ...(place === 'names'
        ? { name: text }
        : { content: text, case: matchCase ? '1' : '0', regex: isRegex ? '1' : '0' }),
    } as const
    const run = async () => {
      const reading = readLines<SearchLine>(pathOf(searchFiles, { params: { id: serverId }, query }), control.signal)
      for (;;) {
        const { done, value } = await reading.next()
        if (done) return value
        lines.push(...value)
        if (lines.length >= mostKept) {
          await reading.return(true)
          return true
        }
      }
    }
    run()
      .then((isTruncated) => show(isTruncated ? 'truncated' : 'done'))
      .catch((error: unknown) => {
        if (!control.signal.aborted) show('stopped', error)
      })
      .finally(() => clearInterval(timer))
    return () => {
      clearInterval(timer)
      control.abort()
    }
  }, [serverId, folder, hidden, text, place, matchCase, isRegex])
  return { ...found, stop: () => stop.current() }
}

export function SearchResults({
  text,
  place,
  onPlace,
  onClose,
}: {
  text: string
  place: SearchPlace
  onPlace: (place: SearchPlace) => void
  onClose: () => void
}) {
  const { t } = useTranslation()
  // At once: the address follows.
  const [shown, setShown] = useState(place)
  useEffect(() => setShown(place), [place])
  const [how, setHow] = useState<How>({ matchCase: false, isRegex: false })
  const { lines, state, error, stop } = useSearch(text, shown, how)
  return (
    <div className={classes['search']}>
      <div className={classes['searchHead']}>
        <Segmented
          label={t('files.search.place')}
          options={[
            { value: 'names', label: t('files.search.names') },
            { value: 'content', label: t('files.search.content') },
          ]}
          value={shown}
          onChange={(value) => {
            setShown(value)
            onPlace(value)
          }}
        />
        {shown === 'content' && (
          <>
            <Switch
              size="sm"
              label={t('files.search.matchCase')}
              checked={how.matchCase}
              onChange={(event) => setHow({ ...how, matchCase: event.currentTarget.checked })}
            />
            <Switch
              size="sm"
              label={t('files.search.regex')}
              checked={how.isRegex}
              onChange={(event) => setHow({ ...how, isRegex: event.currentTarget.checked })}
            />
          </>
        )}
        <span role="status">
          {t(state === 'running' ? 'files.search.running' : 'files.search.found', { count: lines.length })}
          {state === 'truncated' && ` ${t('files.search.truncated')}`}
          {state === 'stopped' && error === undefined && ` ${t('files.search.stopped')}`}
        </span>
        {state === 'running' && (
          <Button size="small" onClick={stop}>
            {t('files.search.stop')}
          </Button>
        )}
        <Button size="small" look="quiet" icon={<IconX />} onClick={onClose}>
          {t('files.search.close')}
        </Button>
      </div>
      {error !== undefined && <ErrorNote error={error} />}
      {lines.length === 0 && state !== 'running' && error === undefined ? (
        <EmptyState title={t('files.search.none')} text={t('files.search.noneText', { text })} figure="none" />
      ) : (
        <Hits lines={lines} find={finderOf(text, shown === 'content' ? how : { matchCase: false, isRegex: false })} />
      )}
    </div>
  )
}

type Find = (line: string) => readonly [at: number, length: number] | undefined

function Hits({ lines, find }: { lines: readonly SearchLine[]; find: Find }) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const rows = useRows(box, { count: lines.length, height: rowHeight })
  return (
    <div ref={box} className={classes['hits']} role="region" aria-label={t('files.search.results')} tabIndex={0}>
      <ul style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => (
          <li key={index} style={{ transform: `translateY(${start}px)` }}>
            <Hit hit={lines[index]!} find={find} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Hit({ hit: [path, type, line, around], find }: { hit: SearchLine; find: Find }) {
  const { t } = useTranslation()
  const { folderLink, fileLink } = useFiles()
  const link = type === 'folder' ? folderLink(path) : `${fileLink(path)}${line === undefined ? '' : `&line=${line}`}`
  return (
    <Link to={link} className={classes['hit']}>
      <FileIcon entry={{ name: path, type }} size={16} />
      <span className={classes['hitWords']}>
        <span>
          <strong>{nameOf(path)}</strong> <small>{folderOf(path)}</small>
        </span>
        {around !== undefined && (
          <code>
            <span className={classes['hitLine']}>{t('files.search.line', { line: line ?? 0 })}</span>{' '}
            <Marked line={around} find={find} />
          </code>
        )}
      </span>
    </Link>
  )
}

/** A line with what was looked for marked. */
function Marked({ line, find }: { line: string; find: Find }) {
  const [at, length] = find(line) ?? [-1, 0]
  if (at < 0 || length === 0) return line
  return (
    <>
      {line.slice(0, at)}
      <mark>{line.slice(at, at + length)}</mark>
      {line.slice(at + length)}
    </>
  )
}
