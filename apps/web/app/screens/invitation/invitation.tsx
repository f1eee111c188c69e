import { IconMailOff, IconMailOpened, IconUserCheck } from '@tabler/icons-react'
import { ApiError } from '@wakestone/contract/client'
import {
  acceptInvitationLink,
  declineInvitationLink,
  readInvitationLink,
} from '@wakestone/contract/accounts/sharing-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { getServer } from '@wakestone/contract/servers/servers-routes'
import { Form, redirect, useSearchParams } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { serverPath } from '#app/features/servers/server-names.ts'
import { useUser } from '#app/features/session/use-user.ts'
import { Rights } from '#app/features/sharing/rights.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import type { Route } from './+types/invitation'
import classes from './invitation.module.css'

type Failure = { state: 'failed'; error: string; eventId: string }

function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError)) throw error
  return { state: 'failed', error: error.body.error, eventId: error.body.event_id }
}

/** Looks only: mail scanners open links, but do not post. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const code = new URL(request.url).searchParams.get('code')
  if (code === null || code === '') return { state: 'failed', error: 'no_code', eventId: '' } as const
  try {
    const found = await context.get(webContext).api(readInvitationLink, { body: { code } })
    return { state: 'open', ...found } as const
  } catch (error) {
    return failureOf(error)
  }
}

export async function action({ request, context }: Route.ActionArgs): Promise<{ state: 'declined' } | Failure> {
  const { api } = context.get(webContext)
  const form = await request.formData()
  const code = String(form.get('code') ?? '')
  let server: Server
  try {
    if (form.get('answer') !== 'accept') {
      await api(declineInvitationLink, { body: { code } })
      return { state: 'declined' }
    }
    const { server_id: id } = await api(acceptInvitationLink, { body: { code } })
    server = await api(getServer, { params: { id } })
  } catch (error) {
    return failureOf(error)
  }
  throw redirect(serverPath(server))
}

/** `/{lang}/invitation`: where the mail of an invitation leads. */
export default function InvitationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const outcome = actionData ?? loaderData
  return (
    <>
      <PageMeta page="invitation" />
      {outcome.state === 'declined' ? (
        <StatusPage icon={<IconUserCheck />} title={t('sharing.declinedTitle')} text={t('sharing.declinedText')}>
          <LinkButton to={path('')}>{t('notFound.home')}</LinkButton>
        </StatusPage>
      ) : outcome.state === 'failed' ? (
        <StatusPage
          tone="bad"
          icon={<IconMailOff />}
          title={t('sharing.closedTitle')}
          text={t('sharing.closedText')}
          error={outcome.error}
          eventId={outcome.eventId}
        >
          <LinkButton to={path('/s')}>{t('notFound.servers')}</LinkButton>
        </StatusPage>
      ) : (
        <OpenInvitation link={outcome} />
      )}
    </>
  )
}

type Open = Extract<Route.ComponentProps['loaderData'], { state: 'open' }>

function OpenInvitation({ link: { invitation, is_for_caller } }: { link: Open }) {
  const { t } = useTranslation()
  const path = usePath()
  const user = useUser()
  const [search] = useSearchParams()
  const code = search.get('code') ?? ''
  const from = `?from=${encodeURIComponent(path(`/invitation?code=${encodeURIComponent(code)}`))}`
  const { invited_by: name, server_name: server } = invitation
  return (
    <StatusPage
      icon={<IconMailOpened />}
      title={t('sharing.pageTitle', { name, server })}
      text={
        <div className={classes['facts']}>
          <p>{t('sharing.youMay')}</p>
          <Rights held={invitation.capabilities} />
          <p>
            {t('sharing.until')} <DateTime value={invitation.expires_at} dateOnly />
          </p>
          {is_for_caller === null && <p>{t('sharing.signInFirst')}</p>}
          {is_for_caller === false && (
            <p className={classes['other']}>{t('sharing.otherAccount', { name: user?.username ?? '' })}</p>
          )}
        </div>
      }
    >
      {is_for_caller === null && (
        <>
          <LinkButton look="primary" to={path(`/login${from}`)}>
            {t('sharing.signIn')}
          </LinkButton>
          <LinkButton to={path(`/register${from}`)}>{t('sharing.register')}</LinkButton>
        </>
      )}
      {is_for_caller !== false && (
        <Form method="post" className={classes['answers']}>
          <input type="hidden" name="code" value={code} />
          {is_for_caller === true && (
            <Button type="submit" name="answer" value="accept" look="primary">
              {t('sharing.accept')}
            </Button>
          )}
          <Button type="submit" name="answer" value="decline" look={is_for_caller === true ? 'secondary' : 'quiet'}>
            {t('sharing.decline')}
          </Button>
        </Form>
      )}
    </StatusPage>
  )
}
