/** What a cluster's Role has to grant in the namespace of servers, and no more: `deploy/kubernetes/games.yaml` has it. */
import type { Api } from './api.ts'

type Rule = { group: string; resource: string; verbs: string[] }

export const permissions: readonly Rule[] = [
  { group: 'apps', resource: 'statefulsets', verbs: ['get', 'list', 'create', 'patch', 'delete'] },
  { group: 'batch', resource: 'jobs', verbs: ['list', 'create', 'delete'] },
  { group: 'networking.k8s.io', resource: 'networkpolicies', verbs: ['get', 'create', 'update'] },
  { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'delete'] },
  // Both verbs: servers differ in which one a WebSocket takes.
  { group: '', resource: 'pods/exec', verbs: ['get', 'create'] },
  { group: '', resource: 'pods/attach', verbs: ['get', 'create'] },
  { group: '', resource: 'pods/log', verbs: ['get'] },
  { group: '', resource: 'persistentvolumeclaims', verbs: ['get', 'list', 'create', 'patch', 'delete'] },
  { group: '', resource: 'services', verbs: ['get', 'create', 'delete'] },
  { group: '', resource: 'configmaps', verbs: ['get', 'list', 'create', 'delete'] },
  { group: '', resource: 'resourcequotas', verbs: ['list'] },
]

/** What of that is not granted, for people. */
export async function findMissing({ authorization, namespace, ask }: Api): Promise<string[]> {
  const asked = permissions.flatMap(({ group, resource, verbs }) => verbs.map((verb) => ({ group, resource, verb })))
  const answers = await Promise.all(
    asked.map(async ({ group, resource: path, verb }) => {
      const [resource = '', subresource] = path.split('/')
      const body = {
        spec: { resourceAttributes: { namespace, verb, group, resource, ...(subresource && { subresource }) } },
      }
      const { status } = await ask(authorization.createSelfSubjectAccessReview({ body }))
      return status?.allowed === true ? [] : [`${verb} ${path}`]
    }),
  )
  return answers.flat()
}
