import type { AddressInfo } from 'node:net'
import { createEngineCatalogue, type EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import type { Api } from './implement.ts'

/** The catalogue hands out addresses of our own artifacts, so it needs the port that was really taken. */
export function openEngines({ app, context: { settings } }: Pick<Api, 'app' | 'context'>): () => EngineCatalogue {
  let catalogue: EngineCatalogue | undefined
  return () => {
    const port = (app.server.address() as AddressInfo | null)?.port ?? settings.HTTP_PORT
    catalogue ??= createEngineCatalogue({
      settings,
      artifactUrl: `${settings.API_URL ?? `http://127.0.0.1:${port}`}/artifacts`,
    })
    return catalogue
  }
}
