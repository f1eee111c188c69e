import type { Cluster } from '@wakestone/contract/server'
import { useTranslation } from 'react-i18next'

/** Name of a place for people. The one every installation begins with is called what it is, in their language. */
export function useClusterName(): (cluster: Cluster) => string {
  const { t } = useTranslation()
  return (cluster) => (cluster.id === 'local' ? t('servers.thisMachine') : cluster.metadata.name)
}
