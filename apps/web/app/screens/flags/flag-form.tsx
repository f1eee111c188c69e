import { Checkbox, Textarea, TextInput } from '@mantine/core'
import type { JsonFault } from '#app/features/admin/json-faults.ts'
import { languageNames } from '#app/i18n/languages.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useReasonText } from '#app/ui/reason-text.ts'
import type { FlagDraft, FlagField } from './flag-fields.ts'
import classes from './flags.module.css'

type Props = {
  fields: readonly FlagField[]
  draft: FlagDraft
  faults: readonly JsonFault[]
  onChange: (path: string, text: string) => void
}

/** A flag's value in fields of its own. */
export function FlagForm({ fields, draft, faults, onChange }: Props) {
  const { t } = useTranslation()
  const reasonText = useReasonText()
  return (
    <div className={classes['fields']} role="group" aria-label={t('flags.fields.group')}>
      {fields.map(({ path, kind, label, language }) => {
        const words = t(`flags.fields.${label}`)
        const value = draft[path] ?? ''
        if (kind === 'yes')
          return (
            <Checkbox
              key={path}
              label={words}
              checked={value === 'yes'}
              onChange={(event) => onChange(path, event.currentTarget.checked ? 'yes' : '')}
            />
          )
        // A fault may name an item of a list, or a whole group of fields that is missing.
        const isWrong = faults.some(
          ({ place }) => path === '' || `${place}.`.startsWith(`${path}.`) || path.startsWith(`${place}.`),
        )
        const common = {
          label: language === undefined ? words : `${words} · ${languageNames[language]}`,
          value,
          error: isWrong && reasonText(value.trim() === '' ? 'required' : 'invalid'),
          onChange: (event: { currentTarget: { value: string } }) => onChange(path, event.currentTarget.value),
          ...(language !== undefined && { lang: language }),
        }
        if (kind === 'line') return <TextInput key={path} autoComplete="off" {...common} />
        if (kind === 'time') return <TextInput key={path} type="datetime-local" {...common} />
        return <Textarea key={path} autosize minRows={kind === 'list' ? 4 : 2} {...common} />
      })}
    </div>
  )
}
