/**
 * Speaks to the API of a cluster, by its own client library: that knows kubeconfigs, who a Pod is, and every type. It is
 * large, so it is loaded when a cluster of this kind is first asked for something.
 */
import type * as Library from '@kubernetes/client-node'
import { loadBundle } from '../../bundled.ts'
import type { KubernetesPlace } from './options.ts'

const PATIENCE_MS = 15_000

/** Nobody answers, or not in time. */
export class ApiUnreached extends Error {}
/** What the API refuses. `status` is that of HTTP. */
export class ApiRefusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export type Api = Awaited<ReturnType<typeof openApi>>

/** @throws Error for a kubeconfig that is none */
export async function openApi({ kubeconfig, namespace }: Pick<KubernetesPlace, 'kubeconfig' | 'namespace'>) {
  const library = await loadBundle('kubernetes')
  const config = new library.KubeConfig()
  if (kubeconfig === undefined) config.loadFromCluster()
  else config.loadFromString(kubeconfig)
  const cluster = config.getCurrentCluster()
  if (cluster === null) throw new Error('the kubeconfig names no current cluster')
  const { HttpMethod } = library
  let connections: ReturnType<Library.RequestContext['getDispatcher']>
  const configuration = library.createConfiguration({
    baseServer: new library.ServerConfiguration(cluster.server, {}),
    authMethods: { default: config },
    promiseMiddleware: [
      {
        async pre(request) {
          request.setSignal(AbortSignal.timeout(PATIENCE_MS))
          // The library makes one for every call, with connections of its own.
          connections ??= request.getDispatcher()
          if (connections !== undefined) request.setDispatcher(connections)
          if (request.getHttpMethod() === HttpMethod.PATCH)
            request.setHeaderParam('Content-Type', 'application/merge-patch+json')
          return request
        },
        post: async (response) => response,
      },
    ],
  })
  return {
    library,
    config,
    server: cluster.server,
    namespace,
    core: new library.CoreV1Api(configuration),
    apps: new library.AppsV1Api(configuration),
    batch: new library.BatchV1Api(configuration),
    networking: new library.NetworkingV1Api(configuration),
    authorization: new library.AuthorizationV1Api(configuration),
    /** @throws ApiRefusal, ApiUnreached */
    async ask<T>(call: Promise<T>): Promise<T> {
      try {
        return await call
      } catch (error) {
        if (error instanceof library.ApiException) throw new ApiRefusal(error.code, messageOf(error))
        throw new ApiUnreached(`the API of Kubernetes does not answer: ${causeOf(error)}`, { cause: error })
      }
    },
  }
}

function messageOf({ code, body }: Library.ApiException<unknown>): string {
  const status = typeof body === 'string' ? readJson(body) : body
  const { message } = (status ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message.slice(0, 500) : `the API of Kubernetes answers ${code}`
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const causeOf = (error: unknown) => {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message})` : message
}

/** Undefined instead of what there is not. */
export async function orNothing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 404) return undefined
    throw error
  }
}

/** Creates what may be there already. @returns whether it is new */
export async function create(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 409) return false
    throw error
  }
}
