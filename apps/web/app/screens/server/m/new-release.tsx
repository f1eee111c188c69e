import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { Project } from '@wakestone/contract/marketplace/project'
import { getProject } from '@wakestone/contract/marketplace/projects-routes'
import { type PackageLoader, roleHasRight } from '@wakestone/contract/marketplace/values'
import { loadersOfEngine } from '@wakestone/contract/servers/package-loaders'
import { createPackage } from '@wakestone/contract/marketplace/releases-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { ReleaseFields, releaseFormSchema, versionsOf } from '#app/features/market/release-fields.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { SecondStepNotice } from '#app/features/market/second-step-notice.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { ManagersOnly } from '../managers-only.tsx'
import { useServerPage } from '../use-server-page.ts'
import { FilePicker } from './file-picker.tsx'
import classes from './packages.module.css'
import { usePackages } from './use-packages.ts'

/** `/s/{identity}/m/{projectId}/releases/new`: a release out of files of this server. */
export default function ServerNewRelease() {
  const { t } = useTranslation()
  const { projectId: slug = '' } = useParams()
  const language = useLanguage()
  const { server, identity, canManage } = useServerPage()
  const { data, error, refetch } = useQuery(queryOf(getProject, { params: { slug }, query: { language } }))
  const mayRelease = data?.role != null && roleHasRight(data.role, 'release')
  return (
    <>
      <PageMeta page="serverPackages" title={`${t('packages.newReleaseTitle')} · ${server.name}`} />
      <PageHeader
        title={data === undefined ? t('packages.newReleaseTitle') : t('market.releaseTitle', { name: data.name })}
        text={t('packages.newReleaseText')}
      />
      {!canManage ? (
        <ManagersOnly server={server} identity={identity} />
      ) : data === undefined ? (
        error === null ? (
          <Skeleton height={320} radius={12} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : mayRelease ? (
        <ReleaseForm project={data} />
      ) : (
        <ErrorNote error="not_project_member" />
      )}
    </>
  )
}

function ReleaseForm({ project }: { project: Project }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { server, identity, begun, why: whyNotNow } = usePackages()
  const { engine, game_version: game } = server.parameters
  const form = useZodForm(releaseFormSchema, {
    version: '',
    release_type: 'stable',
    description: '',
    game_versions: game ?? '',
  })
  const [loaders, setLoaders] = useState<PackageLoader[]>(
    project.latest_release?.loaders ?? loadersOfEngine[engine].slice(0, 1),
  )
  const [paths, setPaths] = useState<readonly string[]>([])
  const submit = form.submit(async ({ game_versions, ...values }) => {
    const body = {
      ...values,
      project: project.slug,
      paths: [...paths],
      game_versions: versionsOf(game_versions),
      loaders,
    }
    await api(createPackage, { params: { id: server.id }, body })
    await begun()
    await navigate(`/s/${identity}/m`)
  })
  const why =
    whyNotNow ??
    (paths.length === 0 ? t('packages.pickFirst') : loaders.length === 0 ? t('market.form.loaderMissing') : undefined)
  return (
    <form noValidate onSubmit={submit} className={classes['cards']}>
      <SecondStepNotice />
      <Card title={t('packages.pick')} beside={t('packages.picked', { count: paths.length })}>
        <FilePicker serverId={server.id} picked={paths} onChange={setPaths} />
      </Card>
      <Card>
        <ReleaseFields form={form} loaders={loaders} onLoaders={setLoaders} />
      </Card>
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <div className={classes['actions']}>
        <Button type="submit" look="primary" loading={form.busy} why={why}>
          {t('packages.makeRelease')}
        </Button>
      </div>
    </form>
  )
}
