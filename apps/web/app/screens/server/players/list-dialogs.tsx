import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { listChangeBody, operatorBody, playerLimits } from '@wakestone/contract/servers/players'
import { changeOperators, changePlayerList } from '@wakestone/contract/servers/players-routes'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { type Reasons, reasonsFrom, reasonsOf } from '#app/ui/form-reasons.ts'
import { Modal } from '#app/ui/modal.tsx'
import { useReasonText } from '#app/ui/reason-text.ts'
import classes from './players.module.css'
import { playersChanged } from './players-queries.ts'

const durations = { forever: null, hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000 } as const
type Duration = keyof typeof durations

/** Sends one change of a list; the dialog stays with what is wrong about it. */
function useListForm(serverId: string, onClose: () => void) {
  const queries = useQueryClient()
  const textOf = useReasonText()
  const [reasons, setReasons] = useState<Reasons>({})
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  async function send<Schema extends z.ZodType>(
    schema: Schema,
    body: Record<string, unknown>,
    call: (parsed: z.output<Schema>) => Promise<unknown>,
  ) {
    const parsed = schema.safeParse(body)
    setFailure(undefined)
    setReasons(parsed.success ? {} : reasonsOf(schema, body))
    if (!parsed.success) return
    setBusy(true)
    try {
      await call(parsed.data)
      await playersChanged(queries, serverId)
      onClose()
    } catch (error) {
      const found = reasonsFrom(errorBodyOf(error), ['name', 'ip', 'reason', 'until'])
      setReasons(found)
      if (Object.keys(found).length === 0) setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, send, errorOf: (name: string) => textOf(reasons[name]) }
}

function ListDialog({
  title,
  action,
  look = 'primary',
  form,
  onClose,
  onSend,
  children,
}: {
  title: string
  action: string
  look?: 'primary' | 'danger'
  form: ReturnType<typeof useListForm>
  onClose: () => void
  onSend: () => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        className={classes['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onSend()
        }}
      >
        {children}
        {form.failure !== undefined && <ErrorNote error={form.failure} />}
        <div className={classes['send']}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" look={look} loading={form.busy}>
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

/** Lets somebody in. */
export function AllowDialog({ serverId, onClose }: { serverId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const form = useListForm(serverId, onClose)
  const [name, setName] = useState('')
  const send = () =>
    void form.send(listChangeBody, { list: 'whitelist', action: 'add', name }, (body) =>
      api(changePlayerList, { params: { id: serverId }, body }),
    )
  return (
    <ListDialog title={t('players.allow')} action={t('players.add')} form={form} onClose={onClose} onSend={send}>
      <NameField name={name} setName={setName} error={form.errorOf('name')} />
    </ListDialog>
  )
}

export function OperatorDialog({
  serverId,
  withLevel,
  onClose,
}: {
  serverId: string
  /** Games have no command for the level. */
  withLevel: boolean
  onClose: () => void
}) {
  const { t } = useTranslation()
  const form = useListForm(serverId, onClose)
  const [name, setName] = useState('')
  const [level, setLevel] = useState('4')
  const send = () =>
    void form.send(operatorBody, { action: 'add', name, ...(withLevel && { level: Number(level) }) }, (body) =>
      api(changeOperators, { params: { id: serverId }, body }),
    )
  return (
    <ListDialog title={t('players.makeOperator')} action={t('players.add')} form={form} onClose={onClose} onSend={send}>
      <NameField name={name} setName={setName} error={form.errorOf('name')} />
      {withLevel ? (
        <NativeSelect
          label={t('players.level')}
          value={level}
          data={['1', '2', '3', '4'].map((value) => ({
            value,
            label: `${value} · ${t(`players.levels.${value as '1' | '2' | '3' | '4'}`)}`,
          }))}
          onChange={(event) => setLevel(event.currentTarget.value)}
        />
      ) : (
        <p className={classes['muted']}>{t('players.levelWhenOff')}</p>
      )}
    </ListDialog>
  )
}

/** Bans a player or an address. @param name of whom it is about; undefined: it is typed */
export function BanDialog({
  serverId,
  name: given,
  address = false,
  onClose,
}: {
  serverId: string
  name?: string
  address?: boolean
  onClose: () => void
}) {
  const { t } = useTranslation()
  const form = useListForm(serverId, onClose)
  const [name, setName] = useState(given ?? '')
  const [reason, setReason] = useState('')
  const [duration, setDuration] = useState<Duration>('forever')
  const send = () => {
    const seconds = durations[duration]
    const until = seconds === null ? null : new Date(Date.now() + seconds * 1000).toISOString()
    const body = address
      ? { list: 'address_bans', action: 'add', ip: name.trim(), reason, until }
      : { list: 'bans', action: 'add', name, reason, until }
    void form.send(listChangeBody, body, (parsed) => api(changePlayerList, { params: { id: serverId }, body: parsed }))
  }
  const title =
    given !== undefined
      ? t('players.actOn.ban', { name: given })
      : t(address ? 'players.banAddress' : 'players.banPlayer')
  return (
    <ListDialog title={title} action={t('players.act.ban')} look="danger" form={form} onClose={onClose} onSend={send}>
      {given === undefined &&
        (address ? (
          <TextInput
            label={t('players.address')}
            description={t('players.addressHint')}
            className="mono"
            value={name}
            error={form.errorOf('ip')}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
        ) : (
          <NameField name={name} setName={setName} error={form.errorOf('name')} />
        ))}
      <TextInput
        label={t('players.reason')}
        description={t('players.reasonHint')}
        maxLength={playerLimits.textLength}
        value={reason}
        error={form.errorOf('reason')}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <NativeSelect
        label={t('players.howLong')}
        value={duration}
        data={(Object.keys(durations) as Duration[]).map((value) => ({
          value,
          label: t(`players.durations.${value}`),
        }))}
        onChange={(event) => setDuration(event.currentTarget.value as Duration)}
      />
    </ListDialog>
  )
}

function NameField({
  name,
  setName,
  error,
}: {
  name: string
  setName: (name: string) => void
  error: string | undefined
}) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('players.name')}
      autoComplete="off"
      spellCheck={false}
      maxLength={playerLimits.nameLength}
      value={name}
      error={error}
      onChange={(event) => setName(event.currentTarget.value)}
      data-autofocus
    />
  )
}
