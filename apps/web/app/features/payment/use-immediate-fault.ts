import { ApiError } from '@wakestone/contract/client'
import { useTranslation } from '#app/i18n/texts.tsx'
import { reasonsFrom } from '#app/ui/form-reasons.ts'

/** What to say at the box that asks for what is bought to begin at once, where the API refused as it was left out. */
export function useImmediateFault(error: unknown): string | undefined {
  const { t } = useTranslation()
  const reasons = error instanceof ApiError ? reasonsFrom(error.body, ['immediate']) : {}
  return reasons['immediate'] === undefined ? undefined : t('withdraw.immediateRequired')
}
