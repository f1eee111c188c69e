import { IconArrowDown, IconCopy, IconMaximize, IconMinimize, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useCopy } from '#app/ui/use-copy.ts'
import { ConsoleInput } from './console-input.tsx'
import { ConsoleLines } from './console-lines.tsx'
import { timeOfDay } from './console-row.tsx'
import { ConsoleSearchBar } from './console-search-bar.tsx'
import classes from './console.module.css'
import { createLineView } from './line-view.ts'
import { type Match, stepMatch } from './search.ts'
import type { ServerStream } from './server-stream.ts'

type Props = {
  serverId: string
  stream: ServerStream
  /** Whether a game runs that could write something. */
  isUp: boolean
  /** Why no command can be typed; null = one can. */
  closedBecause: string | null
}

const zero = () => 0

/** The console of one server: output, find, copy, full screen, commands. */
export function ConsolePanel({ serverId, stream, isUp, closedBecause }: Props) {
  const { t } = useTranslation()
  const panelRef = useRef<HTMLElement>(null)
  const scrollerRef = useRef<HTMLDivElement>(null)
  const view = useMemo(() => createLineView(stream.lines), [stream])
  const linesVersion = useSyncExternalStore(stream.subscribe, stream.linesVersion, zero)
  const connection = useSyncExternalStore(stream.subscribe, stream.connection, stream.connection)
  const [isFollowing, setFollowing] = useState(true)
  const [seenUntil, setSeenUntil] = useState(0)
  const [isSearching, setSearching] = useState(false)
  const [needle, setNeedle] = useState('')
  const [current, setCurrent] = useState<Match | null>(null)
  const [isFull, setFull] = useState(false)
  const { copied, copy } = useCopy()

  // Every change of the needle is a version of its own: the lines are looked through anew.
  const searchVersion = useRef({ needle: '', version: 0 })
  if (searchVersion.current.needle !== needle) {
    view.search.setNeedle(needle)
    view.search.update(stream.lines)
    searchVersion.current = { needle, version: searchVersion.current.version + 1 }
  }
  const version = linesVersion + searchVersion.current.version
  const newest = stream.lines.dropped() + stream.lines.size()
  const unread = isFollowing ? 0 : Math.max(0, newest - seenUntil)

  const follow = useCallback(
    (next: boolean) => {
      if (!next) setSeenUntil((old) => Math.max(old, stream.lines.dropped() + stream.lines.size()))
      setFollowing(next)
    },
    [stream],
  )
  const goTo = useCallback(
    (match: Match | null) => {
      setCurrent(match)
      const scroller = scrollerRef.current
      if (match === null || scroller === null) return
      follow(false)
      const index = match.key - stream.lines.dropped()
      const rowHeight = scroller.scrollHeight / Math.max(1, view.layout.rows())
      // After the state has settled: leaving the end must not be overruled by the following it leaves.
      requestAnimationFrame(() =>
        scroller.scrollTo({ top: Math.max(0, view.layout.rowOf(index) * rowHeight - scroller.clientHeight / 2) }),
      )
    },
    [follow, stream, view],
  )
  const step = useCallback(
    (direction: 1 | -1) => goTo(stepMatch(view.search.matches(), current, direction)),
    [current, goTo, view],
  )
  const closeSearch = useCallback(() => {
    setSearching(false)
    setNeedle('')
    setCurrent(null)
    scrollerRef.current?.focus()
  }, [])
  const onNeedle = (next: string) => {
    setNeedle(next)
    view.search.setNeedle(next)
    view.search.update(stream.lines)
    goTo(stepMatch(view.search.matches(), null, -1))
  }

  useEffect(() => {
    const onChange = () => setFull(document.fullscreenElement === panelRef.current && panelRef.current !== null)
    document.addEventListener('fullscreenchange', onChange)
    return () => document.removeEventListener('fullscreenchange', onChange)
  }, [])
  const toggleFull = async () => {
    if (document.fullscreenElement !== null) return document.exitFullscreen()
    // Phones that have no full screen for elements get the panel over the whole page instead.
    if (isFull || panelRef.current?.requestFullscreen === undefined) return setFull(!isFull)
    return panelRef.current.requestFullscreen().catch(() => setFull(true))
  }
  const copyLog = () => {
    const texts: string[] = []
    for (let index = 0; index < stream.lines.size(); index += 1) {
      const entry = stream.lines.at(index)
      if (entry === undefined) break
      texts.push(
        `${timeOfDay(entry.time)} ${entry.tone === 'gap' ? t('console.missing', { count: entry.missing }) : entry.text}`,
      )
    }
    copy(texts.join('\n'))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') {
      event.preventDefault()
      setSearching(true)
    } else if (event.key === 'Escape' && isFull && document.fullscreenElement === null) setFull(false)
  }

  const matches = view.search.matches()
  const place =
    current === null ? 0 : matches.findIndex((match) => match.key === current.key && match.from === current.from) + 1
  return (
    <section
      ref={panelRef}
      className={classes.panel}
      data-full={isFull || undefined}
      aria-label={t('console.title')}
      onKeyDown={onKeyDown}
    >
      <header className={classes.header}>
        <h2 className={classes.title}>{t('console.title')}</h2>
        <span
          className={classes.connection}
          data-state={connection.state === 'live' && !isUp ? 'off' : connection.state}
          role="status"
        >
          {connection.state === 'live' && !isUp
            ? t('console.connection.off')
            : connection.state === 'reconnecting'
              ? t(`console.connection.${connection.because}`)
              : connection.state === 'ended'
                ? t(`console.ended.${connection.because}`)
                : t(`console.connection.${connection.state}`)}
        </span>
        {connection.state === 'reconnecting' && (
          <button type="button" className={classes.tool} onClick={stream.retryNow}>
            {t('console.retryNow')}
          </button>
        )}
        <span className={classes.tools}>
          <button
            type="button"
            className={classes.tool}
            aria-pressed={isSearching}
            onClick={() => (isSearching ? closeSearch() : setSearching(true))}
          >
            <IconSearch size={16} aria-hidden />
            <span className={classes.toolText}>{t('console.find')}</span>
          </button>
          <button type="button" className={classes.tool} disabled={stream.lines.size() === 0} onClick={copyLog}>
            <IconCopy size={16} aria-hidden />
            <span className={classes.toolText}>{copied ? t('console.copied') : t('console.copy')}</span>
          </button>
          <button type="button" className={classes.tool} aria-pressed={isFull} onClick={toggleFull}>
            {isFull ? <IconMinimize size={16} aria-hidden /> : <IconMaximize size={16} aria-hidden />}
            <span className={classes.toolText}>{isFull ? t('console.leaveFullScreen') : t('console.fullScreen')}</span>
          </button>
        </span>
      </header>
      {isSearching && (
        <ConsoleSearchBar
          needle={needle}
          count={matches.length}
          place={place}
          onNeedle={onNeedle}
          onStep={step}
          onClose={closeSearch}
        />
      )}
      <div className={classes.body}>
        <ConsoleLines
          view={view}
          version={version}
          current={current}
          isFollowing={isFollowing}
          onFollow={follow}
          scrollerRef={scrollerRef}
        />
        {stream.lines.size() === 0 && (
          <p className={classes.nothing}>{connection.state === 'live' ? t('console.empty') : t('console.loading')}</p>
        )}
        {!isFollowing && (
          <button type="button" className={classes.toEnd} onClick={() => follow(true)}>
            <IconArrowDown size={16} aria-hidden />
            {unread > 0 ? t('console.unread', { count: unread }) : t('console.toEnd')}
          </button>
        )}
      </div>
      <ConsoleInput serverId={serverId} closedBecause={closedBecause} send={stream.send} />
    </section>
  )
}
