import { useMemo, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useRevalidator } from 'react-router'
import { countryCookie, currencyCookie } from '@wakestone/contract/countries'
import { forgetCookie, writePreferenceCookie } from '#app/i18n/cookies.ts'
import { useLanguage } from '#app/i18n/use-format.ts'
import { Modal } from '#app/ui/modal.tsx'
import classes from './country-chooser.module.css'
import { listCountries } from './list-countries.ts'

/** `Åland` is found by `aland`. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').replace(/ł/gi, 'l').toLowerCase()

/** Countries with a search. Choosing one has the page's prices loaded anew, in its currency and with its VAT. */
export default function CountryChooser({ current, onClose }: { current: string; onClose: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const countries = useMemo(() => listCountries(language), [language])
  const { revalidate } = useRevalidator()
  const [wanted, setWanted] = useState('')
  const words = plain(wanted.trim())
  const rankOf = ({ code, name }: { code: string; name: string }) =>
    code.toLowerCase() === words || plain(name).startsWith(words) ? 0 : plain(name).includes(words) ? 1 : 2
  const found = [0, 1].flatMap((rank) => countries.filter((country) => rankOf(country) === rank))
  const choose = (code: string) => {
    writePreferenceCookie(countryCookie, code)
    forgetCookie(currencyCookie)
    onClose()
    void revalidate()
  }
  return (
    <Modal opened onClose={onClose} title={t('country.title')}>
      <p className={classes['text']}>{t('country.text')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const [first] = found
          if (first !== undefined) choose(first.code)
        }}
      >
        <input
          type="search"
          className={classes['search']}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          placeholder={t('country.search')}
          aria-label={t('country.search')}
          autoComplete="off"
          data-autofocus
        />
      </form>
      <ul className={classes['list']}>
        {found.map(({ code, name }) => (
          <li key={code}>
            <button type="button" aria-current={code === current} onClick={() => choose(code)}>
              {name}
              <span aria-hidden="true">{code}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className={found.length === 0 ? classes['text'] : 'visually-hidden'} aria-live="polite">
        {found.length === 0 ? t('country.none') : ''}
      </p>
    </Modal>
  )
}
