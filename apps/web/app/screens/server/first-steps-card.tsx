import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { getFirstSteps } from '@wakestone/contract/accounts/first-steps-routes'
import { isProxyEngine } from '@wakestone/contract/servers/server'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { CloseFirstSteps } from '#app/features/session/close-first-steps.tsx'
import { firstStepsQuery } from '#app/features/session/first-steps-query.ts'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Checklist, type ChecklistItem } from '#app/ui/checklist.tsx'
import { useCopy } from '#app/ui/use-copy.ts'
import { playersQuery } from './players/players-queries.ts'
import type { ServerPage } from './use-server-page.ts'

type Shown = Pick<ServerPage, 'server' | 'status' | 'identity'>

/** What is still to be done with a server, until all of it is done or its owner hides it. */
export function FirstStepsCard({ server, status, identity }: Shown) {
  const queries = useQueryClient()
  const { data } = useQuery(firstStepsQuery())
  const known = data?.servers.find(({ id }) => id === server.id)
  const isShown = known !== undefined && !known.closed && data?.closed === false
  const isKnown = known?.joined === true
  const isPlayedOn = status.players.online > 0
  useEffect(() => {
    if (isShown && isPlayedOn && !isKnown) void makeStale(queries, answersOf(getFirstSteps))
  }, [isShown, isPlayedOn, isKnown, queries])
  if (!isShown) return null
  return <Steps server={server} identity={identity} isJoined={isKnown || isPlayedOn} isInvited={known.invited} />
}

function Steps({
  server,
  identity,
  isJoined,
  isInvited,
}: Pick<Shown, 'server' | 'identity'> & { isJoined: boolean; isInvited: boolean }) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy()
  const { data: players, isLoading } = useQuery({
    ...playersQuery(server.id),
    refetchInterval: false,
    // Before the files are there, the API refuses this.
    enabled: server.status.preparation === null,
  })
  const bedrock = server.cluster_ports.find(({ name }) => name === 'minecraft-bedrock')
  const address = bedrock === undefined ? server.address : (server.address.split(':')[0] ?? '')
  const lists = <Link to={`/s/${identity}/players?tab=lists`} />
  const ofGame: ChecklistItem[] = [
    {
      key: 'operator',
      done: players !== undefined && players.operators.length > 0,
      title: t('firstSteps.ofServer.operator.title'),
      text: <Trans i18nKey="firstSteps.ofServer.operator.text" components={{ a: lists }} />,
    },
    {
      key: 'whitelist',
      done: players?.whitelist_on === true,
      title: t('firstSteps.ofServer.whitelist.title'),
      text: <Trans i18nKey="firstSteps.ofServer.whitelist.text" components={{ a: lists }} />,
    },
  ]
  const isProxy = isProxyEngine(server.parameters.engine)
  // Whoever has done all of it does not see it come and go.
  if (isJoined && isInvited && (isProxy || isLoading || ofGame.every(({ done }) => done))) return null
  return (
    <Card title={t('firstSteps.title')} beside={<CloseFirstSteps serverId={server.id} />}>
      <Checklist
        label={t('firstSteps.title')}
        items={[
          {
            key: 'join',
            done: isJoined,
            title: t('firstSteps.steps.join.title'),
            text:
              bedrock === undefined
                ? t('firstSteps.steps.join.text')
                : t('firstSteps.ofServer.bedrock', { port: bedrock.port }),
            action: (
              <Button size="small" icon={copied ? <IconCheck /> : <IconCopy />} onClick={() => copy(address)}>
                {copied ? t('address.copied') : t('firstSteps.ofServer.copy')}
              </Button>
            ),
          },
          ...(isProxy ? [] : ofGame),
          {
            key: 'invite',
            done: isInvited,
            title: t('firstSteps.steps.invite.title'),
            text: (
              <Trans
                i18nKey="firstSteps.ofServer.invite"
                components={{ a: <Link to={`/s/${identity}/settings/access`} /> }}
              />
            ),
          },
        ]}
      />
    </Card>
  )
}
