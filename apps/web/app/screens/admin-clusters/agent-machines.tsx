import { useState } from 'react'
import type { ShownAgent } from '@wakestone/contract/admin/agents'
import type { AdminCluster } from '@wakestone/contract/admin/clusters'
import { useChangeAgent, useCreateAgentToken, useRemoveAgent } from '#app/features/admin/server-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { CodeBlock } from '#app/ui/code-block.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { Answers, Check } from './machines.tsx'
import classes from './clusters.module.css'

/** Machines with agents: whether they answer, whether they take servers, and how another one joins. */
export function AgentMachines({ cluster, agents }: { cluster: AdminCluster; agents: readonly ShownAgent[] }) {
  const { t } = useTranslation()
  const change = useChangeAgent(cluster.id)
  const remove = useRemoveAgent(cluster.id)
  const create = useCreateAgentToken(cluster.id)
  const [leaving, setLeaving] = useState<ShownAgent>()
  return (
    <Card title={t('adminClusters.machines')}>
      <div className={classes['form']}>
        {agents.length === 0 ? (
          <EmptyState figure="none" title={t('adminClusters.noMachines')} text={t('adminClusters.noAgentsText')} />
        ) : (
          <ul className={classes['machines']}>
            {agents.map((agent) => (
              <li key={agent.id}>
                <div className={classes['who']}>
                  <div className={classes['badges']}>
                    <b>{agent.name}</b>
                    <Answers node={cluster.nodes.find(({ name }) => name === agent.name)} />
                    {agent.draining && (
                      <Badge size="small" colour="muted" shape="square">
                        {t('adminClusters.machineDrained')}
                      </Badge>
                    )}
                  </div>
                  <span>{addressOf(agent)}</span>
                  <span>{t('adminClusters.filesThere', { count: agent.servers })}</span>
                </div>
                <div className={classes['actions']}>
                  <Button
                    size="small"
                    loading={change.isPending && change.variables.agentId === agent.id}
                    onClick={() => change.mutate({ agentId: agent.id, draining: !agent.draining })}
                  >
                    {t(agent.draining ? 'adminClusters.fillMachine' : 'adminClusters.drainMachine')}
                  </Button>
                  <Button
                    size="small"
                    look="danger"
                    why={agent.servers > 0 ? t('adminClusters.machineHasServers') : undefined}
                    onClick={() => setLeaving(agent)}
                  >
                    {t('adminClusters.removeMachine')}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
        {change.error !== null && <ErrorNote error={change.error} />}
        {create.error !== null && <ErrorNote error={create.error} />}
        <div className={classes['actions']}>
          <Button loading={create.isPending} onClick={() => create.mutate()}>
            {t('adminClusters.addMachine')}
          </Button>
        </div>
        <Check cluster={cluster} />
      </div>
      <Modal
        opened={create.data !== undefined}
        onClose={() => create.reset()}
        title={t('adminClusters.addMachine')}
        actions={<Button onClick={() => create.reset()}>{t('common.close')}</Button>}
      >
        <div className={classes['form']}>
          <p>{t('adminClusters.joinText')}</p>
          <CodeBlock
            name={t('adminClusters.joinCommand')}
            text={`npm run agent -- --join ${create.data?.token ?? ''}`}
            mostLines={8}
          />
          <p className={classes['text']}>{t('adminClusters.joinHint')}</p>
        </div>
      </Modal>
      <ConfirmDialog
        opened={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('adminClusters.removeMachineTitle', { name: leaving?.name ?? '' })}
        text={t('adminClusters.removeAgentText')}
        action={t('adminClusters.removeMachine')}
        onConfirm={() => (leaving === undefined ? Promise.resolve() : remove.mutateAsync(leaving.id))}
      />
    </Card>
  )
}

const addressOf = ({ host, port }: ShownAgent) => `${host.includes(':') ? `[${host}]` : host}:${port}`
