import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconClockHour4 } from '@tabler/icons-react'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import { cancelCountdown } from '@wakestone/contract/servers/servers-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { operationsQuery } from '#app/features/servers/operations/operation-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { useNow } from '#app/ui/use-now.ts'
import classes from './power.module.css'

/** The stop or restart that players of a server have been warned of, if any. */
export function useCountdown(serverId: string): { action: 'stop' | 'restart'; at: string } | undefined {
  const { data: operations = [] } = useQuery(operationsQuery(serverId))
  const found = operations.find(
    ({ kind, state }) => kind === 'countdown' && (state === 'queued' || state === 'running'),
  )
  const { action, at } = found?.about ?? {}
  if (typeof at !== 'string' || (action !== 'stop' && action !== 'restart')) return undefined
  return { action, at }
}

/** The time left until a server stops or restarts, with a button to cancel. Renders nothing without a countdown. */
export function Countdown({ serverId, canPower }: { serverId: string; canPower: boolean }) {
  const { t } = useTranslation()
  const now = useNow()
  const queries = useQueryClient()
  const countdown = useCountdown(serverId)
  const cancel = useMutation({
    mutationFn: () => api(cancelCountdown, { params: { id: serverId } }),
    onError: (error) => showErrorToast(error),
    onSettled: () => makeStale(queries, answersOf(listProcesses, { id: serverId })),
  })
  if (countdown === undefined) return null
  const { action, at } = countdown
  const left = now === null ? null : Math.max(0, Math.ceil((Date.parse(at) - now) / 1000))
  return (
    <div className={classes.countdown} role="timer">
      <IconClockHour4 size={18} aria-hidden />
      <strong>{t(`server.countdown.${action}`, { time: left === null ? '' : clock(left) })}</strong>
      <Button
        size="small"
        why={canPower ? undefined : t('server.because.capability')}
        loading={cancel.isPending}
        onClick={() => cancel.mutate()}
      >
        {t(action === 'stop' ? 'server.countdown.cancelStop' : 'server.countdown.cancelRestart')}
      </Button>
    </div>
  )
}

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
