import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { languages } from '@wakestone/contract/values'
import { websiteNameSchema } from '@wakestone/contract/sales/craftum'
import { websiteCorners, websiteFonts, websiteLooks, type WebsiteTheme } from '@wakestone/contract/websites/content'
import { inLook } from '@wakestone/websites/looks'
import { showScene } from '@wakestone/websites/scene'
import { words } from '@wakestone/websites/words'
import { themeVariables } from '@wakestone/websites/theme'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import classes from './editor.module.css'
import type { Draft } from './use-draft.ts'

/** Name, colours, letters and languages of the whole website. */
export function LookPanel({ draft }: { draft: Draft }) {
  const { t } = useTranslation()
  const { content, setContent, name, setName } = draft
  const { theme } = content
  const change = (next: Partial<WebsiteTheme>) => setContent((old) => ({ ...old, theme: { ...old.theme, ...next } }))
  const own = themeVariables({ ...theme, accent: '' })['--accent'] ?? '#000000'
  return (
    <section className={classes['panel']} aria-label={t('websites.tabs.look')}>
      <h2 className={classes['head']}>{t('websites.tabs.look')}</h2>
      <TextInput
        label={t('websites.name')}
        value={name}
        maxLength={60}
        error={websiteNameSchema.safeParse(name).success ? undefined : t('websites.nameFault')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <LookChoice look={theme.look} onChange={(look) => change(inLook(theme, look))} />
      <div className={classes['accent']}>
        <label className={classes['adderLabel']}>
          <span>{t('websites.accent')}</span>
          <input
            type="color"
            className={classes['colour']}
            value={theme.accent === '' ? own : theme.accent}
            onChange={(event) => change({ accent: event.currentTarget.value.toLowerCase() })}
          />
        </label>
        <Button
          size="small"
          why={theme.accent === '' ? t('websites.accentIsOfLook') : undefined}
          onClick={() => change({ accent: '' })}
        >
          {t('websites.accentOfLook')}
        </Button>
      </div>
      <p className={classes['muted']}>{t('websites.accentHint')}</p>
      <NativeSelect
        label={t('websites.font')}
        value={theme.font}
        data={websiteFonts.map((value) => ({ value, label: t(`websites.fonts.${value}`) }))}
        onChange={(event) => change({ font: event.currentTarget.value as WebsiteTheme['font'] })}
      />
      <NativeSelect
        label={t('websites.corners')}
        value={theme.corners}
        data={websiteCorners.map((value) => ({ value, label: t(`websites.cornerKinds.${value}`) }))}
        onChange={(event) => change({ corners: event.currentTarget.value as WebsiteTheme['corners'] })}
      />
      <fieldset className={classes['group']}>
        <legend>{t('websites.languages')}</legend>
        <p className={classes['muted']}>{t('websites.languagesHint')}</p>
        {languages.map((language) => {
          const isOn = content.languages.includes(language)
          const isFirst = content.languages[0] === language
          return (
            <Checkbox
              key={language}
              label={
                isFirst ? t('websites.firstLanguage', { name: words[language].language }) : words[language].language
              }
              checked={isOn}
              disabled={isFirst}
              onChange={(event) => {
                const { checked } = event.currentTarget
                setContent((old) => ({
                  ...old,
                  languages: checked ? [...old.languages, language] : old.languages.filter((one) => one !== language),
                }))
              }}
            />
          )
        })}
      </fieldset>
    </section>
  )
}

/** Each look as it will be: its landscape in its colours. */
function LookChoice({
  look,
  onChange,
}: {
  look: WebsiteTheme['look']
  onChange: (look: WebsiteTheme['look']) => void
}) {
  const { t } = useTranslation()
  return (
    <fieldset className={classes['group']}>
      <legend>{t('websites.look')}</legend>
      <div className={classes['looks']}>
        {websiteLooks.map((value) => (
          <label key={value} className={classes['lookOf']}>
            <input
              type="radio"
              name="website-look"
              className="visually-hidden"
              checked={value === look}
              onChange={() => onChange(value)}
            />
            <span
              className={classes['lookScene']}
              style={themeVariables({ look: value, accent: '', font: 'sans', corners: 'soft' }) as React.CSSProperties}
            >
              {showScene(value)}
            </span>
            <span>{t(`websites.looks.${value}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
