import { Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { applyAffiliateBody } from '@wakestone/contract/sales/affiliate'
import { applyForAffiliate, getAffiliate } from '@wakestone/contract/sales/affiliates-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './member.module.css'

/** Where somebody tells of us, and how; an administrator reads it. */
export function ApplyForm() {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const queries = useQueryClient()
  const form = useZodForm(applyAffiliateBody, { website: '', about: '' })
  const submit = form.submit(async (body) => {
    await api(applyForAffiliate, { params: { id }, body })
    await makeStale(queries, answersOf(getAffiliate, { id }))
  })
  return (
    <form className={classes['form']} noValidate onSubmit={submit}>
      <p className={classes['note']}>{t('affiliate.applyText')}</p>
      <TextInput label={t('affiliate.website')} type="url" {...form.field('website')} />
      <Textarea
        label={t('affiliate.about')}
        description={t('affiliate.aboutHint')}
        autosize
        minRows={3}
        maxLength={500}
        {...form.field('about')}
      />
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <Button type="submit" look="primary" loading={form.busy}>
        {t('affiliate.send')}
      </Button>
    </form>
  )
}
