import { Textarea } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { type FlagRule, flagRuleSchema, flags, mostFlagRules } from '@wakestone/contract/site/flags'
import type { FlagState } from '@wakestone/contract/site/flags-routes'
import { z } from 'zod'
import { type JsonFault, readJson } from '#app/features/admin/json-faults.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useTimeZone } from '#app/i18n/use-format.ts'
import { draftOf, flagFields, valueOf } from './flag-fields.ts'
import { FlagForm } from './flag-form.tsx'
import classes from './flags.module.css'
import { useChangeFlag } from './flag-queries.ts'
import { type RuleDraft, ruleDraftOf, ruleOf } from './rule-fields.ts'
import { RuleList } from './rule-list.tsx'

const write = (value: unknown) => JSON.stringify(value, null, 2)

function Faults({ faults }: { faults: readonly JsonFault[] }) {
  return faults.map(({ place, reason }) => (
    <span key={place + reason} className={classes['fault']}>
      {place !== '' && <code>{place}</code>} {reason}
    </span>
  ))
}

/**
 * Value of a flag in fields, and as JSON for those who would rather; its rules in fields. Both are checked by the contract as
 * they are typed, and by the server as they are saved.
 */
export function FlagEditor({
  flag,
  title,
  beside,
}: {
  flag: FlagState
  /** What people call it, where it is shown as something else than a flag. */
  title?: string
  beside: ReactNode
}) {
  const { t } = useTranslation()
  const timeZone = useTimeZone()
  const fields = flagFields[flag.key]
  const [value, setValue] = useState(() => write(flag.value))
  const [draft, setDraft] = useState(() => draftOf(fields, flag.value, timeZone))
  const draftsOf = (list: readonly FlagRule[]) => list.map((rule) => ruleDraftOf(fields, rule, timeZone))
  const writeRules = (drafts: readonly RuleDraft[]) => write(drafts.map((rule) => ruleOf(fields, rule, timeZone)))
  const [rules, setRules] = useState(() => draftsOf(flag.rules))
  const change = useChangeFlag()
  const { schema } = flags[flag.key]
  const readValue = readJson(value, schema as z.ZodType<z.core.util.JSONType>)
  const readRules = readJson(
    writeRules(rules),
    z.array(flagRuleSchema.and(z.object({ value: schema }))).max(mostFlagRules),
  )
  const isChanged = value !== write(flag.value) || writeRules(rules) !== writeRules(draftsOf(flag.rules))
  const isWrong = 'faults' in readValue || 'faults' in readRules

  const type = (path: string, text: string) => {
    const next = { ...draft, [path]: text }
    setDraft(next)
    setValue(write(valueOf(fields, next, timeZone)))
  }
  const typeJson = (text: string) => {
    setValue(text)
    const read = readJson(text, z.json())
    if ('value' in read) setDraft(draftOf(fields, read.value, timeZone))
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if ('faults' in readValue || 'faults' in readRules) return
    change.mutate(
      { key: flag.key, change: { value: readValue.value, rules: readRules.value } },
      {
        onSuccess: (saved) => {
          setValue(write(saved.value))
          setDraft(draftOf(fields, saved.value, timeZone))
          setRules(draftsOf(saved.rules))
        },
      },
    )
  }
  return (
    <Card title={title ?? <code>{flag.key}</code>} beside={<div className={classes['beside']}>{beside}</div>}>
      <form className={classes['form']} onSubmit={save}>
        <p>{t(`flags.descriptions.${flag.key}`)}</p>
        {flag.default !== null && (
          <p className={classes['muted']}>
            {t('flags.default')} <code>{JSON.stringify(flag.default)}</code>
          </p>
        )}
        {title === undefined && <p className={classes['muted']}>{t('flags.valueHint')}</p>}
        <FlagForm
          fields={fields}
          draft={draft}
          faults={'faults' in readValue ? readValue.faults : []}
          onChange={type}
        />
        <details className={classes['example']}>
          <summary>{t('flags.value')}</summary>
          <Textarea
            autosize
            spellCheck={false}
            autoCapitalize="none"
            classNames={{ input: classes['code'] ?? '' }}
            name="value"
            aria-label={t('flags.value')}
            minRows={3}
            value={value}
            onChange={(event) => typeJson(event.currentTarget.value)}
            error={'faults' in readValue && <Faults faults={readValue.faults} />}
          />
        </details>
        <RuleList
          fields={fields}
          rules={rules}
          faults={'faults' in readRules ? readRules.faults : []}
          onChange={setRules}
          onAdd={() => setRules([...rules, ruleDraftOf(fields, { value: flag.default }, timeZone)])}
        />
        {change.error !== null && <ErrorNote error={change.error} title={faultsOf(change.error)} />}
        <div className={classes['actions']}>
          <Button
            type="submit"
            look="primary"
            loading={change.isPending}
            why={isWrong ? t('flags.whyWrong') : isChanged ? undefined : t('flags.whySame')}
          >
            {t('flags.save')}
          </Button>
          <span aria-live="polite">{change.isSuccess && !isChanged && t('flags.saved')}</span>
        </div>
      </form>
    </Card>
  )
}

/** Which places the server refuses. */
function faultsOf(error: unknown): string {
  return Object.entries(errorBodyOf(error)?.fields ?? {})
    .map(([place, reason]) => `${place}: ${reason}`)
    .join('; ')
}
