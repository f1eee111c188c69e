/** Commands that are run once beside a server, as Jobs, and die with whoever began them. */
import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { V1Job } from '@kubernetes/client-node'
import { create } from 'tar'
import { holdFolders, recover, replaceFolder, unpackFolder } from '../agent/folders.ts'
import type { Task, TaskExit, TaskRun } from '../cluster.ts'
import { listen } from '../docker/task-output.ts'
import { checkTask, readCode } from '../process/boxes/tasks.ts'
import { findClaim } from './claims.ts'
import { gameUserOf, label, more } from './names.ts'
import { BOX_GRACE_SECONDS, claimVolume, type ContainerParts, describePod, emptyVolume, type Mount } from './objects.ts'
import { isPulling, listPods, readPod, unlessGone } from './pods.ts'
import { bringScript, takeScript, taskScript } from './scripts.ts'
import { attach, type Way } from './ways.ts'
import type { Ground } from './workload.ts'

const PATIENCE_MS = 10_000
/** Until its container is there: a node may have to fetch the image, and a volume to come over. */
const START_MS = 180_000
/** No task takes longer: four hours are allowed to a map. */
const LONGEST_SECONDS = 24 * 3600
const KEPT_SECONDS = 60
const GIB = 1024 ** 3
const TASK_CPU = 1
const HELPER_BYTES = 64 * 1024 ** 2
/** What ends an archive, and more than tar reads at once. */
const TAR_END = Buffer.alloc(40 * 1024)

type Given = { tools: [string, string][]; folders: [string, { host: string; write: boolean; mayBeEmpty?: boolean }][] }

/** @throws Error where it cannot be started */
export async function runTask(ground: Ground, serverId: string, task: Task): Promise<TaskRun> {
  checkTask(task)
  const { api, names } = ground
  if (task.volume !== 'none' && (await findClaim(api, names.volume(serverId))) === undefined)
    throw new Error('the server has no volume yet')
  const given: Given = { tools: Object.entries(task.tools ?? {}), folders: Object.entries(task.folders ?? {}) }
  const written = given.folders.flatMap(([, { host, write, mayBeEmpty }]) => (write && mayBeEmpty !== true ? host : []))
  const { promise: begun, resolve, reject } = Promise.withResolvers<TaskRun>()
  // Held until the outcome is back.
  void holdFolders(written, async () => {
    const { promise: exit, resolve: tell } = Promise.withResolvers<TaskExit>()
    const run = await begin(ground, serverId, task, given)
    resolve({ ...run, exit })
    tell(await run.exit)
  }).catch(reject)
  return begun
}

