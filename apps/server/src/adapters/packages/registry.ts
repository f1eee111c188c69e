/** The sources of packages that are not ours. Each is a function of the settings; null: it is not configured. */
import type { Logger } from '@wakestone/kit/logger'
import type { Settings } from '@wakestone/kit/settings'
import type { Source } from './source.ts'

export type SourceDeps = { settings: Settings; logger: Pick<Logger, 'warn'> }

const creators: readonly ((deps: SourceDeps) => Source | null)[] = []

export const createForeignSources = (deps: SourceDeps): Source[] =>
  creators.map((create) => create(deps)).filter((source) => source !== null)
