import { IconSearch } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import classes from './doc-search.module.css'
import type { DocAudience } from './docs-contents.ts'
import type { FindSections, FoundSection, FoundSections } from './find-sections.ts'

const nothing: FoundSections = { own: [], others: [] }

type Props = {
  address: string
  audience?: DocAudience
  /** What is found takes a place of its own on the page, instead of lying over what is there. */
  isInPlace?: boolean
}

/** Finds sections of the documentation while one types. A combobox: the focus stays in the field. */
export function DocSearch({ address, audience, isInPlace = false }: Props) {
  const { t } = useTranslation()
  const path = usePath()
  const language = useLanguage()
  const navigate = useNavigate()
  const listId = useId()
  const { pathname, hash } = useLocation()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const [state, setState] = useState<FindSections | 'failed'>()
  const loading = useRef(false)

  function load(): void {
    if (loading.current) return
    loading.current = true
    void import('./find-sections.ts')
      .then(({ fetchIndex }) => fetchIndex(address, language))
      .then(
        (find) => setState(() => find),
        () => {
          loading.current = false
          setState('failed')
        },
      )
  }
  // What was looked for is found.
  useEffect(() => setTyped(''), [pathname, hash])

  const isOpen = typed.trim() !== ''
  const { own, others } = isOpen && typeof state === 'function' ? state(typed, audience) : nothing
  const found = [...own, ...others]
  const active = found[Math.min(chosen, found.length - 1)]
  const idOf = (section: FoundSection) => `${listId}-${found.indexOf(section)}`
  const go = (section: FoundSection) => void navigate(path(`/docs${section.id}`))
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      setChosen((chosen + step + found.length) % found.length)
    }
    if (event.key === 'Escape') setTyped('')
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (active !== undefined) go(active)
    }
  }
  const show = (section: FoundSection) => (
    <button
      key={section.id}
      type="button"
      id={idOf(section)}
      role="option"
      aria-selected={section === active}
      tabIndex={-1}
      className={classes['result']}
      {...(section.id.startsWith('/guide/') ? {} : { lang: 'en' })}
      onClick={() => go(section)}
    >
      <strong>
        {section.page}
        {section.heading !== '' && ` › ${section.heading}`}
      </strong>
      <span>{section.start}</span>
    </button>
  )
  return (
    <search className={classes['search']} data-searching={isOpen} data-in-place={isInPlace}>
      <div className={classes['field']}>
        <IconSearch size={17} aria-hidden="true" />
        <input
          type="search"
          value={typed}
          placeholder={t('docs.searchShort')}
          aria-label={t('docs.search')}
          role="combobox"
          aria-expanded={isOpen}
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={active && idOf(active)}
          autoComplete="off"
          spellCheck={false}
          onFocus={load}
          onChange={(event) => {
            load()
            setTyped(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <p className="visually-hidden" role="status">
        {isOpen && typeof state === 'function' && t('palette.found', { count: found.length })}
      </p>
      <div className={classes['results']} hidden={!isOpen}>
        {state === 'failed' ? (
          <p className={classes['none']}>{t('docs.searchFailed')}</p>
        ) : state === undefined ? (
          <p className={classes['none']}>{t('docs.searching')}</p>
        ) : (
          found.length === 0 && (
            <p className={classes['none']}>
              {t('docs.nothing', { typed: typed.trim() })} <Link to={path('/contact')}>{t('docs.contact')}</Link>
            </p>
          )
        )}
        <div id={listId} role="listbox" aria-label={t('docs.search')}>
          {own.map(show)}
          {others.length > 0 && (
            <div role="group" aria-labelledby={`${listId}-others`}>
              <p id={`${listId}-others`} className={classes['others']}>
                {t('docs.others')}
              </p>
              {others.map(show)}
            </div>
          )}
        </div>
      </div>
    </search>
  )
}
