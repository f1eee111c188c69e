/**
 * OpenFeature's provider over the table of flags: read once, kept in memory, read again when PostgreSQL tells that one
 * changed, in whichever process.
 */
import {
  type EvaluationContext,
  FlagNotFoundError,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  type ResolutionDetails,
  TypeMismatchError,
} from '@openfeature/server-sdk'
import { flagKeys, flags, type FlagType } from '@wakestone/contract/site/flags'
import type { Context } from '#src/context.ts'
import type { Listener } from '#src/db/channels.ts'
import { selectFlags } from './repo.ts'
import { type LoadedFlag, resolveFlag } from './resolve.ts'

type Loaded = ReadonlyMap<string, LoadedFlag>
export type FlagProvider = Provider & {
  load(): Promise<Loaded>
  /** Lets the next evaluation read anew. */
  forget(): void
}

export function createFlagProvider(context: Pick<Context, 'db' | 'channels' | 'logger'>): FlagProvider {
  const events = new OpenFeatureEventEmitter()
  let channel: Listener | undefined
  let closing: Promise<void> | undefined
  let loaded: Promise<Loaded> | undefined

  const forget = () => {
    loaded = undefined
    events.emit(ProviderEvents.ConfigurationChanged)
  }

  function load(): Promise<Loaded> {
    // Without the channel nobody tells of changes: every evaluation reads.
    if (channel?.connected() !== true) return read(context)
    if (loaded !== undefined) return loaded
    const reading = read(context)
    loaded = reading
    reading.catch(() => {
      if (loaded === reading) loaded = undefined
    })
    return reading
  }

  async function resolve<Value extends JsonValue>(
    type: FlagType,
    key: string,
    off: Value,
    evaluation: EvaluationContext,
  ): Promise<ResolutionDetails<Value>> {
    const flag = (await load()).get(key)
    if (flag === undefined) throw new FlagNotFoundError(`no flag ${key}`)
    if (flag.type !== type) throw new TypeMismatchError(`flag ${key} is of type ${flag.type}`)
    return resolveFlag(key, flag, { off, context: evaluation }) as ResolutionDetails<Value>
  }

  return {
    metadata: { name: 'wakestone' },
    runsOn: 'server',
    events,
    load,
    forget,
    async initialize() {
      channel = await context.channels.listen('flags_changed', {
        onMessage: forget,
        onReconnect: forget, // what was said meanwhile is lost
      })
    },
    async onClose() {
      await (closing ??= channel?.close())
    },
    resolveBooleanEvaluation: (key, off, evaluation) => resolve('boolean', key, off, evaluation),
    resolveStringEvaluation: (key, off, evaluation) => resolve('string', key, off, evaluation),
    resolveNumberEvaluation: (key, off, evaluation) => resolve('number', key, off, evaluation),
    resolveObjectEvaluation: (key, off, evaluation) => resolve('object', key, off, evaluation),
  }
}

/** All flags whose values still fit their schemas; one that does not counts as missing, so its default applies. */
async function read({ db, logger }: Pick<Context, 'db' | 'logger'>): Promise<Loaded> {
  const known = new Map<string, LoadedFlag>()
  for (const row of await selectFlags(db)) {
    const key = flagKeys.find((one) => one === row.key)
    if (key === undefined) continue
    const { schema } = flags[key]
    if ([row, ...row.rules].every(({ value }) => schema.safeParse(value).success))
      known.set(key, row as unknown as LoadedFlag)
    else logger.warn({ flag: key }, 'a flag holds a value that it does not take: its default applies')
  }
  return known
}
