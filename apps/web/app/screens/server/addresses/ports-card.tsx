import { TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { canManagePorts } from '@wakestone/contract/capabilities'
import { type ClusterPort, portNameSchema } from '@wakestone/contract/servers/ports'
import { acquirePort, getPortLimits, releasePort } from '@wakestone/contract/servers/ports-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Address } from '#app/ui/address.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Modal } from '#app/ui/modal.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './addresses.module.css'
import { WhyNot } from './why-not.tsx'

type Shared = { server: Server; onChanged: () => Promise<unknown> }

/** Ports beside the game's own: for voice chat, maps and votes. */
export function PortsCard({ server, onChanged }: Shared) {
  const { t } = useTranslation()
  const format = useFormat()
  const user = useSignedInUser()
  const queries = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const mayChange = canManagePorts(user.user_capabilities, server.user_capabilities)
  const { data, error, refetch } = useQuery({
    ...queryOf(getPortLimits, { params: { id: server.id } }),
    enabled: mayChange,
  })
  const changed = () => Promise.all([onChanged(), makeStale(queries, answersOf(getPortLimits, { id: server.id }))])
  const ports = server.cluster_ports.filter(({ created_by }) => created_by !== null)
  const why = !mayChange
    ? t('ports.notYours')
    : data === undefined || data.quota.available > 0
      ? data?.next_available_at == null
        ? undefined
        : t('ports.later', { time: format.dateTime(data.next_available_at) })
      : data.quota.limit === 0
        ? t('ports.noneInPlan')
        : t('ports.full', { count: data.quota.limit })
  return (
    <Card
      title={t('ports.title')}
      beside={data && t('ports.taken', { taken: data.quota.limit - data.quota.available, limit: data.quota.limit })}
    >
      <p className={classes['hint']}>{t('ports.text')}</p>
      {mayChange && data === undefined ? (
        error === null ? (
          <Skeleton height={120} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          {ports.length === 0 ? (
            <EmptyState title={t('ports.emptyTitle')} text={t('ports.emptyText')} figure="none" />
          ) : (
            <ul className={classes['list']}>
              {ports.map((port) => (
                <PortRow
                  key={port.port}
                  server={server}
                  port={port}
                  why={mayChange ? undefined : t('ports.notYours')}
                  onChanged={changed}
                />
              ))}
            </ul>
          )}
          <div className={classes['actions']}>
            <Button icon={<IconPlus />} why={why} onClick={() => setAdding(true)}>
              {t('ports.add')}
            </Button>
          </div>
          <WhyNot server={server} why={why} isOfPlan={data?.quota.available === 0} />
        </>
      )}
      {isAdding && <PortDialog serverId={server.id} onClose={() => setAdding(false)} onSaved={changed} />}
    </Card>
  )
}

function PortRow({ server, port, why, onChanged }: Shared & { port: ClusterPort; why: string | undefined }) {
  const { t } = useTranslation()
  const [asks, setAsks] = useState<'release' | 'exchange' | null>(null)
  const { name } = port
  const params = { id: server.id }
  const host = server.domains.find(({ kind }) => kind === 'primary')?.fqdn ?? server.domains[0]?.fqdn ?? ''
  return (
    <li className={classes['row']} data-testid={`port-${port.port}`}>
      <div className={classes['words']}>
        <b>{name}</b>
        <div className={classes['name']}>
          <Address address={`${host}:${port.port}`} />
        </div>
        <p className={classes['hint']}>{t('ports.listen', { port: port.target_port })}</p>
      </div>
      <div className={classes['actions']}>
        <Button size="small" why={why} aria-label={t('ports.exchangeOf', { name })} onClick={() => setAsks('exchange')}>
          {t('ports.exchange')}
        </Button>
        <Button
          size="small"
          look="quiet"
          why={why}
          aria-label={t('ports.releaseOf', { name })}
          onClick={() => setAsks('release')}
        >
          {t('ports.release')}
        </Button>
      </div>
      <ConfirmDialog
        opened={asks === 'release'}
        onClose={() => setAsks(null)}
        title={t('ports.releaseTitle', { name, port: port.port })}
        text={t('ports.releaseText')}
        action={t('ports.release')}
        onConfirm={async () => {
          await api(releasePort, { params, body: { port: port.port } })
          await onChanged()
        }}
      />
      <ConfirmDialog
        opened={asks === 'exchange'}
        onClose={() => setAsks(null)}
        title={t('ports.exchangeTitle', { name, port: port.port })}
        text={t('ports.exchangeText')}
        action={t('ports.exchange')}
        onConfirm={async () => {
          await api(acquirePort, { params, body: { name, instead_of: port.port } })
          await onChanged()
        }}
      />
    </li>
  )
}

const portBody = z.object({ name: portNameSchema })

function PortDialog({
  serverId,
  onClose,
  onSaved,
}: {
  serverId: string
  onClose: () => void
  onSaved: () => Promise<unknown>
}) {
  const { t } = useTranslation()
  const form = useZodForm(portBody, { name: '' })
  const submit = form.submit(async (body) => {
    try {
      await api(acquirePort, { params: { id: serverId }, body })
    } catch (error) {
      if (errorBodyOf(error)?.error !== 'resource_already_exists') throw error
      return form.refuse('name', 'taken')
    }
    await onSaved()
    onClose()
  })
  return (
    <Modal opened onClose={onClose} title={t('ports.add')}>
      <DialogForm onSubmit={submit} onCancel={onClose} action={t('ports.add')} busy={form.busy} failure={form.failure}>
        <TextInput
          label={t('ports.name')}
          description={t('ports.nameHint')}
          autoComplete="off"
          data-autofocus
          {...form.field('name')}
        />
      </DialogForm>
    </Modal>
  )
}
