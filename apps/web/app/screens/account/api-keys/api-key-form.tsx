import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { createApiKeyBody, type NewApiKey, scopesOpenTo } from '@wakestone/contract/accounts/api-key'
import { serverCapabilityGroups, userCapabilityGroups } from '@wakestone/contract/capability-names'
import { createApiKey } from '@wakestone/contract/accounts/api-keys-routes'
import { api } from '#app/api/client.ts'
import { CapabilityCheckboxes } from '#app/features/capabilities/capability-checkboxes.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { apiKeysQuery } from './api-keys-query.ts'
import own from './api-keys.module.css'

const lifetimes = ['30', '90', '365', 'never'] as const
const dayMilliseconds = 24 * 3600_000

/** Addresses are typed one on a line. */
const linesOf = (text: string) =>
  text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
const schema = z.object({
  name: createApiKeyBody.shape.name,
  scopes: createApiKeyBody.shape.scopes,
  lifetime: z.enum(lifetimes),
  addresses: z
    .string()
    .refine((text) => createApiKeyBody.shape.address_ranges.safeParse(linesOf(text)).success, 'address_range'),
})

/** Makes a key; the API may ask for a proof first. */
export function ApiKeyForm({ onMade }: { onMade: (made: NewApiKey) => void }) {
  const { t } = useTranslation()
  const { id, user_capabilities } = useSignedInUser()
  const queries = useQueryClient()
  const initial = { name: '', scopes: [], lifetime: '90' as const, addresses: '' }
  const form = useZodForm(schema, initial)
  const open = scopesOpenTo(user_capabilities)
  const groups = [...serverCapabilityGroups, ...userCapabilityGroups]
    .map(({ name, capabilities }) => ({
      name,
      capabilities: open.filter((scope) => [...capabilities].includes(scope as never)),
    }))
    .filter(({ capabilities }) => capabilities.length > 0)
  const submit = form.submit(async ({ name, scopes, lifetime, addresses }) => {
    const made = await api(createApiKey, {
      params: { id },
      body: {
        name,
        scopes,
        address_ranges: linesOf(addresses),
        expires_at:
          lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMilliseconds).toISOString(),
      },
    })
    for (const field of ['name', 'scopes', 'lifetime', 'addresses'] as const) form.set(field, initial[field])
    await queries.invalidateQueries(apiKeysQuery(id))
    onMade(made)
    scrollTo({ top: 0 })
  })
  const isFull = errorBodyOf(form.failure)?.error === 'too_many_requests'
  return (
    <form className={own['form']} noValidate onSubmit={submit}>
      <TextInput
        label={t('apiKeys.name')}
        description={t('apiKeys.nameHint')}
        maxLength={64}
        autoComplete="off"
        {...form.field('name')}
      />
      <div className={own['scopes']}>
        <p className={own['label']}>{t('apiKeys.scopes')}</p>
        <CapabilityCheckboxes
          groups={groups}
          chosen={form.values.scopes}
          onChange={(scopes) => form.set('scopes', scopes as typeof form.values.scopes)}
        />
        {form.isWrong('scopes') && (
          <p role="alert" className={own['wrong']}>
            {form.errorOf('scopes')}
          </p>
        )}
      </div>
      <NativeSelect
        label={t('apiKeys.lifetime')}
        data={lifetimes.map((value) => ({
          value,
          label: value === 'never' ? t('apiKeys.endless') : t('apiKeys.days', { count: Number(value) }),
        }))}
        {...form.field('lifetime')}
      />
      <Textarea
        label={t('apiKeys.addresses')}
        description={t('apiKeys.addressesHint')}
        rows={3}
        spellCheck={false}
        {...form.field('addresses')}
      />
      {form.failure !== undefined &&
        (isFull ? (
          <p role="alert" className={own['wrong']}>
            {t('apiKeys.tooMany')}
          </p>
        ) : (
          <ErrorNote error={form.failure} />
        ))}
      <Button type="submit" look="primary" loading={form.busy}>
        {t('apiKeys.make')}
      </Button>
    </form>
  )
}
