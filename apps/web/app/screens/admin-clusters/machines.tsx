import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type AdminCluster, clusterHostSchema, type ShownClusterHost } from '@wakestone/contract/admin/clusters'
import { useChangeCluster, useCheckCluster } from '#app/features/admin/server-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './clusters.module.css'

type Hosts = readonly ShownClusterHost[]

/** The machines of a cluster of containers, and what they say when they are tried. */
export function Machines({ cluster, hosts }: { cluster: AdminCluster; hosts: Hosts }) {
  const { t } = useTranslation()
  const change = useChangeCluster(cluster.id)
  const [edited, setEdited] = useState<ShownClusterHost | 'new'>()
  const [leaving, setLeaving] = useState<ShownClusterHost>()
  return (
    <Card title={t('adminClusters.machines')}>
      <div className={classes['form']}>
        {hosts.length === 0 ? (
          <EmptyState figure="none" title={t('adminClusters.noMachines')} text={t('adminClusters.noMachinesText')} />
        ) : (
          <ul className={classes['machines']}>
            {hosts.map((host) => (
              <li key={host.name}>
                <div className={classes['who']}>
                  <div className={classes['badges']}>
                    <b>{host.name}</b>
                    <Answers node={cluster.nodes.find(({ name }) => name === host.name)} />
                  </div>
                  <span>{host.url}</span>
                  <span>{t('adminClusters.reachedAt', { address: host.address })}</span>
                </div>
                <div className={classes['actions']}>
                  <Button size="small" onClick={() => setEdited(host)}>
                    {t('adminClusters.editMachine')}
                  </Button>
                  <Button size="small" look="danger" onClick={() => setLeaving(host)}>
                    {t('adminClusters.removeMachine')}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
        <div className={classes['actions']}>
          <Button onClick={() => setEdited('new')}>{t('adminClusters.addMachine')}</Button>
        </div>
        <Check cluster={cluster} />
      </div>
      {edited !== undefined && (
        <MachineDialog
          key={edited === 'new' ? '' : edited.name}
          cluster={cluster}
          hosts={hosts}
          host={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      <ConfirmDialog
        opened={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('adminClusters.removeMachineTitle', { name: leaving?.name ?? '' })}
        text={t('adminClusters.removeMachineText')}
        action={t('adminClusters.removeMachine')}
        onConfirm={() => change.mutateAsync({ hosts: bodiesOf(hosts.filter((host) => host !== leaving)) })}
      />
    </Card>
  )
}

/** Whether a machine is heard, and what it has. */
export function Answers({ node }: { node: AdminCluster['nodes'][number] | undefined }) {
  const { t } = useTranslation()
  if (node?.answers === true)
    return (
      <Badge size="small" colour="moss" shape="filled">
        {t('adminClusters.placedThere', { count: node.placed })}
      </Badge>
    )
  return (
    <Badge size="small" colour="ember" shape="triangle">
      {t('adminClusters.silent')}
    </Badge>
  )
}

/** What is kept of them already, without what is never told again. */
const bodiesOf = (hosts: Hosts) => hosts.map(({ name, url, address, refused }) => ({ name, url, address, refused }))

/** Has the cluster try all it needs. */
export function Check({ cluster }: { cluster: AdminCluster }) {
  const { t } = useTranslation()
  const check = useCheckCluster(cluster.id)
  const { data } = check
  return (
    <>
      <div className={classes['actions']}>
        <Button loading={check.isPending} onClick={() => check.mutate()}>
          {t('adminClusters.check')}
        </Button>
      </div>
      <div role="status" className={classes['form']}>
        {data !== undefined && (
          <p className={classes['text']}>
            {t(data.ok ? 'adminClusters.checkGood' : 'adminClusters.checkBad')}
            {data.problems.length > 0 && ` ${t('adminClusters.checkSays')}`}
          </p>
        )}
        {data !== undefined && data.problems.length > 0 && (
          <ul className={classes['problems']} lang="en">
            {data.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
      </div>
      {check.error !== null && <ErrorNote error={check.error} />}
    </>
  )
}

const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
const empty = { name: '', url: '', address: '', refused: [], has_tls: false }
const pems = ['ca', 'cert', 'key'] as const

function MachineDialog({
  cluster,
  hosts,
  host,
  onClose,
}: {
  cluster: AdminCluster
  hosts: Hosts
  host: ShownClusterHost | undefined
  onClose: () => void
}) {
  const { t } = useTranslation()
  const change = useChangeCluster(cluster.id)
  const { has_tls, ...known } = host ?? empty
  const form = useZodForm(clusterHostSchema, known)
  const [refused, setRefused] = useState(known.refused.join('\n'))
  const submit = form.submit(async (machine) => {
    const others = hosts.filter(({ name }) => name !== host?.name)
    if (others.some(({ name }) => name === machine.name)) return form.refuse('name', 'taken')
    await change.mutateAsync({ hosts: [...bodiesOf(others), machine] })
    onClose()
  })
  const isRemote = form.values.url.startsWith('tcp:')
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(host === undefined ? 'adminClusters.addMachine' : 'adminClusters.editMachine')}
    >
      <DialogForm
        onSubmit={submit}
        onCancel={onClose}
        action={t('adminClusters.save')}
        busy={form.busy}
        failure={form.failure}
      >
        <TextInput
          {...plain}
          label={t('adminClusters.name')}
          description={t('adminClusters.machineNameHint')}
          maxLength={40}
          {...form.field('name')}
          readOnly={host !== undefined}
        />
        <TextInput
          {...plain}
          label={t('adminClusters.engine')}
          description={t('adminClusters.engineHint')}
          {...form.field('url')}
        />
        <TextInput
          {...plain}
          label={t('adminClusters.address')}
          description={t('adminClusters.addressHint')}
          {...form.field('address')}
        />
        <Textarea
          {...plain}
          autosize
          minRows={1}
          maxRows={4}
          name="refused"
          label={t('adminClusters.refused')}
          description={t('adminClusters.refusedHint')}
          value={refused}
          onChange={(event) => {
            setRefused(event.currentTarget.value)
            form.set('refused', event.currentTarget.value.split(/[\s,]+/).filter(Boolean))
          }}
          onBlur={() => form.check('refused')}
          error={form.errorOf('refused')}
        />
        {isRemote &&
          pems.map((name) => (
            <Textarea
              {...plain}
              key={name}
              name={name}
              rows={3}
              label={t(`adminClusters.pem.${name}`)}
              description={has_tls ? t('adminClusters.pemKept') : t('adminClusters.pemHint')}
              value={form.values[name] ?? ''}
              onChange={(event) => form.set(name, event.currentTarget.value || undefined)}
              onBlur={() => form.check(name)}
              error={form.errorOf(name)}
            />
          ))}
      </DialogForm>
    </Modal>
  )
}
