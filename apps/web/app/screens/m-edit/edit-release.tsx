import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { z } from 'zod'
import { ApiError } from '@wakestone/contract/client'
import type { Project } from '@wakestone/contract/marketplace/project'
import type { Release } from '@wakestone/contract/marketplace/release'
import { changeRelease, deleteRelease, getRelease } from '@wakestone/contract/marketplace/releases-routes'
import { projectLimits, type ReleaseType, releaseTypes } from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { MarkdownField } from '#app/features/market/markdown-field.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmByTyping } from '#app/ui/confirm-by-typing.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import type { Route } from './+types/edit-release'
import classes from './edit.module.css'
import { loadOwnProject } from './load-own-project.ts'
import { NoProject } from './no-project.tsx'
import { ChannelField } from '#app/features/market/release-fields.tsx'
import { ResumeCard } from './resume-card.tsx'

export async function loader({ request, params: { slug, releaseId }, context }: Route.LoaderArgs) {
  requireUser(request, context)
  const { api: call } = context.get(webContext)
  const project = await loadOwnProject(call, slug, 'release')
  const release =
    project === null
      ? null
      : await call(getRelease, { params: { slug, releaseId } }).catch((error: unknown) => {
          if (error instanceof ApiError && error.status < 500) return null
          throw error
        })
  return { project, release }
}

/** `/{lang}/m/{slug}/releases/edit/{releaseId}`: its words, its channel, files that are still to come, and its end. */
export default function EditRelease({ loaderData: { project, release } }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  if (project === null || release === null)
    return (
      <>
        <PageMeta page="newRelease" />
        <NoProject />
      </>
    )
  const title = t('market.form.editReleaseTitle', { name: project.name, version: release.version })
  return (
    <>
      <PageMeta page="newRelease" title={title} />
      <PageHeader
        title={title}
        text={t(`market.states.${release.state}`)}
        actions={<LinkButton to={`${path(`/m/${project.slug}`)}?tab=releases`}>{t('market.view')}</LinkButton>}
      />
      <div className={classes['form']}>
        {release.state === 'draft' && <ResumeCard project={project} release={release} />}
        <WordsForm key={release.id} project={project} release={release} />
        {release.state !== 'withdrawn' && <EndCard project={project} release={release} />}
      </div>
    </>
  )
}

const schema = z.object({
  description: z.string().max(projectLimits.notes, 'too_long'),
  release_type: z.enum(releaseTypes),
  archived: z.boolean(),
})

/** A private one that is out stays private, and a public one public. */
function channelsOf({ state, release_type: channel }: Release): readonly ReleaseType[] {
  if (!['published', 'withdrawn', 'refused'].includes(state)) return releaseTypes
  return channel === 'private' ? ['private'] : releaseTypes.filter((one) => one !== 'private')
}

function WordsForm({ project, release }: { project: Project; release: Release }) {
  const { t } = useTranslation()
  const path = usePath()
  const navigate = useNavigate()
  const form = useZodForm(schema, {
    description: release.description,
    release_type: release.release_type,
    archived: release.archived_at !== null,
  })
  const submit = form.submit(async (body) => {
    await api(changeRelease, { params: { slug: project.slug, releaseId: release.id }, body })
    await navigate(`${path(`/m/${project.slug}`)}?tab=releases#${release.id}`)
  })
  return (
    <form noValidate onSubmit={submit}>
      <Card title={t('market.form.words')} beside={t('market.form.wordsHint')}>
        <div className={classes['fields']}>
          <MarkdownField label={t('market.form.notes')} minRows={6} {...form.field('description')} />
          <ChannelField
            value={form.values.release_type}
            offered={channelsOf(release)}
            onChange={(channel) => form.set('release_type', channel)}
          />
          <Checkbox
            label={t('market.form.archiveRelease')}
            description={t('market.form.archiveReleaseHint')}
            checked={form.values.archived}
            onChange={(event) => form.set('archived', event.currentTarget.checked)}
          />
          {form.failure !== undefined && <ErrorNote error={form.failure} />}
          <div className={classes['actions']}>
            <Button type="submit" look="primary" loading={form.busy}>
              {t('market.form.save')}
            </Button>
          </div>
        </div>
      </Card>
    </form>
  )
}

/** Withdrawing what is out, or throwing away what never was. */
function EndCard({ project, release }: { project: Project; release: Release }) {
  const { t } = useTranslation()
  const path = usePath()
  const navigate = useNavigate()
  const revalidator = useRevalidator()
  const [isAsking, setAsking] = useState(false)
  const isOut = release.state === 'published'
  return (
    <Card title={t(isOut ? 'market.form.withdraw' : 'market.form.discard')}>
      <div className={classes['fields']}>
        <p>{t(isOut ? 'market.form.withdrawText' : 'market.form.discardText')}</p>
        <div className={classes['actions']}>
          <Button look="danger" onClick={() => setAsking(true)}>
            {t(isOut ? 'market.form.withdraw' : 'market.form.discard')}
          </Button>
        </div>
      </div>
      <ConfirmByTyping
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t(isOut ? 'market.form.withdrawTitle' : 'market.form.discardTitle', { version: release.version })}
        text={t(isOut ? 'market.form.withdrawText' : 'market.form.discardText')}
        name={release.version}
        action={t(isOut ? 'market.form.withdraw' : 'market.form.discard')}
        onConfirm={async () => {
          await api(deleteRelease, { params: { slug: project.slug, releaseId: release.id } })
          if (isOut) await revalidator.revalidate()
          else await navigate(`${path(`/m/${project.slug}`)}?tab=releases`)
        }}
      />
    </Card>
  )
}
