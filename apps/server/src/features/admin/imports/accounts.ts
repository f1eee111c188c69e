/** People: an account for each, or the one that has their address already. */
import { isCountry } from '@wakestone/contract/countries'
import { taxDataBody } from '@wakestone/contract/money/tax-data-form'
import { emailSchema, usernameSchema } from '@wakestone/contract/validation'
import { isUsableHash } from '#src/features/accounts/sign-in/service.ts'
import { findUserByLogin, isUsernameTaken, openAccount } from '#src/features/accounts/users/service.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { showTaxData, writeTaxData } from '#src/features/money/tax-data/service.ts'
import type { FoundAccount } from './model.ts'
import type { Line } from './report.ts'
import { isImported } from './repo.ts'
import { outcomeOf, type Work } from './work.ts'

/** By the key of an account there: the account here; undefined in a dry run for one that is not made yet. */
export type AccountIds = ReadonlyMap<string, string | undefined>

export async function bringAccounts(work: Work, found: readonly FoundAccount[]): Promise<AccountIds> {
  const ids = new Map<string, string | undefined>()
  /** Of a dry run: addresses that would have an account by now. */
  const wouldBeMade = new Set<string>()
  for (const account of found) {
    const line = await bringAccount(work, account, wouldBeMade)
    work.lines.push(line)
    if (line.outcome !== 'left out') ids.set(account.key, line.id)
  }
  return ids
}

async function bringAccount(work: Work, account: FoundAccount, wouldBeMade: Set<string>): Promise<Line> {
  const { context, options } = work
  const notes = [...account.notes]
  const line = { kind: 'account' as const, key: account.key, name: account.email, notes }
  const before = work.known('account', account.key)
  if (before !== undefined) return { ...line, notes: [], outcome: outcomeOf(before, account.row), id: before.made }
  const email = emailSchema.safeParse(account.email.trim())
  if (!email.success) return { ...line, outcome: 'left out', reason: 'it has no e-mail address that could be one' }
  const item = { kind: 'account', key: account.key, row: account.row } as const
  const same = await findUserByLogin(context.db, email.data)
  if (same !== undefined) {
    // Whoever has only typed the address must not get what its owner has elsewhere.
    if (same.email_verified === null && !(await isImported(context.db, same.id)))
      return {
        ...line,
        outcome: 'left out',
        reason: 'an account here has its address and has not confirmed it; run the import again once it has',
      }
    if (!options.isDryRun) await work.bring({ ...item, state: 'found' }, async () => ({ id: same.id }))
    return { ...line, outcome: 'found', id: same.id }
  }
  if (options.isDryRun && wouldBeMade.has(email.data)) return { ...line, outcome: 'found' }
  wouldBeMade.add(email.data)

  const { passwordHash } = account
  const keepsPassword = passwordHash !== null && isUsableHash(passwordHash)
  if (!keepsPassword) notes.push('comes without a password: its owner sets one by mail, or signs in by code')
  const username = await freeName(work, account)
  if (account.username !== null && username === undefined)
    notes.push(`the name ${account.username} cannot be had here; it gets one by its address`)
  const country = account.country?.toUpperCase()
  const taxData = readTaxData(account)
  if (typeof taxData === 'string') notes.push(taxData)
  if (options.isDryRun) return { ...line, outcome: 'made' }

  const { id } = await work.bring(item, async (trx) => {
    const user = await openAccount(trx, {
      ...(username !== undefined && { username }),
      email: email.data,
      passwordHash: keepsPassword ? passwordHash : null,
      language: account.language,
      countryCode: country !== undefined && isCountry(country) ? country : context.settings.DEFAULT_COUNTRY,
      newsletter: false,
      emailVerified: account.isVerified,
      acceptedTos: null,
    })
    await recordUserEvent(trx, user.id, {
      action: 'USER_REGISTER_EMAIL',
      data: { email: user.email, method: `import:${options.system}` },
    })
    if (typeof taxData === 'object' && (await showTaxData(trx, user.id)) === null)
      await writeTaxData(context, trx, user.id, taxData)
    return { id: user.id }
  })
  return { ...line, outcome: 'made', id }
}

/** The name that somebody has there, as far as it can be had here. */
async function freeName({ context }: Work, { username }: FoundAccount): Promise<string | undefined> {
  const name = username?.replace(/[^A-Za-z0-9_]/g, '_').slice(0, 24) ?? ''
  if (!usernameSchema.safeParse(name).success) return undefined
  return (await isUsernameTaken(context.db, name)) ? undefined : name
}

/** What invoices will say of them, where it is all there; else why they say nothing yet. */
function readTaxData({ taxData }: FoundAccount) {
  if (taxData === null) return undefined
  const read = taxDataBody.safeParse(taxData)
  if (read.success) return read.data
  const fields = [...new Set(read.error.issues.map(({ path }) => String(path[0])))]
  return `its invoice data are not complete (${fields.join(', ')}) and are asked for with the first purchase`
}
