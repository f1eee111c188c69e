import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconX } from '@tabler/icons-react'
import { closeFirstSteps } from '@wakestone/contract/accounts/first-steps-routes'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { firstStepsQuery } from './first-steps-query.ts'
import { useSignedInUser } from './use-user.ts'

/** Hides the first steps everywhere, or those of one server. Not offered while viewing the panel as another user. */
export function CloseFirstSteps({ serverId }: { serverId?: string }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const user = useSignedInUser()
  const close = useMutation({
    mutationFn: () => api(closeFirstSteps, { query: serverId === undefined ? {} : { server_id: serverId } }),
    onSuccess: () =>
      queries.setQueryData(firstStepsQuery().queryKey, (told) =>
        told === undefined || serverId === undefined
          ? told && { ...told, closed: true }
          : { ...told, servers: told.servers.map((one) => (one.id === serverId ? { ...one, closed: true } : one)) },
      ),
    onError: (error) => showErrorToast(error),
  })
  if (user.actor !== undefined) return null
  return (
    <Button look="quiet" size="small" icon={<IconX />} loading={close.isPending} onClick={() => close.mutate()}>
      {t('firstSteps.close')}
    </Button>
  )
}
