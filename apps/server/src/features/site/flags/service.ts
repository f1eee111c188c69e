/**
 * Feature flags: what they are for a visitor, and changing them.
 */
import {
  type Client,
  type EvaluationContext,
  type JsonValue,
  NOOP_PROVIDER,
  OpenFeature,
} from '@openfeature/server-sdk'
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import { type FlagKey, flagKeys, flags, type FlagValues, hasNothingToTell } from '@wakestone/contract/site/flags'
import type { changeFlag, FlagState } from '@wakestone/contract/site/flags-routes'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { createFlagProvider } from './provider.ts'
import { type FlagRow, insertMissingFlags, lockFlag, selectFlags, updateFlag } from './repo.ts'

/** Whom a flag is asked for. `key` is what shares of visitors are dealt out by; without one they fall outside of all. */
export type FlagSubject = { key: string | undefined; userId: string | undefined; country: string; language: string }

export type FeatureFlags = {
  evaluate(subject: FlagSubject): Promise<FlagValues>
  /** Whether any flag is on for a share of visitors only, so that they need a key. */
  dealsByShare(): Promise<boolean>
  /** Lets the next evaluation read anew, for whoever changed a flag and looks at once: PostgreSQL's word takes a moment. */
  forget(): void
  close(): Promise<void>
}

let opened = 0

/** Adds the flags that the database lacks and connects OpenFeature to it. */
export async function openFlags(context: Pick<Context, 'db' | 'channels' | 'logger'>): Promise<FeatureFlags> {
  await insertMissingFlags(
    context.db,
    flagKeys.map((key) => ({ key, type: flags[key].type, value: seedOf(key) })),
  )
  // OpenFeature is one per process; each context has a domain of its own in it.
  const domain = `wakestone-${++opened}`
  const provider = createFlagProvider(context)
  await OpenFeature.setProviderAndWait(domain, provider)
  const client = OpenFeature.getClient(domain)
  return {
    async evaluate({ key, userId, country, language }) {
      const evaluation: EvaluationContext = {
        country,
        language,
        ...(key === undefined ? {} : { targetingKey: key }),
        ...(userId === undefined ? {} : { userId }),
      }
      const values = flagKeys.map(async (flag) => [flag, await evaluateOne(client, flag, evaluation)] as const)
      return Object.fromEntries(await Promise.all(values)) as FlagValues
    },
    async dealsByShare() {
      const loaded = await provider.load().catch(() => undefined)
      return [...(loaded?.values() ?? [])].some(
        ({ enabled, rules }) => enabled && rules.some(({ percentage }) => percentage !== undefined),
      )
    },
    forget: () => provider.forget(),
    async close() {
      await OpenFeature.setProviderAndWait(domain, NOOP_PROVIDER)
      await provider.onClose?.()
    },
  }
}

/** What a flag says once it is turned on, as long as nobody set a value. */
function seedOf(key: FlagKey): unknown {
  return flags[key].type === 'boolean' ? true : flags[key].default
}

function evaluateOne(client: Client, key: FlagKey, evaluation: EvaluationContext): Promise<JsonValue> {
  const flag: { type: string; default: unknown } = flags[key]
  switch (flag.type) {
    case 'boolean':
      return client.getBooleanValue(key, flag.default as boolean, evaluation)
    case 'string':
      return client.getStringValue(key, flag.default as string, evaluation)
    case 'number':
      return client.getNumberValue(key, flag.default as number, evaluation)
    default:
      return client.getObjectValue(key, flag.default as JsonValue, evaluation)
  }
}

/** In the order of the contract. */
export async function listFlags({ db }: Pick<Context, 'db'>): Promise<FlagState[]> {
  const rows = new Map((await selectFlags(db)).map((row) => [row.key, row]))
  return flagKeys.flatMap((key) => {
    const row = rows.get(key)
    return row === undefined ? [] : [show(key, row)]
  })
}

/** @throws DomainError `resource_not_found`; `invalid_request` for a value that the flag does not take. */
export async function changeFlagBy(
  { db }: Pick<Context, 'db'>,
  user: { userId: string; username: string },
  { key: wanted, change }: { key: string; change: z.output<(typeof changeFlag)['body']> },
): Promise<FlagState> {
  const key = flagKeys.find((one) => one === wanted)
  if (key === undefined) throw new DomainError('resource_not_found')
  requireFitting(key, change)
  return inTransaction(db, async (trx) => {
    const before = await lockFlag(trx, key)
    if (before === undefined) throw new DomainError('resource_not_found')
    const at = new Date()
    const after: FlagRow = {
      ...before,
      enabled: change.enabled ?? before.enabled,
      value: change.value === undefined ? before.value : change.value,
      rules: change.rules ?? before.rules,
      updated_at: at,
      updated_by: user.username,
    }
    if (change.enabled === true && hasNothingToTell(key, after))
      throw new DomainError('invalid_request', { value: 'required' })
    await updateFlag(trx, key, { ...after, userId: user.userId, at })
    await recordUserEvent(trx, user.userId, {
      action: 'USER_CHANGE_FLAG',
      data: { flag: key, before: essence(before), after: essence(after) },
    })
    return show(key, after)
  })
}

const essence = ({ enabled, value, rules }: FlagRow) => ({ enabled, value, rules })

function requireFitting(key: FlagKey, change: z.output<(typeof changeFlag)['body']>): void {
  const { schema } = flags[key]
  const candidates: [string, unknown][] = [
    ...(change.value === undefined ? [] : [['value', change.value] as [string, unknown]]),
    ...(change.rules ?? []).map(({ value }, index): [string, unknown] => [`rules.${index}.value`, value]),
  ]
  const wrong: Record<string, string> = {}
  for (const [place, value] of candidates) {
    for (const issue of schema.safeParse(value).error?.issues ?? [])
      wrong[[place, ...issue.path].join('.')] = issue.message
  }
  if (Object.keys(wrong).length > 0) throw new DomainError('invalid_request', wrong)
}

function show(key: FlagKey, row: FlagRow): FlagState {
  return {
    key,
    type: flags[key].type,
    description: flags[key].description,
    enabled: row.enabled,
    value: row.value as FlagState['value'],
    rules: row.rules,
    default: flags[key].default,
    updated_at: row.updated_at?.toISOString() ?? null,
    updated_by: row.updated_by,
  }
}
