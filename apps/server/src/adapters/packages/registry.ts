/** The sources of packages that are not ours. Each is a function of the settings; null: it is not configured. */
import type { Logger } from '@wakestone/kit/logger'
import { publicUrl, type Settings } from '@wakestone/kit/settings'
import { createCurseForgeSource } from './foreign/curseforge.ts'
import { createHangarSource } from './foreign/hangar.ts'
import { createModrinthSource } from './foreign/modrinth.ts'
import type { Source } from './source.ts'

export type SourceDeps = { settings: Settings; logger: Pick<Logger, 'warn'> }

/** Names the software and a contact, as all of them ask. */
const userAgentOf = (settings: Settings) => `Wakestone/0.1.0 (${publicUrl(settings)}; ${settings.ADMIN_EMAIL})`

const creators: readonly ((deps: SourceDeps) => Source | null)[] = [
  ({ settings }) => createModrinthSource({ url: settings.MODRINTH_URL, userAgent: userAgentOf(settings) }),
  ({ settings }) => createHangarSource({ url: settings.HANGAR_URL, userAgent: userAgentOf(settings) }),
  ({ settings }) =>
    settings.CURSEFORGE_API_KEY === undefined
      ? null
      : createCurseForgeSource({
          url: settings.CURSEFORGE_URL,
          key: settings.CURSEFORGE_API_KEY,
          userAgent: userAgentOf(settings),
        }),
]

export const createForeignSources = (deps: SourceDeps): Source[] =>
  creators
    .map((create) => create(deps))
    .filter((source) => source !== null)
    .filter(({ id }) => (deps.settings.PACKAGE_SOURCES as readonly string[]).includes(id))
