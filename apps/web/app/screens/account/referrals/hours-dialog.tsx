import { NativeSelect, NumberInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useReferralHours } from '@wakestone/contract/sales/referrals-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { api } from '#app/api/client.ts'
import { makeStale } from '#app/api/query-of.ts'
import { aboutService, aboutUser, aboutWithdrawal } from '#app/api/stale-answers.ts'
import { attemptKey, endAttempt } from '#app/features/payment/attempt-key.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Modal } from '#app/ui/modal.tsx'

type Props = {
  onClose: () => void
  /** Told what has happened, in words. */
  onDone: (text: string) => void
  hours: number
  code: string
  servers: readonly Server[]
}

/** Which server, how many hours, and until when it then runs. */
export function HoursDialog({ opened, ...props }: Props & { opened: boolean }) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={props.onClose} title={t('referrals.useTitle')}>
      <HoursForm {...props} />
    </Modal>
  )
}

function HoursForm({ onClose, onDone, hours: most, code, servers }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const [serverId, setServerId] = useState(servers[0]?.id ?? '')
  const [hours, setHours] = useState<number | string>(most)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [now, setNow] = useState<number>()
  useEffect(() => setNow(Date.now()), [])
  const server = servers.find(({ id }) => id === serverId)
  const count = Number(hours)
  const isGood = Number.isInteger(count) && count >= 1 && count <= most
  const end =
    server?.expires == null || now === undefined || !isGood
      ? undefined
      : Math.max(now, Date.parse(server.expires)) + count * 3_600_000

  const put = async () => {
    if (server === undefined || !isGood) return
    setBusy(true)
    setFailure(undefined)
    try {
      const body = { referral_code: code, hours: count }
      const idempotencyKey = attemptKey({ service: server.service_id, ...body }, window.sessionStorage)
      await api(useReferralHours, { params: { serviceId: server.service_id }, body, idempotencyKey })
      endAttempt(window.sessionStorage)
      onDone(t('referrals.used', { count, name: server.name }))
      onClose()
      await makeStale(queries, ...aboutUser(), ...aboutService(server.service_id), aboutWithdrawal(server.service_id))
    } catch (error) {
      // A definite no ends the attempt; without an answer the same key protects the next try.
      if (errorBodyOf(error) !== undefined) endAttempt(window.sessionStorage)
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <DialogForm
      onSubmit={(event) => {
        event.preventDefault()
        return put()
      }}
      onCancel={onClose}
      action={t('referrals.put')}
      busy={busy}
      failure={failure}
      why={isGood ? undefined : t('referrals.howManyHint', { count: most })}
    >
      <NativeSelect
        label={t('referrals.server')}
        value={serverId}
        onChange={(event) => setServerId(event.currentTarget.value)}
        data={servers.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <NumberInput
        label={t('referrals.howMany')}
        description={t('referrals.howManyHint', { count: most })}
        value={hours}
        onChange={setHours}
        min={1}
        max={most}
        allowDecimal={false}
        error={isGood ? undefined : t('referrals.howManyHint', { count: most })}
      />
      <KeyValueList
        rows={[
          { key: t('renew.runsUntil'), value: server?.expires == null ? '–' : format.dateTime(server.expires) },
          { key: t('renew.then'), value: end === undefined ? '–' : format.dateTime(end) },
        ]}
      />
    </DialogForm>
  )
}
