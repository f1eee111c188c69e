import type { AdminCluster } from '@wakestone/contract/admin/clusters'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Badge } from '#app/ui/state-badge.tsx'

/** Whether a cluster takes servers, and who sees it. */
export function ClusterBadges({ cluster }: { cluster: AdminCluster }) {
  const { t } = useTranslation()
  return (
    <>
      {cluster.draining ? (
        <Badge size="small" colour="ember" shape="triangle">
          {t('adminClusters.draining')}
        </Badge>
      ) : cluster.disabled ? (
        <Badge size="small" colour="muted" shape="square">
          {t('adminClusters.disabled')}
        </Badge>
      ) : (
        <Badge size="small" colour="moss" shape="filled">
          {t('adminClusters.open')}
        </Badge>
      )}
      {cluster.visible_permission !== null && (
        <Badge size="small" colour="dusk" shape="ring">
          {t('adminClusters.limited')}
        </Badge>
      )}
    </>
  )
}