async function begin(ground: Ground, serverId: string, task: Task, given: Given): Promise<TaskRun> {
  const { api, names } = ground
  const { batch, namespace, ask } = api
  const name = names.task(task.name)
  const env = envScript(task.env ?? {})
  const input = Buffer.from(task.stdin ?? '')
  const mark = randomBytes(16).toString('hex')
  const words = { WS_ENV: String(env.length), WS_INPUT: String(input.length), WS_MARK: mark }
  const up = task.volume !== 'none' ? await listPods(api, names.selector({ [label.server]: serverId })) : []
  const body = describeJob(ground, { name, serverId, task, given, words, isBesideServer: up.length > 0 })
  await ask(batch.createNamespacedJob({ namespace, body, fieldValidation: 'Strict' }))
  const remove = () =>
    ask(batch.deleteNamespacedJob({ namespace, name, propagationPolicy: 'Background' })).then(
      () => undefined,
      unlessGone,
    )
  const open: Way[] = []
  try {
    if (bringsOf(given)) {
      const bringing = await attach(api, { pod: await podOf('bring'), container: 'bring' })
      open.push(bringing)
      for await (const chunk of packAll(given)) await bringing.write(chunk as Buffer)
      await bringing.write(TAR_END)
      if ((await codeOf('bring')) !== 0) throw new Error('what is shown to the task does not arrive')
    }
    const pod = await podOf('task')
    const way = await attach(api, { pod, container: 'task' })
    open.push(way)
    const {
      output: { lines },
      wasKilled,
    } = listen(way.out, way.err, mark)
    await way.write(env)
    await way.write(input)
    let isOver = false
    const exit = finish()
    return {
      lines,
      exit,
      cancel() {
        if (isOver) return
        void way.write('end\n')
        const patience = setTimeout(() => way.close(), PATIENCE_MS)
        void exit.then(() => clearTimeout(patience))
      },
    }

    async function finish(): Promise<TaskExit> {
      try {
        const ended = await untilEnded()
        isOver = true
        const outOfMemory = ended.outOfMemory || wasKilled()
        if (ended.code === null) return { code: null, signal: 'SIGKILL', outOfMemory }
        if (takesOf(given).length > 0) await take(pod)
        return { ...readCode({ code: ended.code, signal: null }), outOfMemory }
      } catch {
        return { code: null, signal: 'SIGKILL', outOfMemory: wasKilled() }
      } finally {
        isOver = true
        for (const one of open) one.close()
        await remove().catch(() => undefined)
      }
    }

    async function untilEnded(): Promise<{ code: number | null; outOfMemory: boolean }> {
      await way.ended
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await delay(50)) {
        const own = (await find())?.status?.containerStatuses?.find((one) => one.name === 'task')
        const ended = own?.state?.terminated
        if (ended !== undefined) return { code: ended.exitCode, outOfMemory: ended.reason === 'OOMKilled' }
        if (own === undefined) break // it was removed
      }
      return { code: null, outOfMemory: false }
    }
  } catch (error) {
    for (const one of open) one.close()
    await remove().catch(() => undefined)
    throw error
  }

  async function find() {
    return (await listPods(api, `job-name=${name}`))[0]
  }

  /** The Pod, once that container runs. */
  async function podOf(container: string): Promise<string> {
    let why = 'no Pod is made for it'
    for (const end = Date.now() + START_MS; Date.now() < end; await delay(50)) {
      const pod = await find()
      if (pod === undefined) continue
      const all = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
      const own = all.find((one) => one.name === container)
      if (own?.state?.running !== undefined || own?.state?.terminated !== undefined) return pod.metadata?.name as string
      const state = readPod(pod, container)
      if (state.state === 'pending') why = state.why
      if ((state.state === 'pending' && (state.isHopeless || isPulling(why))) || state.state === 'ended')
        throw new Error(`the task ${task.name} cannot be started: ${why}`)
    }
    throw new Error(`the task ${task.name} is not started in time: ${why}`)
  }

  async function codeOf(container: string): Promise<number | null> {
    for (const end = Date.now() + START_MS; Date.now() < end; await delay(50)) {
      const pod = await find()
      const own = pod?.status?.initContainerStatuses?.find((one) => one.name === container)
      if (own?.state?.terminated !== undefined) return own.state.terminated.exitCode
      if (pod === undefined) return null
    }
    return null
  }

  /** What it has written takes the place of what is here. */
  async function take(pod: string): Promise<void> {
    const way = await attach(api, { pod, container: 'take' })
    open.push(way)
    way.err.resume()
    const all = takesOf(given)
    const scratch = join(dirname(all[0]![1].host), `.${name}`)
    mkdirSync(scratch, { recursive: true })
    try {
      await way.write('give\n')
      await unpackFolder(way.out, scratch)
      for (const [index, [, { host }]] of all.entries())
        await replaceFolder(host, async (draft) => {
          rmSync(draft, { recursive: true })
          renameSync(join(scratch, String(index)), draft)
        })
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  }
}

const bringsOf = ({ tools, folders }: Given) =>
  tools.length > 0 || folders.some(([, { mayBeEmpty }]) => mayBeEmpty !== true)
/** Folders that come back. */
const takesOf = ({ folders }: Given) => folders.filter(([, { write, mayBeEmpty }]) => write && mayBeEmpty !== true)

/** Secrets go by the input, so that they stand in no object of the API. */
function envScript(env: Record<string, string>): Buffer {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return Buffer.from(
    `${Object.entries(env)
      .map(([key, value]) => `${key}=${quote(value)}\n`)
      .join('')}\n`,
  )
}

