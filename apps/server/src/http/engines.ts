import type { AddressInfo } from 'node:net'
import { createEngineCatalogue, type EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import type { Source } from '#src/adapters/packages/source.ts'
import { createSources } from '#src/package-sources.ts'
import type { Api } from './implement.ts'

type Opened = Pick<Api, 'app' | 'context'>

/** Known once the server listens: it needs the port that was really taken. */
export function artifactUrl({ app, context: { settings } }: Opened): string {
  const port = (app.server.address() as AddressInfo | null)?.port ?? settings.HTTP_PORT
  return `${settings.API_URL ?? `http://127.0.0.1:${port}`}/artifacts`
}

/** The catalogue hands out addresses of our own artifacts. */
export function openEngines(api: Opened): () => EngineCatalogue {
  let catalogue: EngineCatalogue | undefined
  return () => {
    catalogue ??= createEngineCatalogue({ settings: api.context.settings, artifactUrl: artifactUrl(api) })
    return catalogue
  }
}

/** Where packages besides engines come from. */
export function openSources(api: Opened): () => readonly Source[] {
  let sources: readonly Source[] | undefined
  return () => {
    sources ??= createSources(api.context, artifactUrl(api))
    return sources
  }
}
