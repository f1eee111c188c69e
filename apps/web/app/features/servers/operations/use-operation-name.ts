import type { Operation } from '@wakestone/contract/servers/operations'
import { engineName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'

const worldActions = ['edit', 'duplicate', 'rename', 'reset', 'switch', 'create', 'delete', 'import', 'prune'] as const

/** What an operation is called, with what it is about. */
export function useOperationName(): (operation: Pick<Operation, 'kind' | 'about'>) => string {
  const { t } = useTranslation()
  return ({ kind, about }) => {
    const { engine, version, path, host } = about
    if (kind === 'file_fetch' && typeof path === 'string' && typeof host === 'string')
      return t('operations.named.file_fetch', { path, host })
    const { cluster } = about
    if ((kind === 'migrate' || kind === 'rescue') && typeof cluster === 'string')
      return t(`operations.named.${kind}`, { cluster })
    const { action, world, name } = about
    const known = worldActions.find((one) => one === action)
    if (known !== undefined && typeof world === 'string')
      return t(`operations.named.world_${known}`, { world, name: typeof name === 'string' ? name : '' })
    if (typeof engine !== 'string' || typeof version !== 'string') return t(`operations.kind.${kind}`)
    const wanted = { engine: engineName(engine), version }
    const isNamed = kind === 'prepare' || kind === 'engine_change' || kind === 'engine_return'
    return isNamed ? t(`operations.named.${kind}`, wanted) : t(`operations.kind.${kind}`)
  }
}
