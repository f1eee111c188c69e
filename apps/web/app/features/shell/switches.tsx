import { useMantineColorScheme } from '@mantine/core'
import { IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { languageNames, pathInLanguage } from '#app/i18n/languages.ts'
import { switchLanguage } from '#app/i18n/remembered-language.ts'
import { useLanguage, useSpokenLanguages } from '#app/i18n/use-format.ts'
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

/** A list of links, so that it also works without JavaScript. */
export function LanguageSwitch() {
  const languages = useSpokenLanguages()
  const { t } = useTranslation()
  const current = useLanguage()
  const { pathname, search } = useLocation()
  const box = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event) => {
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape'
      const isOutside = event.type === 'pointerdown' && !box.current?.contains(event.target as Node)
      if (box.current?.open && (isEscape || isOutside)) box.current.open = false
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('keydown', close)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('keydown', close)
    }
  }, [])
  return (
    <details ref={box} className={classes['languages']}>
      <summary>
        <IconLanguage size={18} aria-hidden="true" />
        <span className="visually-hidden">{t('shell.language')}</span>
        {current.toUpperCase()}
      </summary>
      <ul>
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
                switchLanguage(language)
              }}
            >
              {languageNames[language]}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
