import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { changeLanguage } from '#app/features/session/change-language.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { languageNames, type Language } from '#app/i18n/languages.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useSpokenLanguages } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import classes from './account.module.css'

/** The language of panel and mails, and the clock that times in mails follow. */
export function LanguageSection() {
  const { t } = useTranslation()
  const user = useSignedInUser()
  const languages = useSpokenLanguages()
  const [chosen, setChosen] = useState(user.language)
  const change = (language: Language) => {
    setChosen(language)
    void changeLanguage(language, user)
  }
  return (
    <Card title={t('account.language')} id="language">
      <div className={classes['form']}>
        <NativeSelect
          label={t('account.languageLabel')}
          description={
            user.time_zone === null ? undefined : t('account.timesHint', { zone: user.time_zone.replaceAll('_', ' ') })
          }
          data={languages.map((language) => ({ value: language, label: languageNames[language] }))}
          value={chosen}
          onChange={(event) => change(event.currentTarget.value as Language)}
        />
      </div>
    </Card>
  )
}
