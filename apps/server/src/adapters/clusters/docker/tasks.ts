/** Commands that are run once beside a server, and die with whoever began them. */
import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import type { Task, TaskExit, TaskRun } from '../cluster.ts'
import { checkTask, readCode } from '../process/boxes/tasks.ts'
import { BOX_WEIGHT, boxLabels, LONGEST_TASK_MS, mountsOf, type Place, SUPERVISORS, type WithContent } from './boxes.ts'
import { describeContainer } from './containers.ts'
import { createUnframer } from './engine.ts'
import { gameUserOf } from './names.ts'
import { taskScript } from './scripts.ts'
import { listen } from './task-output.ts'

const PATIENCE_MS = 10_000
const GIVING_BYTES = 64 * 1024 ** 2
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'UTC', HOME: '/tmp' }
const CAPABILITIES = ['SETUID', 'SETGID', 'SETPCAP', 'KILL', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER']

type TaskPlace = Place & { withContent: WithContent }

/**
 * A folder that is shown read-only may still belong to the server's user on another cluster, and a box can only give itself
 * what it may write to.
 */
async function giveFolders(place: TaskPlace, serverId: string, { folders = {} }: Task): Promise<void> {
  const { mapsUsers } = place.knowledge
  const user = gameUserOf(serverId, mapsUsers)
  const isForeign = (folder: string) => mapsUsers || lstatSync(folder).uid !== user
  const foreign = Object.entries(folders).filter(([, { host, write }]) => !write && isForeign(host))
  if (foreign.length === 0) return
  const { lines, exit } = await runTask(place, serverId, {
    name: 'give-folders',
    command: ['true'],
    volume: 'none',
    network: 'none',
    memoryBytes: GIVING_BYTES,
    folders: Object.fromEntries(foreign.map(([name, folder]) => [name, { ...folder, write: true }])),
  })
  let said = ''
  for await (const { text } of lines) said = `${said} ${text}`.slice(-500)
  const { code } = await exit
  if (code !== 0) throw new Error(`folders could not be given to the server: ${code}${said}`)
}

/** @throws Error where it cannot be started */
export async function runTask(place: TaskPlace, serverId: string, task: Task): Promise<TaskRun> {
  checkTask(task)
  const { host, names, knowledge, image } = place
  const box = `${task.name}-${randomBytes(4).toString('hex')}`
  const container = names.box(serverId, box)
  const hasVolume = task.volume !== 'none'
  if (hasVolume && !(await host.hasVolume(names.volume(serverId)))) throw new Error('the server has no volume yet')
  if (knowledge.sharesFiles) {
    for (const { host: folder } of Object.values(task.folders ?? {})) mkdirSync(folder, { recursive: true })
    await giveFolders(place, serverId, task)
  }
  await host.makeVolume(names.empty, 'content')
  const input = Buffer.from(task.stdin ?? '')
  const mark = randomBytes(16).toString('hex')
  await place.withContent(async () => {
    const { mounts, content } = await mountsOf(place, serverId, task)
    await host.create(
      container,
      describeContainer({
        image,
        labels: names.labels('box', boxLabels(serverId, box, content, true)),
        env: {
          ...environment,
          ...task.env,
          WS_USER: String(gameUserOf(serverId, knowledge.mapsUsers)),
          WS_INPUT: String(input.length),
          WS_MARK: mark,
        },
        command: ['/bin/sh', '-c', within(hasVolume) + taskScript(task.volume === 'write'), 'task', ...task.command],
        network: task.network,
        capabilities: CAPABILITIES,
        memoryBytes: task.memoryBytes,
        weight: BOX_WEIGHT,
        input: true,
        mounts: [
          ...mounts,
          ...(hasVolume
            ? [
                { source: names.volume(serverId), target: '/data', write: task.volume === 'write' },
                { source: names.empty, target: SUPERVISORS, write: false },
              ]
            : []),
        ],
      }),
    )
  })
  try {
    return await begin()
  } catch (error) {
    await host.remove(container).catch(() => undefined)
    throw error
  }

  async function begin(): Promise<TaskRun> {
    const way = await host.engine.attach(container)
    const [out, err] = [new PassThrough(), new PassThrough()]
    const { output, wasKilled } = listen(out, err, mark)
    const unframe = createUnframer((stream, bytes) => void (stream === 'out' ? out : err).write(bytes))
    way.on('data', unframe)
    way.on('close', () => {
      out.end()
      err.end()
    })
    await host.start(container)
    way.write(input)
    let isOver = false
    const exit = host
      .waitFor(container, LONGEST_TASK_MS)
      .then(async (code): Promise<TaskExit> => {
        const ended = await host.look(container)
        return { ...readCode({ code, signal: null }), outOfMemory: ended?.outOfMemory === true }
      })
      .catch((): TaskExit => ({ code: null, signal: 'SIGKILL', outOfMemory: false }))
      .then(async (ended) => {
        isOver = true
        // The engine lets go of what it has been told to the end.
        await new Promise<void>((resolve) => (way.closed ? resolve() : way.once('close', resolve).end()))
        await host.remove(container).catch(() => undefined)
        return { ...ended, outOfMemory: ended.outOfMemory || wasKilled() }
      })
    return {
      lines: output.lines,
      exit,
      cancel() {
        if (isOver) return
        void host.kill(container, 'SIGINT').catch(() => undefined)
        const patience = setTimeout(() => void host.kill(container, 'SIGKILL').catch(() => undefined), PATIENCE_MS)
        void exit.then(() => clearTimeout(patience))
      },
    }
  }
}

const within = (hasVolume: boolean) => `cd ${hasVolume ? '/data' : '/'} || exit 1\n`
