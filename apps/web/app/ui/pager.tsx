import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link } from 'react-router'
import { useFormat } from '#app/i18n/use-format.ts'
import classes from './pager.module.css'
import { readAfter, readPage, useTableAddress } from './table-address.ts'

/** Newer and older pages of a list that is loaded page by page. `next` is the id of the last row, when it goes on. */
export function KeysetPager({
  next,
  shown,
  size,
  count,
  isAtLeast = false,
}: {
  next: string | undefined
  /** Rows on this page. */
  shown: number
  /** Rows on a full page. */
  size: number
  /** Rows in all. */
  count: number | undefined
  /** There are as many or more: nobody counted on. */
  isAtLeast?: boolean
}) {
  const { t } = useTranslation()
  const { search, to } = useTableAddress()
  const before = readAfter(search)
  const first = before.length * size + 1
  const last = first + shown - 1
  return (
    <PagerLine
      label={shown === 0 ? undefined : { first, last, count: Math.max(count ?? 0, last), isAtLeast }}
      back={
        before.length === 0 ? undefined : { to: to({ after: before.slice(0, -1).join('.') }), text: t('table.newer') }
      }
      on={next === undefined ? undefined : { to: to({ after: [...before, next].join('.') }), text: t('table.older') }}
    />
  )
}

/** Pages of a list that is loaded whole. */
export function Pager({ size, count }: { size: number; count: number }) {
  const { t } = useTranslation()
  const { search, to } = useTableAddress()
  const page = Math.min(readPage(search), Math.max(1, Math.ceil(count / size)))
  return (
    <PagerLine
      label={{ first: (page - 1) * size + 1, last: Math.min(page * size, count), count }}
      back={
        page === 1 ? undefined : { to: to({ page: page === 2 ? null : String(page - 1) }), text: t('table.previous') }
      }
      on={page * size >= count ? undefined : { to: to({ page: String(page + 1) }), text: t('table.next') }}
    />
  )
}

type Way = { to: string; text: string } | undefined

function PagerLine({
  label,
  back,
  on,
}: {
  label: { first: number; last: number; count: number; isAtLeast?: boolean } | undefined
  back: Way
  on: Way
}) {
  const { t } = useTranslation()
  const format = useFormat()
  // A list of one page needs none.
  if (back === undefined && on === undefined) return null
  return (
    <nav className={classes['pager']} aria-label={t('table.pages')}>
      <span className={classes['place']}>
        {label !== undefined &&
          t('table.place', {
            first: format.number(label.first),
            last: format.number(label.last),
            all: `${format.number(label.count)}${label.isAtLeast === true ? '+' : ''}`,
          })}
      </span>
      <PagerLink way={back} rel="prev">
        <IconChevronLeft size={16} aria-hidden="true" />
        {back?.text ?? ''}
      </PagerLink>
      <PagerLink way={on} rel="next">
        {on?.text ?? ''}
        <IconChevronRight size={16} aria-hidden="true" />
      </PagerLink>
    </nav>
  )
}

function PagerLink({ way, rel, children }: { way: Way; rel: 'prev' | 'next'; children: React.ReactNode }) {
  if (way === undefined) return null
  return (
    <Link to={way.to} rel={rel} className={classes['link']} preventScrollReset>
      {children}
    </Link>
  )
}
