import type { PackageKind } from '@wakestone/contract/servers/package-search'
import { useTranslation } from '#app/i18n/texts.tsx'

/** What kinds of packages are called, as a heading of several. */
export function useKindName(): (kind: PackageKind) => string {
  const { t } = useTranslation()
  return (kind) => (kind === 'datapack' ? t('packages.kinds.datapack') : t(`market.typesMany.${kind}`))
}
