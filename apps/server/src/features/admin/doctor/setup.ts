/** What an operator does before strangers are let in, each with whether it is done: by the doctor's own looks. */
import type { Setup, SetupStep } from '@wakestone/contract/admin/setup'
import { legalSlugs } from '@wakestone/contract/site/document'
import type { Context } from '#src/context.ts'
import { findFactors } from '#src/features/accounts/second-factors/service.ts'
import { showDocument } from '#src/features/site/documents/service.ts'
import { publicUrl, type Settings } from '@wakestone/kit/settings'
import type { Finding } from './findings.ts'
import { checkCertificate, checkMail, checkNames, checkPayments } from './outside-checks.ts'
import { hasServer } from './repo.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'logger'>
type Step = Omit<Setup['steps'][number], 'step'>

const keptMilliseconds = 30_000
const looks = new WeakMap<Settings, { until: number; found: Promise<Record<OutsideStep, Step>> }>()
type OutsideStep = 'site' | 'names' | 'mail' | 'payments'

export async function showSetup(context: Deps, userId: string): Promise<Setup> {
  const { db, settings } = context
  const [outside, samples, factors, isUsed] = await Promise.all([
    lookOutside(settings),
    countSamples(context),
    findFactors(db, userId),
    hasServer(db),
  ])
  const said = (isDone: boolean, found: string | null = null): Step => ({ done: isDone, found })
  const steps: Record<SetupStep, Step> = {
    operator: said(
      [settings.OPERATOR_NAME, settings.OPERATOR_ADDRESS, settings.SUPPORT_EMAIL].every((value) => value !== undefined),
    ),
    documents: said(samples === 0),
    ...outside,
    // What lies on the same disk as the servers is lost with it.
    backups: said(settings.BACKUP_STORAGE !== undefined),
    second_factor: said(factors.totp || factors.passkey),
    server: said(isUsed),
  }
  return { steps: Object.entries(steps).map(([step, state]) => ({ step: step as SetupStep, ...state })) }
}

/** What others are asked for, at most twice a minute however often the page is opened. */
function lookOutside(settings: Settings): Promise<Record<OutsideStep, Step>> {
  const last = looks.get(settings)
  if (last !== undefined && last.until > Date.now()) return last.found
  const found = Promise.all([
    checkCertificate(settings),
    checkNames(settings),
    checkMail(settings).then((one) => [one]),
    [checkPayments(settings)],
  ]).then(([certificate, names, mail, payments]) => ({
    site: publicUrl(settings).startsWith('https:') ? stepOf(certificate) : stepOf([]),
    names: stepOf(names),
    mail: stepOf(mail),
    payments: stepOf(payments),
  }))
  looks.set(settings, { until: Date.now() + keptMilliseconds, found })
  return found
}

/** Done is what was looked at and is well: where nothing was to be looked at, nothing is set up. */
function stepOf(findings: readonly Finding[]): Step {
  const bad = findings.find(({ level }) => level !== 'ok')
  return { done: findings.length > 0 && bad === undefined, found: bad?.level === 'fault' ? bad.what : null }
}

/** Legal documents that are still ours. */
async function countSamples(context: Deps): Promise<number> {
  const documents = await Promise.all(legalSlugs.map((slug) => showDocument(context, { slug, language: 'en' })))
  return documents.filter((document) => document.is_sample).length
}
