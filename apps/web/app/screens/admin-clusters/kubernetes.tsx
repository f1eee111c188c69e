import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { AdminCluster } from '@wakestone/contract/admin/clusters'
import {
  kubernetesReaches,
  type KubernetesReach,
  kubernetesSchema,
  type ShownKubernetes,
} from '@wakestone/contract/admin/kubernetes'
import { useChangeCluster } from '#app/features/admin/server-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { Answers, Check } from './machines.tsx'
import classes from './clusters.module.css'

const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
const emptyIsNull = (text: string) => (text.trim() === '' ? null : text)
const unsaid: ShownKubernetes = {
  namespace: 'wakestone-games',
  image: '',
  storage_class: null,
  reach: 'services',
  address: null,
  from: [],
  has_kubeconfig: false,
}

/** How a cluster of Kubernetes is spoken to, where servers are placed in it, and what it says when it is tried. */
export function Kubernetes({ cluster }: { cluster: AdminCluster }) {
  const { t } = useTranslation()
  return (
    <Card title={t('adminClusters.kubernetes.title')}>
      <div className={classes['form']}>
        {cluster.kubernetes === null ? (
          <EmptyState
            figure="none"
            title={t('adminClusters.kubernetes.unsaid')}
            text={t('adminClusters.kubernetes.unsaidText')}
          />
        ) : cluster.nodes.length === 0 ? (
          <Answers node={undefined} />
        ) : (
          <ul className={classes['machines']}>
            {cluster.nodes.map((node) => (
              <li key={node.name}>
                <div className={classes['badges']}>
                  <b>{node.name}</b>
                  <Answers node={node} />
                </div>
              </li>
            ))}
          </ul>
        )}
        <Place key={JSON.stringify(cluster.kubernetes)} cluster={cluster} />
        {cluster.kubernetes !== null && <Check cluster={cluster} />}
      </div>
    </Card>
  )
}

function Place({ cluster }: { cluster: AdminCluster }) {
  const { t } = useTranslation()
  const change = useChangeCluster(cluster.id)
  const { has_kubeconfig, ...known } = cluster.kubernetes ?? unsaid
  const form = useZodForm(kubernetesSchema, known)
  const [from, setFrom] = useState(known.from.join('\n'))
  const submit = form.submit(async (kubernetes) => void (await change.mutateAsync({ kubernetes })))
  return (
    <form className={classes['form']} noValidate onSubmit={(event) => void submit(event)}>
      <TextInput
        {...plain}
        label={t('adminClusters.kubernetes.namespace')}
        description={t('adminClusters.kubernetes.namespaceHint')}
        maxLength={63}
        {...form.field('namespace')}
      />
      <TextInput
        {...plain}
        label={t('adminClusters.kubernetes.image')}
        description={t('adminClusters.kubernetes.imageHint')}
        {...form.field('image')}
      />
      <TextInput
        {...plain}
        name="storage_class"
        label={t('adminClusters.kubernetes.storageClass')}
        description={t('adminClusters.kubernetes.storageClassHint')}
        value={form.values.storage_class ?? ''}
        onChange={(event) => form.set('storage_class', emptyIsNull(event.currentTarget.value))}
        onBlur={() => form.check('storage_class')}
        error={form.errorOf('storage_class')}
      />
      <NativeSelect
        name="reach"
        label={t('adminClusters.kubernetes.reach')}
        description={t(`adminClusters.kubernetes.reachHints.${form.values.reach}`)}
        value={form.values.reach}
        onChange={(event) => form.set('reach', event.currentTarget.value as KubernetesReach)}
        data={kubernetesReaches.map((value) => ({ value, label: t(`adminClusters.kubernetes.reaches.${value}`) }))}
      />
      {form.values.reach === 'nodes' && (
        <TextInput
          {...plain}
          name="address"
          label={t('adminClusters.kubernetes.address')}
          description={t('adminClusters.kubernetes.addressHint')}
          value={form.values.address ?? ''}
          onChange={(event) => form.set('address', emptyIsNull(event.currentTarget.value))}
          onBlur={() => form.check('address')}
          error={form.errorOf('address')}
        />
      )}
      <Textarea
        {...plain}
        autosize
        minRows={1}
        maxRows={4}
        name="from"
        label={t('adminClusters.kubernetes.from')}
        description={t('adminClusters.kubernetes.fromHint')}
        value={from}
        onChange={(event) => {
          setFrom(event.currentTarget.value)
          form.set('from', event.currentTarget.value.split(/[\s,]+/).filter(Boolean))
        }}
        onBlur={() => form.check('from')}
        error={form.errorOf('from')}
      />
      <Textarea
        {...plain}
        name="kubeconfig"
        rows={3}
        label={t('adminClusters.kubernetes.kubeconfig')}
        description={t(
          has_kubeconfig ? 'adminClusters.kubernetes.kubeconfigKept' : 'adminClusters.kubernetes.kubeconfigHint',
        )}
        value={form.values.kubeconfig ?? ''}
        onChange={(event) => form.set('kubeconfig', event.currentTarget.value || undefined)}
        onBlur={() => form.check('kubeconfig')}
        error={form.errorOf('kubeconfig')}
      />
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <div className={classes['actions']}>
        <Button type="submit" look="primary" loading={form.busy}>
          {t('adminClusters.save')}
        </Button>
        {has_kubeconfig && (
          <Button
            loading={change.isPending}
            onClick={() => change.mutate({ kubernetes: { ...known, kubeconfig: null } })}
          >
            {t('adminClusters.kubernetes.forgetKubeconfig')}
          </Button>
        )}
      </div>
    </form>
  )
}
