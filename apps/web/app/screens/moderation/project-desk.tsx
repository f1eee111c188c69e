import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import {
  listModeratedProjects,
  takeDownProject,
  verifyProject,
} from '@wakestone/contract/marketplace/moderation-routes'
import type { Project } from '@wakestone/contract/marketplace/project'
import { getProject } from '@wakestone/contract/marketplace/projects-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import classes from './moderation.module.css'
import { ReasonDialog } from './reason-dialog.tsx'

/** One project by its address: whether its author is who they say, and whether it may be seen. */
export function ProjectDesk({ slug }: { slug: string }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { data, error } = useQuery(queryOf(getProject, { params: { slug }, query: { language } }))
  return (
    <div className={classes['parts']}>
      <p>
        <LinkButton look="quiet" size="small" to="?list=projects" icon={<IconArrowLeft size={16} aria-hidden="true" />}>
          {t('moderation.allProjects')}
        </LinkButton>
      </p>
      {error !== null ? (
        <ErrorNote error={error} />
      ) : data === undefined ? (
        <SkeletonText lines={4} />
      ) : (
        <FoundProject project={data} />
      )}
    </div>
  )
}

function FoundProject({ project }: { project: Project }) {
  const { t } = useTranslation()
  const path = usePath()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [isTakingDown, setTakingDown] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const { slug, verified_at: verified, takedown } = project
  const params = { slug }
  const changed = () => makeStale(queries, answersOf(getProject), answersOf(listModeratedProjects))
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
      await changed()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={<Link to={path(`/m/${slug}`)}>{project.name}</Link>}>
      <div className={classes['parts']}>
        <p>{project.short_description}</p>
        <p className={classes['muted']}>
          {project.project_members.map(({ username, role }) => `${username} (${t(`market.roles.${role}`)})`).join(', ')}
        </p>
        {verified !== null && (
          <p>
            {t('moderation.verifiedSince')} <DateTime value={verified} />
          </p>
        )}
        {takedown !== null && (
          <p className={classes['warning']}>{t('market.takenDown', { reason: takedown.reason })}</p>
        )}
        {failure !== undefined && <ErrorNote error={failure} />}
        <div className={classes['actions']}>
          <Button
            loading={busy}
            onClick={() => void run(() => api(verifyProject, { params, body: { verified: verified === null } }))}
          >
            {t(verified === null ? 'moderation.verify' : 'moderation.unverify')}
          </Button>
          {takedown === null ? (
            <Button look="danger" onClick={() => setTakingDown(true)}>
              {t('moderation.takeDown')}
            </Button>
          ) : (
            <Button
              loading={busy}
              onClick={() => void run(() => api(takeDownProject, { params, body: { reason: null } }))}
            >
              {t('moderation.letBack')}
            </Button>
          )}
        </div>
      </div>
      {isTakingDown && (
        <ReasonDialog
          title={t('moderation.takeDownTitle', { name: project.name })}
          text={t('moderation.takeDownText')}
          action={t('moderation.takeDown')}
          onClose={() => setTakingDown(false)}
          onConfirm={async (reason) => {
            await api(takeDownProject, { params, body: { reason } })
            await changed()
          }}
        />
      )}
    </Card>
  )
}
