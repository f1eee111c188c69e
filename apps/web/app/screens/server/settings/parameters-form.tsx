import { NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { RouteResult } from '@wakestone/contract/route'
import { descriptionLength, parametersSchema, sleepLevels } from '@wakestone/contract/servers/parameters'
import { changeServerParameters, type getServerParameters } from '@wakestone/contract/servers/parameters-routes'
import { getServer } from '@wakestone/contract/servers/servers-routes'
import { runsOnJava, type Server } from '@wakestone/contract/servers/server'
import { languages } from '@wakestone/contract/values'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './settings.module.css'

const languageNames = { en: 'English', pl: 'Polski', de: 'Deutsch' } as const

/** Name, description, language, sleep and start flags, saved together. */
export function ParametersForm({ server, shown }: { server: Server; shown: RouteResult<typeof getServerParameters> }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const { plan_sleep, ...initial } = shown
  const form = useZodForm(parametersSchema, initial)
  const [isDone, setDone] = useState(false)
  const { sleep, start_flags: flags } = form.values
  const [flagText, setFlagText] = useState(flags.join('\n'))
  const submit = form.submit(async (body) => {
    setDone(false)
    await api(changeServerParameters, { params: { id: server.id }, body })
    setDone(true)
    await makeStale(queries, answersOf(getServer, { id: server.id }))
  })
  return (
    <Card title={t('settings.basics')}>
      <form className={classes['form']} noValidate onSubmit={submit}>
        <TextInput label={t('settings.name')} {...form.field('name')} />
        <Textarea
          label={t('settings.description')}
          description={t('settings.descriptionHint', { count: descriptionLength })}
          autosize
          minRows={2}
          {...form.field('description')}
        />
        <NativeSelect
          label={t('settings.language')}
          description={t('settings.languageHint')}
          value={form.values.language}
          data={languages.map((value) => ({ value, label: languageNames[value] }))}
          onChange={(event) => form.set('language', event.currentTarget.value as 'en')}
        />
        <fieldset className={classes['fieldset']}>
          <legend>{t('settings.sleep')}</legend>
          <p className={classes['text']}>{t('settings.sleepHint')}</p>
          <div className={classes['pair']}>
            {sleepLevels.map((level) => {
              const latest = plan_sleep[level]
              return (
                <NumberInput
                  key={level}
                  label={t(`settings.sleepLevel.${level}`)}
                  description={
                    <>
                      {t(`settings.sleepLevelText.${level}`)}
                      <br />
                      {latest === null
                        ? t('settings.planNever')
                        : t('settings.planAfter', { duration: format.duration(latest * 60) })}
                    </>
                  }
                  placeholder={t('settings.asPlan')}
                  min={1}
                  {...(latest !== null && { max: latest })}
                  allowDecimal={false}
                  hideControls
                  suffix=" min"
                  value={sleep[level] ?? ''}
                  onChange={(value) => form.set('sleep', { ...sleep, [level]: value === '' ? null : Number(value) })}
                />
              )
            })}
          </div>
        </fieldset>
        {runsOnJava(server.parameters.engine) && (
          <Textarea
            id="start_flags"
            label={t('settings.flags')}
            description={t('settings.flagsHint')}
            autosize
            minRows={2}
            spellCheck={false}
            value={flagText}
            error={form.errorOf('start_flags')}
            onChange={(event) => {
              setFlagText(event.currentTarget.value)
              form.set('start_flags', linesOf(event.currentTarget.value))
            }}
            onBlur={() => form.check('start_flags')}
          />
        )}
        {form.failure !== undefined && <ErrorNote error={form.failure} />}
        <p aria-live="polite" className={classes['done']} hidden={!isDone}>
          {isDone && t('settings.saved')}
        </p>
        <Button type="submit" look="primary" loading={form.busy}>
          {t('settings.save')}
        </Button>
      </form>
    </Card>
  )
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
