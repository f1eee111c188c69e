/** One machine with a container engine: what is asked of it, in our words. */
import { setTimeout as delay } from 'node:timers/promises'
import { createEngine, createUnframer, type Engine, EngineRefusal } from './engine.ts'
import { label, type Names, type Role } from './names.ts'
import type { DockerHost } from './options.ts'

/** Of looks that many wait for. */
const LOOK_MS = 6_000
const START_MS = 60_000

export type Found = {
  id: string
  name: string
  state: 'created' | 'running' | 'paused' | 'restarting' | 'exited' | 'dead' | 'stopped' | 'removing' | 'configured'
  labels: Record<string, string>
  /** Milliseconds since 1970. */
  createdAt: number
}
/** Nothing of it runs any more. */
export const isEnded = (state: Found['state']) => state === 'exited' || state === 'dead' || state === 'stopped'
export type Host = ReturnType<typeof openHost>

export function openHost(options: DockerHost, names: Names) {
  const engine: Engine = createEngine(options)
  const { call } = engine

  /** Engines filter by labels too; but Podman takes several of a volume for alternatives. */
  const carries = (labels: Record<string, string>, wanted: Record<string, string>) =>
    Object.entries({ [label.cluster]: names.mark, ...wanted }).every(([key, value]) => labels[key] === value)

  const filterOf = (wanted: Record<string, string>) =>
    JSON.stringify({
      label: Object.entries({ [label.cluster]: names.mark, ...wanted }).map(([key, value]) => `${key}=${value}`),
    })

  /** Ours, running or not. */
  async function list(wanted: Record<string, string> = {}): Promise<Found[]> {
    const filters = filterOf(wanted)
    const { body } = await call('GET', '/containers/json', { query: { all: true, filters }, patience: LOOK_MS })
    return (
      body as { Id: string; Names: string[]; State: Found['state']; Labels: Record<string, string>; Created: number }[]
    )
      .map((one) => ({
        id: one.Id,
        name: (one.Names[0] ?? '').replace(/^\//, ''),
        state: one.State,
        labels: one.Labels ?? {},
        createdAt: one.Created * 1000,
      }))
      .filter(({ labels }) => carries(labels, wanted))
  }

  /** Undefined where there is no such container. */
  async function look(container: string) {
    const { status, body } = await call('GET', `/containers/${container}/json`, { accepts: [404], patience: LOOK_MS })
    if (status === 404) return undefined
    const { State } = body as { State: { Status: Found['state']; ExitCode: number; OOMKilled: boolean } }
    return { state: State.Status, exitCode: State.ExitCode, outOfMemory: State.OOMKilled }
  }

  /** @returns false where one of that name is there already */
  async function create(container: string, options_: object): Promise<boolean> {
    try {
      await call('POST', '/containers/create', { query: { name: container }, body: options_, patience: START_MS })
      return true
    } catch (error) {
      const isTaken = error instanceof EngineRefusal && /in use|already exists|Conflict/i.test(error.message)
      if (!isTaken) throw error
      return false
    }
  }

  const start = (container: string) => call('POST', `/containers/${container}/start`, { patience: START_MS })

  async function remove(container: string): Promise<void> {
    // Podman lets it end by itself before it removes it, for which it waits.
    await kill(container, 'SIGKILL')
    // One that is being removed by somebody else is told of with 409 for a moment.
    for (let tries = 0; tries < 50; tries++) {
      const query = { force: true, v: true }
      const accepts = [404, 409]
      const { status } = await call('DELETE', `/containers/${container}`, { query, accepts, patience: START_MS })
      if (status !== 409) return
      await delay(100)
    }
    throw new Error(`${container} cannot be removed from ${options.name}`)
  }

  async function kill(container: string, signal: 'SIGKILL' | 'SIGINT' | 'SIGTERM'): Promise<void> {
    const accepts = [404, 409, 500] // it has ended meanwhile, which engines tell in several ways
    await call('POST', `/containers/${container}/kill`, { query: { signal }, accepts })
  }

  /** Both outputs so far, the last lines of them. */
  async function logsOf(container: string): Promise<string> {
    const query = { stdout: true, stderr: true, tail: '20' }
    const signal = AbortSignal.timeout(LOOK_MS)
    let text = ''
    try {
      const response = await engine.stream('GET', `/containers/${container}/logs`, { query, signal })
      const unframe = createUnframer((_, bytes) => (text = `${text}${bytes.toString()}`.slice(-4000)))
      for await (const chunk of response as AsyncIterable<Buffer>) unframe(chunk)
    } catch {
      // What is there has to do.
    }
    return text.trim()
  }

  /** Runs a command to its end in a container that is up. */
  async function exec(container: string, command: string[]): Promise<{ code: number; out: string }> {
    const body = { AttachStdout: true, AttachStderr: true, Cmd: command, User: '0' }
    const { body: made } = await call('POST', `/containers/${container}/exec`, { body })
    const id = (made as { Id: string }).Id
    const signal = AbortSignal.timeout(START_MS)
    let out = ''
    const unframe = createUnframer((stream, bytes) => {
      if (stream === 'out' && out.length < 64 * 1024) out += bytes.toString()
    })
    const began = await engine.stream('POST', `/exec/${id}/start`, { body: { Detach: false, Tty: false }, signal })
    for await (const chunk of began as AsyncIterable<Buffer>) unframe(chunk)
    const { body: ended } = await call('GET', `/exec/${id}/json`)
    return { code: (ended as { ExitCode: number }).ExitCode, out }
  }

  /**
   * Resolves with the status that a container ended with.
   * @throws Error where it is gone: Podman then answers with 0, whatever the status was
   */
  async function waitFor(container: string, patience: number): Promise<number> {
    await call('POST', `/containers/${container}/wait`, { patience })
    const seen = await look(container)
    if (seen === undefined || !isEnded(seen.state)) throw new Error(`how ${container} ended is not known`)
    return seen.exitCode
  }

  async function hasVolume(volume: string): Promise<boolean> {
    const { status } = await call('GET', `/volumes/${volume}`, { accepts: [404], patience: LOOK_MS })
    return status === 200
  }

  /** One that is there stays as it is. */
  async function makeVolume(volume: string, role: Role, more: Record<string, string> = {}): Promise<void> {
    const Labels = { ...names.labels(role), ...more }
    await call('POST', '/volumes/create', { body: { Name: volume, Driver: 'local', Labels } })
  }

  /** @returns false while somebody uses it */
  async function removeVolume(volume: string): Promise<boolean> {
    const { status } = await call('DELETE', `/volumes/${volume}`, { accepts: [404, 409], patience: START_MS })
    return status !== 409
  }

  /** All that carry these labels. */
  async function removeVolumes(wanted: Record<string, string>): Promise<void> {
    const filters = filterOf(wanted)
    const { body } = await call('GET', '/volumes', { query: { filters } })
    const { Volumes } = body as { Volumes: { Name: string; Labels?: Record<string, string> | null }[] | null }
    for (const { Name, Labels } of Volumes ?? [])
      if (carries(Labels ?? {}, wanted) && !(await removeVolume(Name)))
        throw new Error(`the volume ${Name} is used on ${options.name}`)
  }

  /** Asks it to end, and kills it when it has not in time. */
  async function stop(container: string, seconds: number): Promise<void> {
    const patience = (seconds + 30) * 1000
    await call('POST', `/containers/${container}/stop`, { query: { t: seconds }, accepts: [404], patience })
  }

  return {
    ...options,
    engine,
    list,
    look,
    create,
    start,
    remove,
    kill,
    logsOf,
    exec,
    waitFor,
    hasVolume,
    makeVolume,
    removeVolume,
    removeVolumes,
    stop,
  }
}
