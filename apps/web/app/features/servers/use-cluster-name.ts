import type { Cluster } from '@wakestone/contract/servers/server'
import { useTranslation } from '#app/i18n/texts.tsx'

/** Name of a place for people. The one every installation begins with is called what it is, in their language. */
export function useClusterName(): (cluster: Cluster) => string {
  const { t } = useTranslation()
  return (cluster) => (cluster.id === 'local' ? t('servers.thisMachine') : cluster.metadata.name)
}
