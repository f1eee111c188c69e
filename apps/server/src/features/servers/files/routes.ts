import * as routes from '@wakestone/contract/servers/files-routes'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import type { Principal } from '#src/http/principal.ts'
import { tellLines } from '#src/http/tell-lines.ts'
import type { ServerChanges } from '#src/features/servers/servers/service.ts'
import { filesOf, requireWritableFiles } from './access.ts'
import { registerContent } from './content.ts'
import { describeJob } from './describe.ts'
import { createDiskUse } from './disk-use.ts'
import { logLines } from './log-lines.ts'
import { beginFetch } from './fetch.ts'
import { createOpenFiles } from './open-files.ts'
import { createFileWork, type On, readLog, readTree, statFile } from './service.ts'
import { createTicket } from './tickets.ts'
import { registerTransfers } from './transfers.ts'

export function registerFileRoutes(api: Api, { operationChanges }: { operationChanges: ServerChanges }): void {
  const { context } = api
  const openFiles = createOpenFiles(api, operationChanges)
  const diskUse = createDiskUse(context)
  api.app.addHook('onClose', async () => diskUse.close())
  const work = createFileWork(context, diskUse)
  const on = ({ server, user }: { server: On['server']; user: { userId: string } }) => ({
    server,
    userId: user.userId,
  })
  const hold = ({ server, user }: { server: { id: string }; user: Principal }) =>
    openFiles.hold({ user, serverId: server.id, writes: false })

  implement(api, routes.getDiskStats, ({ server }) => filesOf(context, server).statfs())
  implement(api, routes.getFileStat, ({ server, query }) => statFile(context, server, query.path))
  implement(api, routes.getFileTree, ({ server, query }) => readTree(context, server, query))
  implement(api, routes.readLog, ({ server, query }) => readLog(context, server, query))
  implement(api, routes.listFiles, (call) =>
    tellLines(call.reply, hold(call), (signal) =>
      filesOf(context, call.server).list(call.query.path, { hidden: call.query.hidden === '1', signal }),
    ),
  )
  implement(api, routes.searchFiles, (call) =>
    tellLines(call.reply, hold(call), (signal) => filesOf(context, call.server).search(call.query, signal)),
  )
  implement(api, routes.streamLog, (call) =>
    tellLines(call.reply, hold(call), async (signal) => {
      const { path, from } = call.query
      const { head, body } = await filesOf(context, call.server).follow(path, from, signal)
      return logLines(body, { log: path, from: head.followOffset ?? 0 })
    }),
  )
  implement(api, routes.listArchive, (call) =>
    tellLines(call.reply, hold(call), (signal) =>
      filesOf(context, call.server).archiveEntries(call.query.path, signal),
    ),
  )

  implement(api, routes.createFileTicket, async ({ server, user, body }) => {
    await requireWithinLimit(context, 'files', { userId: user.userId })
    return createTicket(api, { user, server, asked: body })
  })
  implement(api, routes.fetchFile, async ({ server, user, body }) => {
    await requireWritableFiles(context.db, server)
    await requireWithinLimit(context, 'fetch', { userId: user.userId })
    return { process_id: await beginFetch(context, { server, userId: user.userId }, body) }
  })

  implement(api, routes.moveFiles, (call) => work.move(on(call), call.body))
  implement(api, routes.renameFile, (call) => work.rename(on(call), call.body))
  implement(api, routes.makeFolder, (call) => work.makeFolder(on(call), call.body.path))
  implement(api, routes.deleteFiles, (call) => work.moveToTrash(on(call), call.body.paths))
  implement(api, routes.listTrash, ({ server }) => work.listTrash(server))
  implement(api, routes.restoreTrash, (call) => work.restoreTrash(on(call), call.body))
  implement(api, routes.removeTrash, (call) => work.emptyTrash(on(call), call.body.ids))

  implement(api, routes.listFileRevisions, async ({ server, query }) => {
    const { revisions } = await filesOf(context, server).revisions(query.path)
    return { revisions: revisions.map(({ id, savedAt, size }) => ({ id, saved_at: savedAt, size })) }
  })
  implement(api, routes.getFileRevision, async ({ server, query }) => ({
    text: await filesOf(context, server).revisionText(query.path, query.revision),
  }))

  implement(api, routes.createFileJob, (call) => work.begin(on(call), call.body))
  implement(api, routes.listFileJobs, async ({ server }) => ({ jobs: await work.jobs(server) }))
  implement(api, routes.followFileJob, (call) =>
    tellLines(call.reply, hold(call), (signal) =>
      filesOf(context, call.server).followJob(call.params.job_id, describeJob, signal),
    ),
  )
  implement(api, routes.cancelFileJob, (call) => work.cancelJob(on(call), call.params.job_id))

  // What comes for files is passed on as it comes, whatever it is.
  void api.app.register(async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    const ofBytes = { ...api, app }
    registerContent(ofBytes, { openFiles, diskUse })
    registerTransfers(ofBytes, { openFiles, diskUse })
  })
}