function describeJob(
  { names, place }: Ground,
  {
    name,
    serverId,
    task,
    given,
    words,
    isBesideServer,
  }: {
    name: string
    serverId: string
    task: Task
    given: Given
    words: Record<string, string>
    isBesideServer: boolean
  },
): V1Job {
  const labels = names.labels('box', {
    [label.server]: serverId,
    [label.box]: task.name,
    [more.network]: task.network,
  })
  const hasVolume = task.volume !== 'none'
  const takes = takesOf(given)
  const folders = given.folders.map(([shown, { write, mayBeEmpty }], index) => ({
    volume: `folder-${index}`,
    path: `/mnt/${shown}`,
    readOnly: !write,
    isBrought: mayBeEmpty !== true,
  }))
  const whole: Mount[] = hasVolume ? [{ volume: 'data', path: '/data' }] : []
  const seen: Mount[] = hasVolume
    ? [
        { volume: 'data', path: '/data', readOnly: task.volume === 'read' },
        { volume: 'covered', path: '/data/.wakestone', readOnly: true },
      ]
    : []
  const helper = { image: place.image, memoryBytes: HELPER_BYTES, cpu: TASK_CPU }
  const containers: ContainerParts[] = [
    {
      name: 'task',
      image: place.image,
      script: `cd ${hasVolume ? '/data' : '/'} || exit 1\n${taskScript}`,
      args: task.command,
      env: { HOME: '/tmp', ...words },
      memoryBytes: task.memoryBytes,
      cpu: TASK_CPU,
      input: true,
      mounts: [
        ...seen,
        { volume: 'tools', path: '/opt/wakestone/tools', readOnly: true },
        ...folders.map(({ volume, path, readOnly }) => ({ volume, path, readOnly })),
      ],
    },
    ...(takes.length > 0
      ? [
          {
            ...helper,
            name: 'take',
            script: takeScript,
            input: true,
            mounts: takes.map(([shown], index) => ({
              volume: `folder-${given.folders.findIndex(([other]) => other === shown)}`,
              path: `/bring/${index}`,
              readOnly: true,
            })),
          },
        ]
      : []),
  ]
  const template = describePod({
    labels,
    user: gameUserOf(serverId, false),
    restart: 'Never',
    resolvers: [],
    graceSeconds: BOX_GRACE_SECONDS,
    seconds: LONGEST_SECONDS,
    ...(hasVolume && { beside: { labels: { [label.server]: serverId }, must: isBesideServer } }),
    init: [
      {
        ...helper,
        name: 'bring',
        script: bringScript,
        env: { WS_BRINGS: bringsOf(given) ? '1' : '0' },
        input: bringsOf(given),
        mounts: [
          ...whole,
          { volume: 'tools', path: '/bring/tools' },
          ...folders.map(({ volume }) => ({ volume, path: `/bring/${volume}` })),
        ],
      },
    ],
    containers,
    volumes: [
      ...(hasVolume ? [claimVolume(names.volume(serverId)), emptyVolume('covered')] : []),
      emptyVolume('tools', 2 * GIB),
      ...folders.map(({ volume }) => ({ name: volume, emptyDir: {} })),
    ],
  })
  return {
    metadata: { name, labels },
    spec: { backoffLimit: 0, activeDeadlineSeconds: LONGEST_SECONDS, ttlSecondsAfterFinished: KEPT_SECONDS, template },
  }
}

/** What is shown of this machine, as it lies in the volumes of the Pod. */
async function* packAll({ tools, folders }: Given): AsyncGenerator<Buffer> {
  for (const [name, path] of tools) yield* pack(path, 'tools', name)
  for (const [index, [, { host, mayBeEmpty }]] of folders.entries()) {
    if (mayBeEmpty === true) continue
    recover(host)
    mkdirSync(host, { recursive: true })
    for (const name of readdirSync(host)) yield* pack(join(host, name), `folder-${index}`, name)
  }
}

/** Without what would end the archive: others follow. */
async function* pack(path: string, into: string, name: string): AsyncGenerator<Buffer> {
  const isFolder = lstatSync(path).isDirectory()
  const bytes = new PassThrough()
  const packed = create(
    {
      cwd: isFolder ? path : dirname(path),
      prefix: isFolder ? `${into}/${name}` : into,
      portable: true,
      follow: false,
      onWriteEntry: (entry: { path: string }) => void (isFolder || (entry.path = name)),
    },
    isFolder ? ['.'] : [basename(path)],
  )
  packed.on('error', (error: unknown) => bytes.destroy(error as Error))
  packed.pipe(bytes)
  const END = 1024
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes as Readable as AsyncIterable<Buffer>) {
    held = Buffer.concat([held, chunk])
    if (held.length <= END) continue
    yield held.subarray(0, held.length - END)
    held = held.subarray(held.length - END)
  }
}
