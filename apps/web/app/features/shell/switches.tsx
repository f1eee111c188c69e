import { useMantineColorScheme } from '@mantine/core'
import { IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLocation } from 'react-router'
import { languageNames, pathInLanguage } from '#app/i18n/languages.ts'
import { useUser } from '#app/features/session/use-user.ts'
import { switchLanguage } from '#app/i18n/remembered-language.ts'
import { useLanguage, useSpokenLanguages } from '#app/i18n/use-format.ts'
import { Dropdown } from '#app/ui/dropdown.tsx'
import classes from './switches.module.css'

/** The other theme; from then on the system is not followed any more. Other tabs follow. */
export function ThemeToggle() {
  const { t } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const toggle = () =>
    setColorScheme(document.documentElement.dataset['mantineColorScheme'] === 'dark' ? 'light' : 'dark')
  return (
    <button
      type="button"
      className={classes['icon']}
      onClick={toggle}
      aria-label={t('shell.switchTheme')}
      title={t('shell.switchTheme')}
    >
      <IconMoon size={18} className={classes['moon']} aria-hidden="true" />
      <IconSun size={18} className={classes['sun']} aria-hidden="true" />
    </button>
  )
}

/** The languages, under the one of this page. */
export function LanguageSwitch() {
  const { t } = useTranslation()
  const current = useLanguage()
  return (
    <Dropdown
      className={classes['languages']}
      summary={
        <>
          <IconLanguage size={18} aria-hidden="true" />
          <span className="visually-hidden">{t('shell.language')}</span>
          {current.toUpperCase()}
        </>
      }
    >
      <LanguageLinks />
    </Dropdown>
  )
}

/** Links to this page in each language; they also work without JavaScript. */
export function LanguageLinks() {
  const languages = useSpokenLanguages()
  const current = useLanguage()
  const user = useUser()
  const { pathname, search } = useLocation()
  return (
    <ul className={classes['links']}>
      {languages.map((language) => (
        <li key={language}>
          <a
            href={pathInLanguage(pathname, language) + search}
            hrefLang={language}
            lang={language}
            aria-current={language === current}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return
              event.preventDefault()
              if (user === null) switchLanguage(language)
              else
                void import('#app/features/session/change-language.ts').then(({ changeLanguage }) =>
                  changeLanguage(language, user),
                )
            }}
          >
            {languageNames[language]}
          </a>
        </li>
      ))}
    </ul>
  )
}
