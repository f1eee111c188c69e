/** A release out of files of a server: packed beside its game, kept, and handed to the gate as any other. */
import { DomainError } from '@wakestone/contract/errors'
import type { createPackageBody } from '@wakestone/contract/marketplace/release'
import { artifactNameSchema } from '@wakestone/contract/marketplace/schemas'
import { type PackageLoader, projectLimits, type ReleaseType } from '@wakestone/contract/marketplace/values'
import type { z } from 'zod'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { type Caller, findProject, requireProjectRight } from '#src/features/marketplace/projects/service.ts'
import {
  provideRelease,
  renderNotes,
  reserveRelease,
  takeArtifact,
} from '#src/features/marketplace/releases/service.ts'
import { filesOf } from '#src/features/servers/files/service.ts'
import { beginOperation, defineOperation, type Ended } from '#src/features/servers/operations/service.ts'
import { readInventory, sourceContextOf } from '#src/features/servers/packages/service.ts'
import { findServer, type ServerRow } from '#src/features/servers/servers/service.ts'

type Input = {
  projectId: string
  releaseId: string
  version: string
  releaseType: ReleaseType
  description: string
  html: string
  gameVersions: string[]
  loaders: PackageLoader[]
  paths: string[]
  fileName: string
  /** The one file as it is; else all of them are packed. */
  isPlain: boolean
  userId: string
}
type Notes = { file: { name: string; sha256: string; size: number } }

const isArchive = (path: string) => /\.(jar|zip|tgz|tar\.gz)$/i.test(path)
const baseOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** @throws DomainError `not_project_member`, `resource_already_exists`, `invalid_request` for what cannot be a release. */
export async function createPackage(
  deps: Pick<Context, 'db' | 'boss' | 'fleet'>,
  { server, user }: { server: ServerRow; user: NonNullable<Caller> },
  body: z.output<typeof createPackageBody>,
): Promise<{ create_package_process_id: string; release_id: string }> {
  const { project } = await requireProjectRight(deps.db, user, { key: body.project, right: 'release' })
  filesOf(deps, server) // it has some
  const inventory = await readInventory(deps.db, server.id)
  const context = sourceContextOf(inventory, user.userId)
  const gameVersions =
    body.game_versions.length > 0 ? body.game_versions : [context.gameVersion].filter((one) => one !== null)
  const loaders = body.loaders.length > 0 ? body.loaders : (context.loaders.slice(0, 1) as PackageLoader[])
  if (gameVersions.length === 0) throw new DomainError('invalid_request', { game_versions: 'required' })
  if (loaders.length === 0) throw new DomainError('invalid_request', { loaders: 'required' })
  const [first = ''] = body.paths
  const isPlain = body.paths.length === 1 && isArchive(first)
  const fileName = body.file_name ?? (isPlain ? baseOf(first) : `${project.slug}-${body.version}.zip`)
  if (!artifactNameSchema.safeParse(fileName).success)
    throw new DomainError('invalid_request', { file_name: 'file_name' })
  if (!isPlain && !/\.zip$/i.test(fileName)) throw new DomainError('invalid_request', { file_name: 'file_name' })
  const input: Input = {
    projectId: project.id,
    releaseId: await reserveRelease(deps.db, project.id, body.version),
    version: body.version,
    releaseType: body.release_type,
    description: body.description,
    html: await renderNotes(body.description),
    gameVersions,
    loaders,
    paths: body.paths,
    fileName,
    isPlain,
    userId: user.userId,
  }
  const id = await inTransaction(deps.db, (trx) =>
    beginOperation(deps, trx, {
      serverId: server.id,
      kind: 'package_create',
      exclusive: false,
      input,
      about: { project: project.slug, version: body.version },
      userId: user.userId,
    }),
  )
  return { create_package_process_id: id, release_id: input.releaseId }
}

async function tellEnd(trx: Transaction, { serverId, input, outcome, error }: Ended<Input, Notes>): Promise<void> {
  const project = await findProject(trx, input.projectId)
  await recordServerEvent(trx, serverId, {
    action: 'SERVER_PACKAGE_CREATE',
    success: outcome === 'done',
    ...(error !== null && { error }),
    data: {
      executor: input.userId,
      package_name: project?.name ?? '',
      package_slug: project?.slug ?? '',
      version: input.version,
      file_paths: input.paths.slice(0, 100),
      release_type: input.releaseType,
      dependencies: [],
    },
  })
}

export const packageCreate = defineOperation<'package_create', Input, Notes>('package_create', {
  exclusive: false,
  phases: {
    pack: {
      weight: 80,
      async run(step) {
        const { deps, input, serverId, operationId, signal } = step
        if (step.notes.file !== undefined) return
        const server = await findServer(deps.db, serverId)
        if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
        const files = filesOf(deps, server)
        const { body } = input.isPlain
          ? await files.read(input.paths[0] ?? '', { signal })
          : await files.archive(input.paths, 'zip', signal)
        try {
          const kept = await takeArtifact(deps.settings, {
            id: operationId,
            bytes: body,
            mostBytes: projectLimits.artifactBytes,
          })
          if (kept.size === 0) throw new DomainError('invalid_file', { resource: 'file' })
          await step.note({ file: { name: input.fileName, ...kept } })
        } finally {
          body.destroy()
        }
      },
    },
    release: {
      weight: 20,
      async run(step) {
        const { input, deps } = step
        const { file } = step.notes
        if (file === undefined) throw new Error('nothing was packed')
        await step.write((trx) =>
          provideRelease(deps.boss, trx, {
            id: input.releaseId,
            projectId: input.projectId,
            version: input.version,
            loaders: input.loaders,
            game_versions: input.gameVersions,
            file,
            by: {
              release_type: input.releaseType,
              description: input.description,
              html: input.html,
              published_by: input.userId,
            },
          }),
        )
      },
    },
  },
  ended: tellEnd,
})
