/**
 * What users agreed to, with version, time and way, as evidence. Who agreed to an older version is asked again, and
 * goes no further where that demands it; who never did here (an account that the operator made) is not.
 */
import type { z } from 'zod'
import {
  agreementSubjects,
  type AgreementSubject,
  type Consent,
  type giveConsentBody,
} from '@wakestone/contract/accounts/consent'
import type { LegalSlug } from '@wakestone/contract/site/document'
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import type { User } from '@wakestone/contract/accounts/user'
import type { Context } from '#src/context.ts'
import type { Handle, Transaction } from '#src/db/client.ts'
import { termsInForce, termsSince } from '#src/features/site/documents/service.ts'
import { listNewsletterConsentsOf } from '#src/features/site/newsletter/service.ts'
import { type ConsentRow, insertConsents, selectConsents, selectNewest } from './repo.ts'

type Place = Parameters<typeof termsInForce>[0]

const slugs: Record<AgreementSubject, LegalSlug> = {
  terms: 'terms-of-service',
  payments: 'terms-and-conditions',
  gdpr: 'privacy-policy',
}
const versionOf = async (place: Place, language: Language, slug: LegalSlug) =>
  (await termsInForce(place, language, slug))?.version ?? 'unknown'
const withoutZone = (ip: string) => ip.replace(/%.*$/, '')

/** The tick at registration, in its transaction: the documents as they are in the account's language. */
export async function agreeToTerms(
  place: Place,
  trx: Transaction,
  { id: userId, language }: { id: string; language: string },
  ip: string,
): Promise<void> {
  const rows = agreementSubjects.map(async (subject) => ({
    userId,
    subject,
    action: 'given' as const,
    version: await versionOf(place, language as Language, slugs[subject]),
    source: 'registration' as const,
    address: withoutZone(ip),
  }))
  await insertConsents(trx, await Promise.all(rows))
}

/** What a user agreed to last of each subject. */
export const findAgreements = (db: Handle, userId: string): Promise<ConsentRow[]> => selectNewest(db, userId)

/** What the account shows of it: since when, and which words have changed since. */
export async function showAgreements(
  place: Place,
  newest: readonly ConsentRow[],
  language: Language,
): Promise<Pick<User, 'accepted_cookie_policy' | 'gdpr_consent' | 'consents_due'>> {
  const find = (subject: string) => newest.find((row) => row.subject === subject && row.action === 'given')
  return {
    accepted_cookie_policy: find('cookies')?.at.toISOString() ?? null,
    gdpr_consent: find('gdpr')?.at.toISOString() ?? null,
    consents_due: await findDue(place, newest, language),
  }
}

async function findDue(place: Place, newest: readonly ConsentRow[], language: Language): Promise<User['consents_due']> {
  const due: User['consents_due'] = []
  for (const subject of agreementSubjects) {
    const given = newest.find((row) => row.subject === subject && row.action === 'given')
    if (given === undefined) continue
    const slug = slugs[subject]
    const since = await termsSince(place, { slug, language, agreed: given.version })
    if (since !== undefined) due.push({ subject, slug, ...since })
  }
  return due
}

/** @throws DomainError `user_has_to_accept_terms`, with what there is to agree to. */
export async function requireTermsAccepted(
  context: Place & { db: Handle },
  { userId, language }: { userId: string; language: Language },
): Promise<void> {
  const due = await findDue(context, await selectNewest(context.db, userId), language)
  const required = due.filter((one) => one.required)
  if (required.length > 0)
    throw new DomainError('user_has_to_accept_terms', { subjects: required.map(({ subject }) => subject).join(',') })
}

/** All that a user agreed to and took back, newest first; the newsletter's steps too. */
export async function listConsentsOf(db: Handle, userId: string): Promise<Consent[]> {
  const [own, newsletter] = await Promise.all([selectConsents(db, userId), listNewsletterConsentsOf(db, userId)])
  const shown = own.map((row) => ({
    id: row.id,
    subject: row.subject as Consent['subject'],
    action: row.action as Consent['action'],
    version: row.version,
    source: row.source as Consent['source'],
    details: row.details as Consent['details'],
    at: row.at.toISOString(),
  }))
  return [...shown, ...newsletter].toSorted((one, other) => other.at.localeCompare(one.at))
}

/** @throws DomainError `resource_not_found` for a version that is not in force: what was read is what is agreed to. */
export async function noteConsent(
  context: Place & Pick<Context, 'db'>,
  { userId, language, ip }: { userId: string; language: Language; ip: string },
  body: z.output<typeof giveConsentBody>,
): Promise<void> {
  const address = withoutZone(ip)
  if (body.subject === 'cookies') {
    const { analytics, advertising } = body
    const version = await versionOf(context, language, 'privacy-policy')
    const details = { analytics, advertising }
    const choice = { userId, subject: body.subject, version, source: 'cookie_choice' as const, details, address }
    return insertConsents(context.db, [{ ...choice, action: analytics || advertising ? 'given' : 'withdrawn' }])
  }
  const { subject, version } = body
  if ((await termsInForce(context, language, slugs[subject]))?.version !== version)
    throw new DomainError('resource_not_found')
  await insertConsents(context.db, [{ userId, subject, action: 'given', version, source: 'account', address }])
}
