import { NativeSelect } from '@mantine/core'
import type { Server } from '@wakestone/contract/servers/server'
import { isPassable, migrateBody, type Migration } from '@wakestone/contract/servers/migration'
import { ReasonInput } from '#app/features/admin/reason-input.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { useMove } from './moving-queries.ts'

type Props = {
  server: Pick<Server, 'id' | 'name'>
  moving: Migration
  opened: boolean
  onClose: () => void
  /** Administrators choose whether its owner is asked, say why, and pass over some of what is in the way. */
  asAdmin?: boolean
}

type Target = Migration['targets'][number]

/** Those that it can go to. */
export const openTargets = <Place extends Pick<Target, 'obstacle'>>(targets: readonly Place[], asAdmin: boolean) =>
  targets.filter(({ obstacle }) => isPassable(obstacle, asAdmin))

/** Asks where a server is to move, and says what that costs. */
export function MoveDialog({ server, opened, onClose, ...rest }: Props) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} title={t('moving.title', { name: server.name })}>
      {opened && <MoveForm server={server} onClose={onClose} {...rest} />}
    </Modal>
  )
}

function MoveForm({ server, moving, onClose, asAdmin = false }: Omit<Props, 'opened'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const move = useMove(server.id)
  const targets = openTargets(moving.targets, asAdmin)
  const form = useZodForm(migrateBody, {
    cluster_id: targets[0]?.id ?? '',
    ...(asAdmin && { by: 'ask' as const, reason: '' }),
  })
  const submit = form.submit(async (body) => {
    await move.mutateAsync(body)
    onClose()
  })
  const target = targets.find(({ id }) => id === form.values.cluster_id)
  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      action={t(asAdmin && form.values.by === 'ask' ? 'moving.ask' : 'moving.begin')}
      busy={form.busy}
      failure={form.failure}
    >
      <NativeSelect
        label={t('moving.to')}
        value={form.values.cluster_id}
        onChange={(event) => form.set('cluster_id', event.currentTarget.value)}
        data={targets.map(({ id, name, obstacle }) => ({
          value: id,
          label: obstacle === null ? name : `${name} · ${t(`moving.why.${obstacle}`)}`,
        }))}
      />
      <p>
        {target?.down_seconds == null
          ? t('moving.notUp')
          : t('moving.down', { time: format.duration(target.down_seconds) })}
      </p>
      <p>{t('moving.loses')}</p>
      {asAdmin && (
        <>
          <NativeSelect
            label={t('moving.how')}
            value={form.values.by ?? 'ask'}
            onChange={(event) => form.set('by', event.currentTarget.value === 'force' ? 'force' : 'ask')}
            data={[
              { value: 'ask', label: t('moving.ask') },
              { value: 'force', label: t('moving.force') },
            ]}
          />
          <ReasonInput description={t('moving.reasonHint')} {...form.field('reason')} />
        </>
      )}
    </DialogForm>
  )
}
