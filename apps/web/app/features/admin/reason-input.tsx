import { Textarea, type TextareaProps } from '@mantine/core'
import { useTranslation } from '#app/i18n/texts.tsx'

/** Why an administrator does something, in their own words. */
export function ReasonInput(props: TextareaProps) {
  const { t } = useTranslation()
  return <Textarea label={t('admin.reason')} autosize minRows={2} maxLength={500} {...props} />
}
