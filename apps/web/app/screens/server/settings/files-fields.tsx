import { Checkbox, Textarea } from '@mantine/core'
import { useTranslation } from '#app/i18n/texts.tsx'

/** What stays when files are deleted: a path per line. */
export function KeptField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation()
  return (
    <Textarea
      label={t('engine.kept')}
      description={t('engine.keptHint')}
      autosize
      minRows={2}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** Whether a copy is kept to go back to. */
export function CopyField({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const { t } = useTranslation()
  return (
    <Checkbox
      label={t('engine.copy')}
      description={t('engine.copyHint')}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

export const pathsOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim().replace(/^\/+|\/+$/g, ''))
    .filter((line) => line !== '')
