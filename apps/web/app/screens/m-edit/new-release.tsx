import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { PublishedManifest } from '@wakestone/contract/marketplace/manifest'
import type { Project } from '@wakestone/contract/marketplace/project'
import { createRelease, listReleases } from '@wakestone/contract/marketplace/releases-routes'
import { artifactNameSchema } from '@wakestone/contract/marketplace/schemas'
import { type PackageLoader, projectLimits } from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { SecondStepNotice } from '#app/features/market/second-step-notice.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import type { Route } from './+types/new-release'
import classes from './edit.module.css'
import { loadOwnProject } from './load-own-project.ts'
import { draftOf, emptyManifest, isGoodManifest, manifestOf } from './manifest-draft.ts'
import { ManifestFields } from './manifest-fields.tsx'
import { NoProject } from './no-project.tsx'
import { ReleaseFields, releaseFormSchema, versionsOf } from '#app/features/market/release-fields.tsx'
import { ReleaseFileDrop } from './release-file-drop.tsx'
import { SendingProgress } from './sending-progress.tsx'
import { useReleaseFiles } from './use-release-files.ts'

export async function loader({ request, params: { slug }, context }: Route.LoaderArgs) {
  requireUser(request, context)
  const { api: call } = context.get(webContext)
  const project = await loadOwnProject(call, slug, 'release')
  if (project === null) return { project, last: null }
  const { releases } = await call(listReleases, { params: { slug }, query: { limit: 20 } })
  return { project, last: releases.find(({ manifest }) => manifest !== null)?.manifest ?? null }
}

/** `/{lang}/m/{slug}/releases/new` */
export default function NewRelease({ loaderData: { project, last } }: Route.ComponentProps) {
  const { t } = useTranslation()
  if (project === null)
    return (
      <>
        <PageMeta page="newRelease" />
        <NoProject />
      </>
    )
  return (
    <>
      <PageMeta page="newRelease" title={t('market.releaseTitle', { name: project.name })} />
      <PageHeader title={t('market.releaseTitle', { name: project.name })} text={t('market.releaseText')} />
      <ReleaseForm project={project} last={last} />
    </>
  )
}

function ReleaseForm({ project, last }: { project: Project; last: PublishedManifest | null }) {
  const { t } = useTranslation()
  const path = usePath()
  const navigate = useNavigate()
  const { slug, latest_release: known } = project
  const form = useZodForm(releaseFormSchema, {
    version: '',
    release_type: 'stable',
    description: '',
    game_versions: known?.game_versions.join(', ') ?? '',
  })
  const [loaders, setLoaders] = useState<PackageLoader[]>(known?.loaders ?? [])
  const [manifest, setManifest] = useState(() => (last === null ? emptyManifest : draftOf(last)))
  const [files, setFiles] = useState<readonly File[]>([])
  const { sending, hashAll, sendAll, end } = useReleaseFiles()
  const submit = form.submit(async ({ game_versions, ...values }) => {
    try {
      const said = manifestOf(manifest, { name: slug, version: values.version })
      const body = {
        ...values,
        game_versions: versionsOf(game_versions),
        loaders,
        artifacts: await hashAll(files),
        ...(said !== undefined && { manifest: said }),
      }
      const { release, uploads } = await api(createRelease, { params: { slug }, body })
      // From here on there is a draft: whatever cuts this off, its own page goes on with it.
      await sendAll(files, uploads).catch(async (error: unknown) => {
        await navigate(path(`/m/${slug}/releases/edit/${release.id}`))
        throw error
      })
      await navigate(`${path(`/m/${slug}`)}?tab=releases#${release.id}`)
    } finally {
      end()
    }
  })
  const bad = files.find(({ name }) => !artifactNameSchema.safeParse(name).success)
  const why =
    files.length === 0
      ? t('market.form.fileMissing')
      : files.length > projectLimits.artifacts
        ? t('market.form.tooManyFiles', { count: projectLimits.artifacts })
        : bad !== undefined
          ? `${bad.name}: ${t('fields.file_name')}`
          : files.some(({ size }) => size > projectLimits.artifactBytes)
            ? t('fields.file_size')
            : loaders.length === 0
              ? t('market.form.loaderMissing')
              : isGoodManifest(manifest)
                ? undefined
                : t('market.manifest.bad')
  return (
    <form className={classes['form']} noValidate onSubmit={submit}>
      <SecondStepNotice />
      <Card title={t('market.form.files')} beside={t('market.form.fileHint')}>
        <ReleaseFileDrop files={files} busy={sending !== null} onChange={setFiles} />
        <SendingProgress sending={sending} />
      </Card>
      <Card>
        <ReleaseFields form={form} loaders={loaders} onLoaders={setLoaders} />
      </Card>
      <Card title={t('market.manifest.title')}>
        <ManifestFields draft={manifest} onChange={setManifest} />
      </Card>
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <p className={classes['muted']}>{`${t('market.form.publishHint')} ${t('market.resultComes')}`}</p>
      <div className={classes['actions']}>
        <Button type="submit" look="primary" loading={form.busy} why={why}>
          {t('market.form.publish')}
        </Button>
        {why !== undefined && <p className={classes['muted']}>{why}</p>}
      </div>
    </form>
  )
}
