import { useQuery } from '@tanstack/react-query'
import { IconArrowLeft, IconExternalLink } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { getProject } from '@wakestone/contract/marketplace/projects-routes'
import { roleHasRight } from '@wakestone/contract/marketplace/values'
import type { PackageProject } from '@wakestone/contract/servers/package-search'
import { getPackageProject } from '@wakestone/contract/servers/packages-routes'
import { queryOf } from '#app/api/query-of.ts'
import projectClasses from '#app/features/market/project.module.css'
import { Short } from '#app/features/market/short.tsx'
import { PackageIcon } from '#app/features/packages/package-card.tsx'
import { useKindName } from '#app/features/packages/use-kind-name.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { packageKinds } from '#app/features/servers/operations/package-kinds.ts'
import { OperationsCard } from '#app/features/servers/operations/operations-card.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, useLanguage, usePath } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Prose } from '#app/ui/prose.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useServerPage } from '../use-server-page.ts'
import { InstallCard } from './install-card.tsx'
import { PackageReleases } from './package-releases.tsx'
import classes from './packages.module.css'
import { usePackages } from './use-packages.ts'

/** `/s/{identity}/m/{projectId}`: a package of any source, and how it gets onto this server. */
export default function ServerProject() {
  const { t } = useTranslation()
  const { projectId: name = '' } = useParams()
  const { server, identity, mayInstall } = usePackages()
  const { data, error, refetch } = useQuery(
    queryOf(getPackageProject, { params: { name }, query: { server: server.id } }),
  )
  return (
    <>
      <PageMeta page="serverPackages" title={`${data?.title ?? t('packages.title')} · ${server.name}`} />
      <div className={classes['cards']}>
        <p>
          <Link to={`/s/${identity}/m`} className={classes['backLink']}>
            <IconArrowLeft size={16} aria-hidden="true" /> {t('packages.back')}
          </Link>
        </p>
        <OperationsCard serverId={server.id} canManage={mayInstall} endsOf={packageKinds} />
        {data !== undefined ? (
          <ShownProject project={data} />
        ) : error === null ? (
          <Skeleton height={320} radius={12} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )}
      </div>
    </>
  )
}

function ShownProject({ project }: { project: PackageProject }) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const kindName = useKindName()
  const source = t(`packages.sources.${project.source}`)
  const isOurs = project.source === 'wakestone'
  return (
    <>
      <header className={projectClasses['head']}>
        <PackageIcon hit={project} size={88} />
        <div className={projectClasses['title']}>
          <h1>{project.title}</h1>
          <p className={projectClasses['muted']}>
            {source}
            {project.author !== '' && ` · ${t('market.by', { name: project.author })}`}
          </p>
          <p className={projectClasses['lead']}>
            <Short text={project.summary} />
          </p>
        </div>
      </header>
      <InstallCard project={project} />
      <div className={projectClasses['columns']}>
        <div className={projectClasses['main']}>
          {project.html !== '' && (
            <Card title={t('market.tabs.about')}>
              <Prose html={project.html} />
            </Card>
          )}
          <h2 className={classes['heading']}>{t('market.tabs.releases')}</h2>
          <PackageReleases releases={project.releases} />
        </div>
        <aside className={projectClasses['aside']}>
          <Card title={t('market.facts')}>
            <KeyValueList
              rows={[
                { key: t('market.type'), value: kindName(project.kind) },
                ...(project.updated_at === null
                  ? []
                  : [{ key: t('market.updated'), value: <DateTime value={project.updated_at} dateOnly /> }]),
                ...(project.downloads === null
                  ? []
                  : [{ key: t('market.downloads'), value: format.number(project.downloads) }]),
                ...(project.license === null ? [] : [{ key: t('market.licence'), value: project.license }]),
              ]}
            />
          </Card>
          <p>
            {isOurs ? (
              <Link to={path(`/m/${project.name}`)}>{t('packages.publicPage')}</Link>
            ) : (
              <a href={project.url} rel="noopener noreferrer" target="_blank">
                {t('packages.openSource', { name: source })} <IconExternalLink size={14} aria-hidden="true" />
              </a>
            )}
          </p>
          {isOurs && <NewReleaseLink slug={project.name} />}
        </aside>
      </div>
    </>
  )
}

/** For those who release it: a release out of the files of this server. */
function NewReleaseLink({ slug }: { slug: string }) {
  const { t } = useTranslation()
  const { identity, canManage } = useServerPage()
  const { data } = useQuery(queryOf(getProject, { params: { slug }, query: { language: useLanguage() } }))
  if (!canManage || data?.role == null || !roleHasRight(data.role, 'release')) return null
  return (
    <p>
      <Link to={`/s/${identity}/m/${slug}/releases/new`}>{t('packages.fromThisServer')}</Link>
    </p>
  )
}
