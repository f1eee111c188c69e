import { Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Rescue, rescueBody } from '@wakestone/contract/servers/migration'
import type { Server } from '@wakestone/contract/servers/server'
import { ReasonInput } from '#app/features/admin/reason-input.tsx'
import { openTargets } from '#app/features/servers/moving/move-dialog.tsx'
import { rescueQuery, useRescue } from '#app/features/servers/moving/moving-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'

/** Of a server whose machine is lost: brings it up on another cluster from a backup. */
export function RescueButton({ server }: { server: Pick<Server, 'id' | 'name'> }) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t('rescue.open')}
      </Button>
      <Modal opened={isAsking} onClose={close} title={t('rescue.title', { name: server.name })}>
        {isAsking && <RescueChoices serverId={server.id} onClose={close} />}
      </Modal>
    </>
  )
}

function RescueChoices({ serverId, onClose }: { serverId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(rescueQuery(serverId))
  if (data === undefined)
    return error === null ? <Skeleton height={320} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const open = openTargets(data.targets, true)
  const obstacle = data.targets[0]?.obstacle
  if (!data.is_lost) return <p>{t('rescue.back')}</p>
  if (data.backups.length === 0) return <p>{t('rescue.noBackup')}</p>
  if (open.length === 0)
    return <p>{obstacle == null ? t('moving.noTargets') : t('moving.none', { why: t(`moving.why.${obstacle}`) })}</p>
  return <RescueForm serverId={serverId} rescue={data} targets={open} onClose={onClose} />
}

function RescueForm({
  serverId,
  rescue: { lost_since, backups },
  targets,
  onClose,
}: {
  serverId: string
  rescue: Rescue
  /** Where it can go. */
  targets: Rescue['targets']
  onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const rescue = useRescue(serverId)
  const [isConfirmed, setConfirmed] = useState(false)
  const form = useZodForm(rescueBody, {
    cluster_id: targets[0]?.id ?? '',
    backup_id: backups[0]?.id ?? '',
    reason: '',
  })
  const submit = form.submit(async (body) => {
    await rescue.mutateAsync(body)
    onClose()
  })
  const backup = backups.find(({ id }) => id === form.values.backup_id)
  const time = backup === undefined ? '' : format.dateTime(backup.created_at)
  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      action={t('rescue.begin')}
      look="danger"
      busy={form.busy}
      failure={form.failure}
      why={isConfirmed ? undefined : t('rescue.whyConfirm')}
    >
      <p>{lost_since === null ? t('rescue.lost') : t('rescue.lostSince', { time: format.dateTime(lost_since) })}</p>
      <NativeSelect
        label={t('rescue.backup')}
        value={form.values.backup_id}
        onChange={(event) => {
          form.set('backup_id', event.currentTarget.value)
          setConfirmed(false)
        }}
        data={backups.map(({ id, created_at, name, bytes }) => ({
          value: id,
          label: [format.dateTime(created_at), ...(name === null ? [] : [name]), format.bytes(bytes)].join(' · '),
        }))}
      />
      <NativeSelect
        label={t('rescue.to')}
        value={form.values.cluster_id}
        onChange={(event) => form.set('cluster_id', event.currentTarget.value)}
        data={targets.map(({ id, name, obstacle }) => ({
          value: id,
          label: obstacle === null ? name : `${name} · ${t(`moving.why.${obstacle}`)}`,
        }))}
      />
      <ReasonInput description={t('moving.reasonHint')} {...form.field('reason')} />
      <p>{t('rescue.keeps')}</p>
      <Checkbox
        label={t('rescue.confirm', { time })}
        checked={isConfirmed}
        onChange={(event) => setConfirmed(event.currentTarget.checked)}
      />
    </DialogForm>
  )
}
