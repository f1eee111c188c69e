import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconArrowLeft, IconPackageImport, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Project } from '@wakestone/contract/marketplace/project'
import { getProject } from '@wakestone/contract/marketplace/projects-routes'
import type { Release } from '@wakestone/contract/marketplace/release'
import { listReleases } from '@wakestone/contract/marketplace/releases-routes'
import { queryOf } from '#app/api/query-of.ts'
import { AboutProject } from '#app/features/market/about-project.tsx'
import { ProjectFacts } from '#app/features/market/project-facts.tsx'
import { ProjectIcon } from '#app/features/market/project-icon.tsx'
import { Verified } from '#app/features/market/project-card.tsx'
import { ReleaseList } from '#app/features/market/release-list.tsx'
import projectClasses from '#app/features/market/project.module.css'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { OperationsCard } from '#app/features/servers/operations/operations-card.tsx'
import { engineName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { loadersOf } from './loaders.ts'
import { type AskedChange, askFor } from './package-change.ts'
import classes from './packages.module.css'
import { usePackages } from './use-packages.ts'

/** `/s/{identity}/m/{projectId}`: a project, and how it gets onto this server. */
export default function ServerProject() {
  const { t } = useTranslation()
  const { projectId: slug = '' } = useParams()
  const language = useLanguage()
  const { server, identity, mayInstall } = usePackages()
  const project = useQuery(queryOf(getProject, { params: { slug }, query: { language } }))
  const releases = useQuery(queryOf(listReleases, { params: { slug }, query: { limit: 50 } }))
  const error = project.error ?? releases.error
  return (
    <>
      <PageMeta page="serverPackages" title={`${project.data?.name ?? t('packages.title')} · ${server.name}`} />
      <div className={classes['cards']}>
        <p>
          <Link to={`/s/${identity}/m`} className={classes['backLink']}>
            <IconArrowLeft size={16} aria-hidden="true" /> {t('packages.back')}
          </Link>
        </p>
        <OperationsCard serverId={server.id} canManage={mayInstall} />
        {error !== null ? (
          <ErrorState error={error} onRetry={() => void Promise.all([project.refetch(), releases.refetch()])} />
        ) : project.data === undefined || releases.data === undefined ? (
          <Skeleton height={320} radius={12} />
        ) : (
          <ShownProject project={project.data} releases={releases.data.releases} />
        )}
      </div>
    </>
  )
}

function ShownProject({ project, releases }: { project: Project; releases: readonly Release[] }) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <>
      <header className={projectClasses['head']}>
        <ProjectIcon project={project} size={88} />
        <div className={projectClasses['title']}>
          <h1>
            {project.name} {project.verified_at !== null && <Verified />}
          </h1>
          <p className={projectClasses['lead']}>{project.short_description}</p>
          <p>
            <Link to={path(`/m/${project.slug}`)}>{t('packages.publicPage')}</Link>
          </p>
        </div>
      </header>
      <InstallCard project={project} releases={releases} />
      <div className={projectClasses['columns']}>
        <div className={projectClasses['main']}>
          <Card>
            <AboutProject project={project} />
          </Card>
          <h2 className={classes['heading']}>{t('market.tabs.releases')}</h2>
          <ReleaseList project={project} releases={releases} />
        </div>
        <ProjectFacts project={project} />
      </div>
    </>
  )
}

/** Which version, and what is installed now. */
function InstallCard({ project, releases }: { project: Project; releases: readonly Release[] }) {
  const { t } = useTranslation()
  const { server, installed, why } = usePackages()
  const [version, setVersion] = useState('')
  const [opened, setOpened] = useState<{ title: string; asked: AskedChange } | null>(null)
  const { engine, engine_version: game } = server.parameters
  const loaders = loadersOf(engine)
  const offered = releases.filter(({ state, archived_at }) => state === 'published' && archived_at === null)
  const fits = (one: Release) =>
    one.game_versions.includes(game) && one.loaders.some((loader) => loaders.includes(loader))
  const newest = offered.find((one) => one.release_type === 'stable' && fits(one)) ?? offered.find(fits)
  const name = project.slug
  const present = installed.data?.find(({ Manifest: manifest }) => manifest['name'] === name)?.Manifest['packageVersion']
  return (
    <Card>
      <div className={classes['choice']}>
        <NativeSelect
          label={t('packages.version')}
          value={version}
          data={[
            {
              value: '',
              label: newest === undefined ? t('packages.newestAny') : t('packages.newest', { version: newest.version }),
            },
            ...offered.map((one) => ({
              value: one.version,
              label: fits(one)
                ? one.version
                : t('packages.notForServer', { version: one.version, engine: engineName(engine), game }),
            })),
          ]}
          onChange={(event) => setVersion(event.currentTarget.value)}
        />
        <Button
          look="primary"
          icon={<IconPackageImport size={16} aria-hidden="true" />}
          why={offered.length === 0 ? t('packages.notInstallable') : why}
          onClick={() =>
            setOpened({
              title: t('packages.installTitle', { name: project.name }),
              asked: askFor(name, version === '' ? undefined : version),
            })
          }
        >
          {t('packages.install')}
        </Button>
        {typeof present === 'string' && (
          <>
            <Button
              icon={<IconTrash size={16} aria-hidden="true" />}
              why={why}
              onClick={() =>
                setOpened({
                  title: t('packages.uninstallTitle', { name: project.name }),
                  asked: { kind: 'uninstall', names: [name] },
                })
              }
            >
              {t('packages.uninstall')}
            </Button>
            <p className={classes['muted']}>{t('packages.installedTag', { version: present })}</p>
          </>
        )}
      </div>
      {opened !== null && <ChangeDialog {...opened} onClose={() => setOpened(null)} />}
    </Card>
  )
}
