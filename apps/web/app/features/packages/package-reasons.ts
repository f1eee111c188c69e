/** Why packages do not go together, and what would work, in sentences. */
import type {
  PackageChange,
  PackageConclusion,
  PackageConflict,
  PackageReason,
  PackageSelector,
  PackageSubject,
} from '@wakestone/contract/servers/packages'
import type { Language } from '#app/i18n/languages.ts'
import { localeOf } from '#app/i18n/languages.ts'
import type { Translate } from '#app/i18n/create-i18n.ts'

type Teller = { t: Translate; language: Language }

/** More versions than these are told by the first and the last. */
const mostVersions = 3

export type ToldStep = { reasons: string[]; conclusion: string }

/** Steps as people read them: a reason that is an earlier step has been told there. */
export function tellConflicts(steps: readonly PackageConflict[], teller: Teller): ToldStep[] {
  return steps.map(({ because, conclusion }) => ({
    reasons: because.flatMap((reason) => ('kind' in reason ? [tellReason(reason, teller)] : [])),
    conclusion: tellConclusion(conclusion, teller),
  }))
}

function tellReason(reason: PackageReason, { t, language }: Teller): string {
  switch (reason.kind) {
    case 'wish': {
      const wanted = selectorText(reason.selector)
      return reason.isMissing
        ? t('packages.reasons.wishMissing', { wanted })
        : t(`packages.reasons.wish.${reason.of}`, { wanted })
    }
    case 'requires': {
      const values = { who: releasesText(reason), wanted: selectorText(reason.selector) }
      return t(reason.isMissing ? 'packages.reasons.requiresMissing' : 'packages.reasons.requires', values)
    }
    case 'conflicts': {
      const other = selectorText({ ...reason.selector, name: reason.other })
      return t('packages.reasons.conflicts', { who: releasesText(reason), other })
    }
    case 'one-engine':
      return t('packages.reasons.oneEngine', { who: reason.package, other: reason.other })
    case 'serves': {
      const list = new Intl.ListFormat(localeOf[language], { type: 'disjunction' }).format(reason.packages)
      return t('packages.reasons.serves', { wanted: selectorText(reason.selector), list })
    }
  }
}

function tellConclusion(conclusion: PackageConclusion, { t, language }: Teller): string {
  const list = (subjects: readonly PackageSubject[], type: 'conjunction' | 'disjunction' = 'conjunction') =>
    new Intl.ListFormat(localeOf[language], { type }).format(subjects.map(subjectText))
  switch (conclusion.kind) {
    case 'impossible': {
      const who = list(conclusion.subjects)
      return t(conclusion.subjects.length === 1 ? 'packages.so.impossible' : 'packages.so.notTogether', { who })
    }
    case 'needed':
      return t('packages.so.needed', { who: list(conclusion.subjects, 'disjunction') })
    case 'needs': {
      const values = { who: list(conclusion.subjects), wanted: list(conclusion.needed, 'disjunction') }
      return t('packages.so.needs', values)
    }
    case 'end':
      return t('packages.so.end')
  }
}

/** What to do instead, as a choice that a person can take. */
export function tellChange(change: PackageChange, { t }: Teller): string {
  if (change.kind === 'remove') return t('packages.instead.remove', { name: change.package })
  const name = change.kind === 'version' ? change.package : change.name
  return t('packages.instead.version', { name, version: change.version })
}

const subjectText = (subject: PackageSubject): string =>
  'selector' in subject ? selectorText(subject.selector) : releasesText(subject)

/** `lib >=2`, `shops (stable)`: names and ranges are the same in every language. */
export function selectorText({ name, provides, expr, tag }: PackageSelector): string {
  const range = expr === undefined || expr === '*' ? '' : ` ${expr.replace(/^(fabric|maven):/, '')}`
  return `${name ?? provides ?? ''}${range}${tag === undefined ? '' : ` (${tag})`}`
}

function releasesText({ package: name, versions }: { package: string; versions: string[] | null }): string {
  if (versions === null || versions.length === 0) return name
  if (versions.length <= mostVersions) return `${name} ${versions.join(', ')}`
  return `${name} ${versions[0]} – ${versions.at(-1)}`
}
