import type { Operation } from '@wakestone/contract/servers/operations'
import { engineName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'

/** What an operation is called, with what it is about. */
export function useOperationName(): (operation: Pick<Operation, 'kind' | 'about'>) => string {
  const { t } = useTranslation()
  return ({ kind, about }) => {
    const { engine, version } = about
    if (typeof engine !== 'string' || typeof version !== 'string') return t(`operations.kind.${kind}`)
    const wanted = { engine: engineName(engine), version }
    if (kind === 'engine_change') return t('operations.named.engine_change', wanted)
    if (kind === 'engine_return') return t('operations.named.engine_return', wanted)
    return t(`operations.kind.${kind}`)
  }
}
