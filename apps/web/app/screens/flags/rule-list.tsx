import { Checkbox, MultiSelect, Textarea, TextInput } from '@mantine/core'
import { languages } from '@wakestone/contract/primitives'
import { mostFlagRules } from '@wakestone/contract/site/flags'
import { useMemo } from 'react'
import type { JsonFault } from '#app/features/admin/json-faults.ts'
import { listCountries } from '#app/features/location/list-countries.ts'
import { languageNames } from '#app/i18n/languages.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { useReasonText } from '#app/ui/reason-text.ts'
import type { FlagField } from './flag-fields.ts'
import { FlagForm } from './flag-form.tsx'
import classes from './flags.module.css'
import { move, type RuleDraft } from './rule-fields.ts'

type Props = {
  fields: readonly FlagField[]
  rules: readonly RuleDraft[]
  /** By place in the list: `0.users.1`. */
  faults: readonly JsonFault[]
  onChange: (rules: RuleDraft[]) => void
  onAdd: () => void
}

/** The rules of a flag, in the order in which they are tried. */
export function RuleList({ fields, rules, faults, onChange, onAdd }: Props) {
  const { t } = useTranslation()
  return (
    <div className={classes['rules']} role="group" aria-label={t('flags.rules')}>
      <h3>{t('flags.rules')}</h3>
      <p className={classes['muted']}>{t(rules.length === 0 ? 'flags.noRules' : 'flags.rulesHint')}</p>
      <ol className={classes['ruleList']}>
        {rules.map((rule, index) => (
          <li key={rule.key} className={classes['rule']}>
            <div className={classes['ruleHead']}>
              <h4>{t('flags.rule.title', { number: index + 1 })}</h4>
              {rules.length > 1 && (
                <>
                  <Button
                    size="small"
                    look="quiet"
                    why={index === 0 ? t('flags.rule.isFirst') : undefined}
                    onClick={() => onChange(move(rules, index, index - 1))}
                  >
                    {t('flags.rule.up')}
                  </Button>
                  <Button
                    size="small"
                    look="quiet"
                    why={index === rules.length - 1 ? t('flags.rule.isLast') : undefined}
                    onClick={() => onChange(move(rules, index, index + 1))}
                  >
                    {t('flags.rule.down')}
                  </Button>
                </>
              )}
              <Button size="small" look="quiet" onClick={() => onChange(rules.toSpliced(index, 1))}>
                {t('flags.rule.remove')}
              </Button>
            </div>
            <RuleFields
              fields={fields}
              rule={rule}
              faults={faultsIn(faults, String(index))}
              onChange={(changed) => onChange(rules.toSpliced(index, 1, changed))}
            />
          </li>
        ))}
      </ol>
      <Button
        onClick={onAdd}
        why={rules.length >= mostFlagRules ? t('flags.rule.enough', { most: mostFlagRules }) : undefined}
      >
        {t('flags.rule.add')}
      </Button>
    </div>
  )
}

/** @returns what is wrong with a part, its places told from there */
const faultsIn = (faults: readonly JsonFault[], part: string): JsonFault[] =>
  faults
    .filter(({ place }) => place === part || place.startsWith(`${part}.`))
    .map(({ place, reason }) => ({ place: place.slice(part.length + 1), reason }))

type RuleProps = Pick<Props, 'fields' | 'faults'> & { rule: RuleDraft; onChange: (rule: RuleDraft) => void }

function RuleFields({ fields, rule, faults, onChange }: RuleProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const reasonText = useReasonText()
  const countryData = useMemo(
    () => listCountries(language).map(({ code, name }) => ({ value: code, label: name })),
    [language],
  )
  const invalid = (part: keyof RuleDraft) => faultsIn(faults, part).length > 0 && reasonText('invalid')
  const lacksCondition = faults.some(({ place }) => place === '')
  return (
    <div className={classes['fields']}>
      <MultiSelect
        label={t('flags.rule.countries')}
        data={countryData}
        value={rule.countries}
        onChange={(countries) => onChange({ ...rule, countries })}
        searchable
        classNames={{ inputField: classes['typed'] ?? '' }}
        hidePickedOptions
        nothingFoundMessage={t('flags.rule.noCountry')}
      />
      <Checkbox.Group
        label={t('flags.rule.languages')}
        value={rule.languages}
        onChange={(chosen) => onChange({ ...rule, languages: chosen })}
      >
        <div className={classes['choices']}>
          {languages.map((code) => (
            <Checkbox key={code} value={code} label={languageNames[code]} lang={code} />
          ))}
        </div>
      </Checkbox.Group>
      <Textarea
        label={t('flags.rule.users')}
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        value={rule.users}
        onChange={(event) => onChange({ ...rule, users: event.currentTarget.value })}
        error={invalid('users')}
      />
      <TextInput
        label={t('flags.rule.percentage')}
        inputMode="decimal"
        autoComplete="off"
        value={rule.percentage}
        onChange={(event) => onChange({ ...rule, percentage: event.currentTarget.value })}
        error={invalid('percentage')}
      />
      {lacksCondition && <p className={classes['lacks']}>{t('flags.rule.condition')}</p>}
      <h5>{t('flags.rule.value')}</h5>
      <FlagForm
        fields={fields}
        draft={rule.value}
        faults={faultsIn(faults, 'value')}
        onChange={(path, text) => onChange({ ...rule, value: { ...rule.value, [path]: text } })}
      />
    </div>
  )
}
