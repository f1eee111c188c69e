/** Certificates of the hosts that the product serves with TLS of its own. */
import type { Context } from '#src/context.ts'
import * as repo from './repo.ts'
import { openKey } from './sealing.ts'

export { findAnswer as findAcmeAnswer } from './repo.ts'
export { beginCertificates } from './work.ts'

type Deps = Pick<Context, 'db' | 'secrets'>

/** As TLS takes it, in PEM. */
export type Certificate = { name: string; cert: string; key: string }
export type CertificateState = {
  name: string
  /** `waiting`: the first one is on its way; `failing`: the last attempts came to nothing. */
  state: 'active' | 'waiting' | 'failing'
  notAfter: Date | null
  error: string | null
}

/** `*.` and what is above a host. */
const wildcardOf = (host: string): string => `*.${host.slice(host.indexOf('.') + 1)}`

/** What is shown to whoever asks for a host; undefined where there is none. */
export async function findCertificate(deps: Deps, host: string): Promise<Certificate | undefined> {
  const row = await repo.findCertificateFor(deps.db, [host, wildcardOf(host)])
  if (row?.chain == null || row.key === null) return undefined
  return { name: row.name, cert: row.chain, key: openKey(deps, row.name, row.key) }
}

/** Asks the worker for one of this host. Whether the host is served is the caller's to know. */
export const wantCertificate = ({ db }: Pick<Deps, 'db'>, host: string): Promise<void> => repo.addWanted(db, [host])

const stateOf = ({ chain, last_error }: repo.CertificateRow): CertificateState['state'] =>
  last_error !== null ? 'failing' : chain === null ? 'waiting' : 'active'

export async function listCertificates({ db }: Pick<Deps, 'db'>): Promise<CertificateState[]> {
  const rows = await repo.listCertificates(db)
  return rows
    .filter(({ unwanted_since }) => unwanted_since === null)
    .map((row) => ({ name: row.name, state: stateOf(row), notAfter: row.not_after, error: row.last_error }))
}

/** Of one name; undefined where nobody has asked for one. */
export async function findCertificateState(
  { db }: Pick<Deps, 'db'>,
  name: string,
): Promise<CertificateState['state'] | undefined> {
  const row = await repo.findCertificate(db, name)
  return row && row.unwanted_since === null ? stateOf(row) : undefined
}
