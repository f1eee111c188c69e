import { HydrationBoundary, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import type { Consent } from '@wakestone/contract/accounts/consent'
import type { LegalSlug } from '@wakestone/contract/site/document'
import { prefetch } from '#app/api/prefetch.ts'
import { consentState, reopenConsent } from '#app/features/consent/consent-state.ts'
import { useConsent } from '#app/features/consent/use-consent.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import type { Translate } from '#app/i18n/create-i18n.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { QueryTable } from '#app/ui/query-table.tsx'
import { AccountFrame } from '../account-frame.tsx'
import account from '../account.module.css'
import type { Route } from './+types/consents'
import classes from './consents.module.css'
import { consentsQuery } from './consents-query.ts'

const subjects = ['terms', 'payments', 'gdpr', 'newsletter', 'cookies'] as const satisfies readonly Consent['subject'][]
const documents: Record<Consent['subject'], LegalSlug> = {
  terms: 'terms-of-service',
  payments: 'terms-and-conditions',
  gdpr: 'privacy-policy',
  newsletter: 'newsletter-terms',
  cookies: 'privacy-policy',
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  return { queries: await prefetch(consentsQuery(user.id, context.get(webContext).api)) }
}

/** `/{lang}/account/settings/consents`: what the user agreed to, in which version and when, and how to change it. */
export default function Consents({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="accountConsents" />
      <AccountFrame>
        <div className={account['sections']}>
          <Card title={t('consents.now')}>
            <InForce />
          </Card>
          <Card title={t('consents.history')} padded={false}>
            <History />
          </Card>
        </div>
      </AccountFrame>
    </HydrationBoundary>
  )
}

const useConsents = () => useQuery(consentsQuery(useSignedInUser().id))

/** What is decided about cookies on this very page is in the list at once. */
function useFreshConsents(): void {
  const queries = useQueryClient()
  const { id } = useSignedInUser()
  const { noted } = useSyncExternalStore(consentState.subscribe, consentState.get, consentState.getInitial)
  useEffect(() => {
    if (noted > 0) void queries.invalidateQueries(consentsQuery(id))
  }, [noted, queries, id])
}

/** The last word on each subject. */
function InForce() {
  const { t } = useTranslation()
  useFreshConsents()
  const { data: consents = [] } = useConsents()
  const lastOf = (subject: Consent['subject']) => consents.find((one) => one.subject === subject)
  // Older accounts agreed to the terms of payment with the others; nothing of it was noted.
  const shown = subjects.filter((subject) => subject !== 'payments' || lastOf(subject) !== undefined)
  return (
    <ul className={classes['subjects']}>
      {shown.map((subject) => (
        <li key={subject}>
          <div>
            <b>{t(`consents.subjects.${subject}`)}</b>
            <p>{subject === 'cookies' ? <CookieChoice /> : <LastWord subject={subject} consent={lastOf(subject)} />}</p>
          </div>
          <Way subject={subject} />
        </li>
      ))}
    </ul>
  )
}

function LastWord({ subject, consent }: { subject: Consent['subject']; consent: Consent | undefined }) {
  const { t } = useTranslation()
  // The newsletter's box is shown to whoever registers: left unticked, it is a no.
  if (consent === undefined) return <>{t(subject === 'newsletter' ? 'consents.declined' : 'consents.never')}</>
  return (
    <>
      <What consent={consent} /> · <Version consent={consent} /> · <DateTime value={consent.at} />
    </>
  )
}

/** It holds in a browser, also where it was made before anybody signed in. */
function CookieChoice() {
  const { t } = useTranslation()
  const chosen = useConsent()
  if (chosen === null) return <>{t('consents.notHere')}</>
  const allowed = allowedKinds({ analytics: chosen.analytics_storage, advertising: chosen.ad_storage }, t)
  return <>{t('consents.here', { allowed })}</>
}

/** Terms and policy go with the account; the others can be chosen anew. */
function Way({ subject }: { subject: Consent['subject'] }) {
  const { t } = useTranslation()
  const path = usePath()
  if (subject === 'cookies')
    return (
      <Button size="small" onClick={(event) => reopenConsent(event.currentTarget)}>
        {t('consents.change')}
        <span className="visually-hidden">: {t('consents.subjects.cookies')}</span>
      </Button>
    )
  if (subject === 'newsletter')
    return (
      <LinkButton size="small" to={path('/account/settings#newsletter')}>
        {t('consents.change')}
        <span className="visually-hidden">: {t('consents.subjects.newsletter')}</span>
      </LinkButton>
    )
  return null
}

/** What was said; of cookies: to what exactly. */
function What({ consent: { action, details } }: { consent: Consent }) {
  const { t } = useTranslation()
  if (details === null) return <>{t(`consents.actions.${action}`)}</>
  return <>{allowedKinds(details, t)}</>
}

/** Kinds of cookies that are allowed beyond the necessary ones. */
function allowedKinds(choice: Readonly<Record<string, boolean>>, t: Translate): string {
  const allowed = (['analytics', 'advertising'] as const).filter((kind) => choice[kind] === true)
  if (allowed.length === 0) return t('consent.necessary')
  return allowed.map((kind) => t(`consent.${kind}.title`)).join(', ')
}

function Version({ consent: { subject, version }, isShort = false }: { consent: Consent; isShort?: boolean }) {
  const { t } = useTranslation()
  const path = usePath()
  if (version === 'unknown') return <>{t('consents.unknownVersion')}</>
  return (
    <Link to={path(`/${documents[subject]}?version=${encodeURIComponent(version)}`)}>
      {isShort ? version : t('legal.version', { version })}
    </Link>
  )
}

function History() {
  const { t } = useTranslation()
  const list = useConsents()
  const columns: Column<Consent>[] = [
    {
      key: 'subject',
      header: t('consents.subject'),
      cell: ({ subject }) => <span className={classes['subject']}>{t(`consents.subjects.${subject}`)}</span>,
      phone: 'title',
    },
    { key: 'action', header: t('consents.action'), cell: (consent) => <What consent={consent} /> },
    { key: 'version', header: t('consents.version'), cell: (consent) => <Version consent={consent} isShort /> },
    { key: 'source', header: t('consents.source'), cell: ({ source }) => t(`consents.sources.${source}`) },
    { key: 'at', header: t('consents.at'), cell: ({ at }) => <DateTime value={at} /> },
  ]
  return (
    <QueryTable
      query={list}
      label={t('consents.history')}
      columns={columns}
      rows={list.data}
      rowKey={({ id }) => id}
      empty={<EmptyState figure="none" title={t('consents.emptyTitle')} text={t('consents.emptyText')} />}
    />
  )
}
