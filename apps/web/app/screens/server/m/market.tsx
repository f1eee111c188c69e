import { useSearchParams } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { packageKinds } from '#app/features/servers/operations/package-kinds.ts'
import { OperationsCard } from '#app/features/servers/operations/operations-card.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { TabLinks } from '#app/ui/tab-links.tsx'
import { Find } from './find.tsx'
import { History } from './history.tsx'
import { Installed } from './installed.tsx'
import classes from './packages.module.css'
import { usePackages } from './use-packages.ts'

const views = ['find', 'installed', 'history'] as const

/** `/s/{identity}/m`: what can be installed on this server, and what is. */
export default function ServerMarket() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const { server, identity, installed, mayInstall } = usePackages()
  const view = views.find((one) => one === search.get('view')) ?? 'find'
  const home = `/s/${identity}/m`
  const count = installed.data?.length ?? 0
  return (
    <>
      <PageMeta page="serverPackages" title={`${t('packages.title')} · ${server.name}`} />
      <PageHeader title={t('packages.title')} text={t('packages.text')} />
      <div className={classes['cards']}>
        <OperationsCard serverId={server.id} canManage={mayInstall} endsOf={packageKinds} />
        <div>
          <TabLinks
            label={t('packages.title')}
            tabs={views.map((one) => ({
              to: one === 'find' ? home : `${home}?view=${one}`,
              label:
                one === 'installed' && count > 0
                  ? t('packages.views.installedCount', { count })
                  : t(`packages.views.${one}`),
              active: one === view,
            }))}
          />
          <div className={classes['cards']}>
            {view === 'find' && <Find />}
            {view === 'installed' && <Installed />}
            {view === 'history' && <History />}
          </div>
        </div>
      </div>
    </>
  )
}
