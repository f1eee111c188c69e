import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { hasCapability } from '@wakestone/contract/capabilities'
import { createEventWebhookBody } from '@wakestone/contract/ground/webhooks'
import { createEventWebhook, listEventWebhooks } from '@wakestone/contract/ground/webhooks-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { ActionChoice } from './action-choice.tsx'
import own from './webhooks.module.css'

const initial = { url: '', scope: 'own' as const, actions: [] }

/** Adds an address; the API may ask for a proof first. */
export function WebhookForm() {
  const { t } = useTranslation()
  const { id, user_capabilities } = useSignedInUser()
  const queries = useQueryClient()
  const form = useZodForm(createEventWebhookBody, initial)
  const { scope, actions } = form.values
  const submit = form.submit(async (body) => {
    await api(createEventWebhook, { params: { id }, body })
    for (const field of ['url', 'scope', 'actions'] as const) form.set(field, initial[field])
    await makeStale(queries, answersOf(listEventWebhooks, { id }))
  })
  const reason = errorBodyOf(form.failure)?.error
  return (
    <form className={own['form']} noValidate onSubmit={submit}>
      <TextInput
        type="url"
        label={t('webhooks.url')}
        description={t('webhooks.urlHint')}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        {...form.field('url')}
      />
      {hasCapability(user_capabilities, 'admin') && (
        <NativeSelect
          label={t('webhooks.scope')}
          data={(['own', 'all'] as const).map((value) => ({ value, label: t(`webhooks.scopes.${value}`) }))}
          {...form.field('scope')}
        />
      )}
      <ActionChoice
        chosen={actions ?? []}
        isOperator={scope === 'all'}
        onChange={(next) => form.set('actions', next)}
      />
      {form.failure !== undefined &&
        (reason === 'too_many_requests' || reason === 'resource_already_exists' ? (
          <p role="alert" className={own['wrong']}>
            {t(reason === 'too_many_requests' ? 'webhooks.tooMany' : 'webhooks.known')}
          </p>
        ) : (
          <ErrorNote error={form.failure} />
        ))}
      <Button type="submit" look="primary" loading={form.busy}>
        {t('webhooks.add')}
      </Button>
    </form>
  )
}
