import { TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { ownDomainSchema, proofGraceHours } from '@wakestone/contract/servers/addresses'
import { checkCraftumDomain, removeCraftumDomain, setCraftumDomain } from '@wakestone/contract/websites/craftums-routes'
import type { WebsiteDomain } from '@wakestone/contract/websites/domain'
import type { CraftumParameters } from '@wakestone/contract/websites/website'
import { api } from '#app/api/client.ts'
import { makeStale } from '#app/api/query-of.ts'
import { aboutWebsite } from '#app/api/stale-answers.ts'
import { Records } from '#app/features/addresses/records.tsx'
import { domainQuery } from '#app/features/websites/website-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Address } from '#app/ui/address.tsx'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './editor.module.css'

/** Where the website is, and the domain of its owner's own. */
export function DomainPanel({ website }: { website: CraftumParameters }) {
  const { t } = useTranslation()
  const { id, address } = website.craftum
  const queries = useQueryClient()
  const found = useQuery(domainQuery(id))
  const refresh = () => makeStale(queries, ...aboutWebsite(id))
  return (
    <section className={classes['panel']} aria-label={t('websites.tabs.address')}>
      <h2 className={classes['head']}>{t('websites.tabs.address')}</h2>
      <Address address={address} />
      {found.data === undefined ? (
        found.isError ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <SkeletonText lines={3} />
        )
      ) : found.data.domain === null ? (
        <ClaimForm id={id} onChanged={refresh} />
      ) : (
        <Domain id={id} domain={found.data.domain} onChanged={refresh} />
      )}
    </section>
  )
}

const fields = z.object({ fqdn: ownDomainSchema })

function ClaimForm({ id, onChanged }: { id: string; onChanged: () => Promise<void> }) {
  const { t } = useTranslation()
  const form = useZodForm(fields, { fqdn: '' })
  const submit = form.submit(async (body) => {
    await api(setCraftumDomain, { params: { id }, body })
    await onChanged()
  })
  return (
    <form className={classes['panelForm']} noValidate onSubmit={submit}>
      <p className={classes['muted']}>{t('websites.domainText')}</p>
      <TextInput
        label={t('websites.domain')}
        description={t('websites.domainHint')}
        autoCapitalize="off"
        spellCheck={false}
        inputMode="url"
        {...form.field('fqdn')}
      />
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <Button type="submit" loading={form.busy}>
        {t('websites.useDomain')}
      </Button>
    </form>
  )
}

function Domain({ id, domain, onChanged }: { id: string; domain: WebsiteDomain; onChanged: () => Promise<void> }) {
  const { t } = useTranslation()
  const [isLeaving, setLeaving] = useState(false)
  const params = { id }
  const check = useMutation({ mutationFn: () => api(checkCraftumDomain, { params }), onSettled: onChanged })
  const { fqdn, unicode, state, error, checked_at, proof_missing_since, certificate } = domain
  return (
    <>
      <p>
        <strong>{fqdn}</strong> · {t(`addresses.state.${state}`)}
      </p>
      {unicode !== null && <p className={classes['muted']}>{t('addresses.unicode', { unicode })}</p>}
      {state !== 'works' && (
        <p className={classes['muted']}>{t(state === 'unproven' ? 'websites.proveHint' : 'websites.leadHint')}</p>
      )}
      {state === 'works' && (
        <p className={classes['muted']}>
          {t(certificate === null ? 'websites.certificateHint' : `websites.certificate.${certificate}`)}
        </p>
      )}
      {error !== null && <ErrorNote error={error} />}
      {proof_missing_since !== null && (
        <p>
          {t('addresses.proofMissing', { hours: proofGraceHours })} <DateTime value={proof_missing_since} />
        </p>
      )}
      <Records targets={domain.targets} isOpen={state !== 'works'} hint={t('websites.recordsHint')} />
      {checked_at !== null && (
        <p className={classes['muted']}>
          {t('addresses.checkedAt')} <DateTime value={checked_at} />
        </p>
      )}
      {check.error !== null && <ErrorNote error={check.error} />}
      <span className={classes['ways']}>
        <Button size="small" loading={check.isPending} onClick={() => check.mutate()}>
          {t('addresses.check')}
        </Button>
        <Button size="small" look="danger" onClick={() => setLeaving(true)}>
          {t('websites.removeDomain')}
        </Button>
      </span>
      <ConfirmDialog
        opened={isLeaving}
        onClose={() => setLeaving(false)}
        title={t('websites.removeDomainTitle', { name: fqdn })}
        text={t('websites.removeDomainText')}
        action={t('websites.removeDomain')}
        onConfirm={async () => {
          await api(removeCraftumDomain, { params })
          await onChanged()
        }}
      />
    </>
  )
}
