import { HydrationBoundary } from '@tanstack/react-query'
import { Link } from 'react-router'
import { getServer } from '@wakestone/contract/servers/servers-routes'
import { prefetch } from '#app/api/prefetch.ts'
import { aboutServer } from '#app/api/stale-answers.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { keptUntil } from '#app/features/servers/time-left.ts'
import { findServerId } from '#app/features/servers/server-queries.ts'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { withdrawalQuery, WithdrawSteps } from '#app/features/withdraw/withdraw-steps.tsx'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { useServerPage } from '../use-server-page.ts'
import type { Route } from './+types/withdraw'

export async function loader({ request, context, params: { identity } }: Route.LoaderArgs) {
  requireUser(request, context)
  const { api: client } = context.get(webContext)
  const serverId = await findServerId(identity, client).catch(() => null)
  if (serverId === null) return { queries: null }
  const server = await client(getServer, { params: { id: serverId } }).catch(() => undefined)
  return {
    queries:
      server === undefined
        ? null
        : await prefetch(
            withdrawalQuery(server.service_id, { client }),
            withdrawalQuery(server.service_id, { client, part: 'latest' }),
          ),
  }
}

/** `/s/{identity}/payments/withdraw`: withdrawal from the contract of a server. */
export default function Withdraw({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const { server } = useServerPage()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="withdraw" title={`${t('withdraw.title')} · ${server.name}`} />
      <PageHeader title={t('withdraw.title')} text={t('withdraw.text')} />
      <Steps />
    </HydrationBoundary>
  )
}

function Steps() {
  const { t } = useTranslation()
  const path = usePath()
  const { server, identity } = useServerPage()
  const user = useSignedInUser()
  if (user.id !== server.owner_id)
    return (
      <EmptyState
        title={t('withdraw.notOwner')}
        text={t('withdraw.notOwnerText')}
        action={<LinkButton to={`/s/${identity}`}>{t('renew.back')}</LinkButton>}
      />
    )
  const isKept = server.withdrawn_at !== null && server.files_deleted_at === null
  const keep = (
    <Trans
      i18nKey="withdraw.keepCopy"
      components={{ backups: <Link to={`/s/${identity}/backups`} />, files: <Link to={`/s/${identity}/files`} /> }}
    />
  )
  return (
    <WithdrawSteps
      subject={{
        kind: 'server',
        name: server.name,
        serviceId: server.service_id,
        payments: `/s/${identity}/payments`,
        keptUntil: isKept && server.expires !== null ? keptUntil(server, server.expires) : null,
        files: `/s/${identity}/files`,
        list: { to: path('/s'), label: t('shell.servers') },
        keep,
        stale: aboutServer(server.id),
      }}
    />
  )
}
