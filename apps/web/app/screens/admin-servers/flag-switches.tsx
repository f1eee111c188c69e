import { Switch } from '@mantine/core'
import { useState } from 'react'
import {
  type AdminServer,
  changeAdminServerBody,
  type ServerFlag,
  serverFlags,
} from '@wakestone/contract/admin/servers'
import { ReasonInput } from '#app/features/admin/reason-input.tsx'
import { useChangeServerFlags } from '#app/features/admin/server-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './admin-servers.module.css'

type Turn = { flag: ServerFlag; on: boolean }

/** What only administrators turn. Each asks for a reason, which the owner reads among the events. */
export function FlagSwitches({ data }: { data: AdminServer }) {
  const { t } = useTranslation()
  const [turn, setTurn] = useState<Turn | null>(null)
  return (
    <Card title={t('adminServers.switches')}>
      <div className={classes['switches']}>
        {serverFlags.map((flag) => (
          <Switch
            key={flag}
            label={t(`adminServers.flags.${flag}`)}
            description={t(`adminServers.flagHints.${flag}`)}
            checked={data.flags[flag] === true}
            onChange={(event) => setTurn({ flag, on: event.currentTarget.checked })}
          />
        ))}
      </div>
      <Modal
        opened={turn !== null}
        onClose={() => setTurn(null)}
        title={turn === null ? '' : t(turn.on ? 'adminServers.turnOn' : 'adminServers.turnOff', nameOf(turn, data, t))}
      >
        {turn !== null && <TurnForm data={data} turn={turn} onClose={() => setTurn(null)} />}
      </Modal>
    </Card>
  )
}

const nameOf = ({ flag }: Turn, { server }: AdminServer, t: ReturnType<typeof useTranslation>['t']) => ({
  flag: t(`adminServers.flags.${flag}`),
  name: server.name,
})

function TurnForm({ data, turn: { flag, on }, onClose }: { data: AdminServer; turn: Turn; onClose: () => void }) {
  const { t } = useTranslation()
  const change = useChangeServerFlags(data.server.id)
  const wanted: Partial<Record<ServerFlag, boolean>> = { [flag]: on }
  const form = useZodForm(changeAdminServerBody, { reason: '', ...wanted })
  const submit = form.submit(async (body) => {
    await change.mutateAsync(body)
    onClose()
  })
  const isLoss = flag === 'disabled' && on
  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      action={t(on ? 'adminServers.on' : 'adminServers.off')}
      look={isLoss ? 'danger' : 'primary'}
      busy={form.busy}
      failure={form.failure}
    >
      <p>{t(isLoss ? 'adminServers.disableText' : `adminServers.flagHints.${flag}`)}</p>
      <ReasonInput description={t('adminServers.reasonHint')} minRows={3} data-autofocus {...form.field('reason')} />
    </DialogForm>
  )
}
