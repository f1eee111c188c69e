import { useCallback, useId, useMemo, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import classes from './chart.module.css'
import { dayMultiples, localOfUtc } from './day-axis.ts'
import { lineToken, Plot, type PlotColour, readToken } from './plot.tsx'

/** Pixels that the values beside the axis take. */
const VALUE_AXIS = 76

export type ChartSeries = { name: string; colour: PlotColour; values: readonly (number | null)[] }

/**
 * Values over time with axes, a legend that can switch a line off where there are
 * several, and what the pointer is on. For those who do not
 * see it, each line is summed up in a sentence.
 */
export function Chart({
  label,
  times,
  series,
  write,
  daily = false,
  limit = null,
  emptyText,
  height = 240,
}: {
  label: string
  /** Seconds since 1970, rising. */
  times: readonly number[]
  series: readonly ChartSeries[]
  /** A value in words, with its unit. */
  write: (value: number) => string
  /** The times are calendar days, which are their midnights in UTC; otherwise moments of one day. */
  daily?: boolean
  /** Top of the scale; null = what the values need. */
  limit?: number | null
  /** Said in place of the chart while nothing is known. */
  emptyText: string
  height?: number
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const titleId = useId()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [pointed, setPointed] = useState<{ index: number; left: number; isFar: boolean } | null>(null)
  const shown = useMemo(() => series.filter(({ name }) => !hidden.has(name)), [series, hidden])
  const data = useMemo(() => [times, ...shown.map(({ values }) => values)], [times, shown])
  const colourKey = shown.map(({ colour }) => colour).join()
  const writeTick = daily ? format.day : format.time
  const makeOptions = useCallback(
    (box: HTMLElement): ReturnType<Parameters<typeof Plot>[0]['makeOptions']> => {
      // Ticks whose labels would read the same are left out, such as all but one of an empty chart.
      const told = (_: unknown, ticks: number[]) =>
        ticks.map((tick, index) => (index > 0 && write(tick) === write(ticks[index - 1]!) ? null : tick))
      const axis = {
        stroke: readToken(box, 'muted'),
        font: `12px ${getComputedStyle(box).fontFamily}`,
        grid: { stroke: readToken(box, 'line'), width: 1 },
        ticks: { show: false },
      }
      return {
        padding: [8, 24, 0, 0],
        ...(daily && { tzDate: localOfUtc }),
        legend: { show: false },
        cursor: { y: false, points: { size: 8 }, drag: { x: false, y: false } },
        axes: [
          {
            ...axis,
            // Far enough below the lowest value beside it.
            size: 36,
            gap: 12,
            space: 72,
            grid: { show: false },
            ...(daily && { incrs: dayMultiples }),
            values: (_, ticks) => ticks.map((tick) => writeTick(tick * 1000)),
          },
          {
            ...axis,
            size: VALUE_AXIS,
            space: 40,
            values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : write(tick))),
            filter: told,
            grid: { ...axis.grid, filter: told },
          },
        ],
        scales: {
          x: { time: true },
          y: { range: (_, least, most) => [Math.min(least ?? 0, 0), Math.max(limit ?? 0, (most ?? 0) * 1.1, 1e-9)] },
        },
        series: [
          {},
          ...colourKey.split(',').map((colour) => ({
            stroke: readToken(box, lineToken(colour as PlotColour)),
            width: 2,
            points: { show: false },
          })),
        ],
        hooks: {
          setCursor: [
            (plot) => {
              const { idx, left } = plot.cursor
              setPointed(
                idx == null || left === undefined || left < 0
                  ? null
                  : { index: idx, left: left + VALUE_AXIS, isFar: left > plot.over.clientWidth / 2 },
              )
            },
          ],
        },
      }
    },
    [colourKey, daily, limit, write, writeTick],
  )
  const isEmpty = times.length === 0 || series.every(({ values }) => values.every((value) => value === null))
  const pointedTime = pointed === null ? undefined : times[pointed.index]
  const toggle = (name: string) => {
    const next = new Set(hidden)
    if (!next.delete(name)) next.add(name)
    setHidden(next)
  }
  return (
    <figure className={classes['chart']} aria-labelledby={titleId}>
      <figcaption className={classes['head']}>
        <span id={titleId} className={classes['title']}>
          {label}
        </span>
        <span className={classes['legend']}>
          {(series.length > 1 ? series : []).map(({ name, colour }) => (
            <button
              key={name}
              type="button"
              className={classes['key']}
              aria-pressed={!hidden.has(name)}
              disabled={!hidden.has(name) && shown.length === 1}
              onClick={() => toggle(name)}
            >
              <span style={{ background: `var(--${lineToken(colour)})` }} />
              {name}
            </button>
          ))}
        </span>
      </figcaption>
      <div className={classes['body']} style={{ height }}>
        {isEmpty ? (
          <p className={classes['empty']}>{emptyText}</p>
        ) : (
          <Plot
            key={colourKey}
            data={data}
            version={data}
            makeOptions={makeOptions}
            className={classes['plot'] ?? ''}
          />
        )}
        {pointed !== null && pointedTime !== undefined && (
          <div className={classes['tip']} style={{ left: pointed.left }} data-far={pointed.isFar} aria-hidden="true">
            <time>{daily ? format.day(pointedTime * 1000) : format.time(pointedTime * 1000, true)}</time>
            {shown.map(({ name, colour, values }) => {
              const value = values[pointed.index]
              return (
                <span key={name}>
                  <i style={{ background: `var(--${lineToken(colour)})` }} />
                  {name} <b>{value == null ? '–' : write(value)}</b>
                </span>
              )
            })}
          </div>
        )}
      </div>
      {!isEmpty && (
        <ul className="visually-hidden">
          {series.map(({ name, values }) => {
            const known = values.filter((value) => value !== null)
            return (
              <li key={name}>
                {known.length === 0
                  ? `${name}: –`
                  : t('chart.summary', {
                      name,
                      least: write(Math.min(...known)),
                      most: write(Math.max(...known)),
                      last: write(known.at(-1) ?? 0),
                    })}
              </li>
            )
          })}
        </ul>
      )}
    </figure>
  )
}
