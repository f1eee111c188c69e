import { IconChevronDown } from '@tabler/icons-react'
import { lazy, type MouseEvent, Suspense, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link, useLocation, useRouteLoaderData } from 'react-router'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import type { loader } from '#app/root.tsx'
import classes from './country-link.module.css'
import { useCountryName } from './use-country-name.ts'

const CountryChooser = lazy(() => import('./country-chooser.tsx'))

/**
 * The VAT in the prices, and the way to another country's. Without JavaScript it leads to a page of its own. Whoever is
 * signed in has the country of their account.
 */
export function CountryLink({ withName = false }: { withName?: boolean }) {
  const { t } = useTranslation()
  const path = usePath()
  const format = useFormat()
  const nameOf = useCountryName()
  const { pathname, search } = useLocation()
  const visitor = useRouteLoaderData<typeof loader>('root')?.location
  const [isOpen, setOpen] = useState(false)
  if (visitor == null) return null
  const rate = t('money.vat', { rate: format.percent(visitor.vat_rate) })
  if (visitor.source === 'account') return <span className={classes['vat']}>{rate}</span>
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    setOpen(true)
  }
  return (
    <>
      <Link
        to={path(`/country?back=${encodeURIComponent(pathname + search)}`)}
        rel="nofollow"
        className={classes['vat']}
        onClick={open}
      >
        {rate}
        <span className={withName ? undefined : 'visually-hidden'}>, {nameOf(visitor.country_code)}</span>
        <span className="visually-hidden">. {t('country.change')}</span>
        <IconChevronDown size={14} aria-hidden="true" />
      </Link>
      {/* Not in its place: the menu that it may be in closes, and would take it along. */}
      {isOpen &&
        createPortal(
          <Suspense>
            <CountryChooser current={visitor.country_code} onClose={() => setOpen(false)} />
          </Suspense>,
          document.body,
        )}
    </>
  )
}
