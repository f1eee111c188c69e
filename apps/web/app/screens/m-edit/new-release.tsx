import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { z } from 'zod'
import { ApiError } from '@wakestone/contract/client'
import { getProject } from '@wakestone/contract/marketplace/projects-routes'
import { createReleaseBody } from '@wakestone/contract/marketplace/release'
import { createRelease } from '@wakestone/contract/marketplace/releases-routes'
import { artifactNameSchema } from '@wakestone/contract/marketplace/schemas'
import {
  type PackageLoader,
  packageLoaders,
  projectLimits,
  releaseTypes,
  roleHasRight,
} from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { PageHeader } from '#app/ui/page-header.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import type { Route } from './+types/new-release'
import classes from './edit.module.css'
import { hashOf, sendFile } from './send-file.ts'

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireUser(request, context)
  const project = await context
    .get(webContext)
    .api(getProject, { params: { slug: params.slug } })
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.status < 500) return null
      throw error
    })
  return { project: project?.role != null && roleHasRight(project.role, 'release') ? project : null }
}

const versionsOf = (text: string) => [...new Set(text.split(/[\s,]+/).filter((word) => word !== ''))]
const schema = z.object({
  version: createReleaseBody.shape.version,
  release_type: z.enum(releaseTypes),
  description: z.string().max(projectLimits.notes, 'too_long'),
  game_versions: z
    .string()
    .refine((text) => createReleaseBody.shape.game_versions.safeParse(versionsOf(text)).success, 'game_version'),
})

/** `/{lang}/m/{slug}/releases/new` */
export default function NewRelease({ loaderData: { project } }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  if (project === null)
    return (
      <>
        <PageMeta page="newRelease" />
        <StatusPage figure="owl" code={404} title={t('market.missingTitle')} text={t('market.missingText')}>
          <LinkButton to={path('/m')}>{t('market.title')}</LinkButton>
        </StatusPage>
      </>
    )
  return (
    <>
      <PageMeta page="newRelease" title={t('market.releaseTitle', { name: project.name })} />
      <PageHeader title={t('market.releaseTitle', { name: project.name })} text={t('market.releaseText')} />
      <ReleaseForm slug={project.slug} known={project.latest_release} />
    </>
  )
}

type Known = { game_versions: string[]; loaders: PackageLoader[] } | null

function ReleaseForm({ slug, known }: { slug: string; known: Known }) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const navigate = useNavigate()
  const form = useZodForm(schema, {
    version: '',
    release_type: 'stable',
    description: '',
    game_versions: known?.game_versions.join(', ') ?? '',
  })
  const [loaders, setLoaders] = useState<PackageLoader[]>(known?.loaders ?? ['paper'])
  const [file, setFile] = useState<File>()
  const [sent, setSent] = useState<number>()
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const { current } = leaving
    return () => current.abort()
  }, [])
  const isBadName = file !== undefined && !artifactNameSchema.safeParse(file.name).success
  const isTooLarge = file !== undefined && file.size > projectLimits.artifactBytes
  const submit = form.submit(async ({ game_versions, ...values }) => {
    if (file === undefined) return
    const body = {
      ...values,
      game_versions: versionsOf(game_versions),
      loaders,
      artifacts: [{ name: file.name, size: file.size, sha256: await hashOf(file) }],
    }
    const { release, uploads } = await api(createRelease, { params: { slug }, body })
    try {
      for (const { url, offset } of uploads)
        await sendFile(file, { url, offset, onProgress: setSent, signal: leaving.current.signal })
    } finally {
      setSent(undefined)
    }
    await navigate(`${path(`/m/${slug}`)}?tab=releases#${release.id}`)
  })
  const why =
    file === undefined
      ? t('market.form.fileMissing')
      : isBadName
        ? t('fields.file_name')
        : isTooLarge
          ? t('fields.file_size')
          : loaders.length === 0
            ? t('market.form.loaderMissing')
            : undefined
  const lacksFactor = errorBodyOf(form.failure)?.error === 'second_factor_missing'
  return (
    <form className={classes['form']} noValidate onSubmit={submit}>
      <Card title={t('market.form.file')} beside={t('market.form.fileHint')}>
        <label className={classes['file']}>
          <span className="visually-hidden">{t('market.form.file')}</span>
          <input
            type="file"
            accept=".jar,.zip,.tgz,.gz"
            onChange={(event) => setFile(event.currentTarget.files?.[0])}
          />
        </label>
        {file !== undefined && (
          <p className={classes['muted']}>
            {file.name} · {format.bytes(file.size)}
          </p>
        )}
        {sent !== undefined && file !== undefined && (
          <div role="status">
            <progress
              className={classes['progress']}
              max={file.size}
              value={sent}
              aria-label={t('market.form.sending')}
            />
            <p className={classes['muted']}>
              {t('market.form.sent', { sent: format.bytes(sent), all: format.bytes(file.size) })}
            </p>
          </div>
        )}
      </Card>
      <Card>
        <div className={classes['fields']}>
          <TextInput label={t('market.form.version')} placeholder="1.0.0" maxLength={64} {...form.field('version')} />
          <NativeSelect
            label={t('market.form.channel')}
            description={t(`market.form.channelHints.${form.values.release_type}`)}
            value={form.values.release_type}
            data={releaseTypes.map((one) => ({ value: one, label: t(`market.releaseTypes.${one}`) }))}
            onChange={(event) => form.set('release_type', event.currentTarget.value as (typeof releaseTypes)[number])}
          />
          <Checkbox.Group
            label={t('market.loader')}
            value={loaders}
            onChange={(chosen) => setLoaders(packageLoaders.filter((one) => chosen.includes(one)))}
          >
            <div className={classes['loaders']}>
              {packageLoaders.map((one) => (
                <Checkbox key={one} value={one} label={t(`market.loaders.${one}`)} />
              ))}
            </div>
          </Checkbox.Group>
          <TextInput
            label={t('market.form.gameVersions')}
            description={t('market.form.gameVersionsHint')}
            placeholder="1.21.4, 1.21.5"
            {...form.field('game_versions')}
          />
          <Textarea
            label={t('market.form.notes')}
            description={t('market.form.markdown')}
            autosize
            minRows={5}
            maxRows={16}
            {...form.field('description')}
          />
        </div>
      </Card>
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      {lacksFactor && (
        <p>
          <Link to={path('/account/settings/security')}>{t('market.form.toSecurity')}</Link>
        </p>
      )}
      <div className={classes['actions']}>
        <Button type="submit" look="primary" loading={form.busy} why={why}>
          {t('market.form.publish')}
        </Button>
      </div>
    </form>
  )
}
