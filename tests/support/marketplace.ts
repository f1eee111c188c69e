/** What tests of the marketplace share: authors with a key to publish, packages, and releases that have come. */
import { createHash } from 'node:crypto'
import { createApiKey } from '@wakestone/contract/accounts/api-keys-routes'
import { type ApiClient, createApiClient } from '@wakestone/contract/client'
import { createProject } from '@wakestone/contract/marketplace/projects-routes'
import type { NewRelease, Release } from '@wakestone/contract/marketplace/release'
import { createRelease, getRelease } from '@wakestone/contract/marketplace/releases-routes'
import type { Project } from '@wakestone/contract/marketplace/project'
import { buildZip } from '../../apps/inspector/src/test-support/build-zip.ts'
import { inTransaction } from '../../apps/server/src/db/client.ts'
import { grantCapabilities } from '../../apps/server/src/features/accounts/users/repo.ts'
import { inspectRelease } from '../../apps/server/src/features/marketplace/releases/inspection.ts'
import type { Caller, TestApi } from './api.ts'

export type Author = Caller & { byKey: ApiClient; bearer: { authorization: string } }

/** Somebody who may make projects, with a key that publishes. */
export async function signUpAuthor(api: TestApi, capabilities: Record<string, boolean> = {}): Promise<Author> {
  const caller = await api.signUp()
  await inTransaction(api.context.db, (trx) =>
    grantCapabilities(trx, caller.user.id, { 'marketplace.project-create': true, ...capabilities }),
  )
  const { key } = await caller.call(createApiKey, {
    params: { id: caller.user.id },
    body: { name: 'publish', scopes: ['marketplace.project-manage.edit'], expires_at: null },
  })
  const bearer = { authorization: `Bearer ${key}` }
  const byKey = createApiClient((path, init) =>
    fetch(`${api.origin}${path}`, { ...init, headers: { ...init.headers, ...bearer } }),
  )
  return { ...caller, byKey, bearer }
}

export const projectBody = (name: string, more: object = {}) => ({
  name,
  project_type: 'plugin' as const,
  descriptions: [
    { language: 'en' as const, short_description: `What ${name} does`, description: `# ${name}\n\nText.` },
  ],
  ...more,
})

export const makeProject = (author: Pick<Caller, 'call'>, name: string, more: object = {}): Promise<Project> =>
  author.call(createProject, { body: projectBody(name, more) })

/** A jar as a plugin of Paper is, with more files where they are wanted. */
export function makeJar(version = '1.0.0', files: Record<string, string | Uint8Array> = {}): Uint8Array {
  const entries = { 'plugin.yml': `name: Sample\nversion: ${version}\nmain: sample.Main\n`, ...files }
  return new Uint8Array(buildZip(Object.entries(entries).map(([name, content]) => ({ name, content, deflated: true }))))
}
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const releaseBody = (file: Uint8Array, version = '1.0.0', more: object = {}) => ({
  version,
  description: 'First one',
  game_versions: ['1.21.4'],
  loaders: ['paper' as const],
  artifacts: [{ name: 'sample.jar', size: file.length, sha256: sha256(file) }],
  ...more,
})

/** Sends bytes of a file from an offset on. */
export const sendPart = (api: TestApi, url: string, bytes: Uint8Array, offset = 0): Promise<Response> =>
  fetch(`${api.origin}${url}`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      'tus-resumable': '1.0.0',
    },
    body: bytes as Uint8Array<ArrayBuffer>,
  })

/** A release whose files have come; nobody has looked at it. */
export async function sendRelease(
  api: TestApi,
  author: Author,
  {
    slug,
    file = makeJar(),
    version = '1.0.0',
    more = {},
  }: { slug: string; file?: Uint8Array; version?: string; more?: object },
): Promise<NewRelease> {
  const made = await author.byKey(createRelease, { params: { slug }, body: releaseBody(file, version, more) })
  for (const { url } of made.uploads) {
    const { status } = await sendPart(api, url, file)
    if (status !== 204) throw new Error(`the file was not taken: ${status}`)
  }
  return made
}

/** One that the gate has looked at, as a worker does. */
export async function sendToGate(
  api: TestApi,
  author: Author,
  release: Parameters<typeof sendRelease>[2],
): Promise<Release> {
  const made = await sendRelease(api, author, release)
  await inspectRelease(api.context, made.release.id)
  return author.call(getRelease, { params: { slug: release.slug, releaseId: made.release.id } })
}
