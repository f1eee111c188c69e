/** Who may do what: tokens are users, and a user has what Roles grant that are bound to it. */
import { kinds, type KubeObject } from './kinds.ts'
import type { Store } from './store.ts'

type Asked = {
  verb: string
  group: string
  resource: string
  namespace?: string | undefined
  name?: string | undefined
}
type Rule = { apiGroups?: string[]; resources?: string[]; verbs: string[]; resourceNames?: string[] }

const roles = kinds.find(({ plural }) => plural === 'roles')!
const bindings = kinds.find(({ plural }) => plural === 'rolebindings')!

/** Groups of Kubernetes that may do everything. */
const MASTERS = 'system:masters'

export function createAccess(store: Store) {
  const users = new Map<string, { name: string; groups: string[] }>()

  return {
    addUser(token: string, name: string, groups: string[] = []) {
      users.set(token, { name, groups })
    },
    userOf: (header: string | undefined) => users.get((header ?? '').replace(/^Bearer /, '')),
    isAllowed(user: { name: string; groups: string[] }, { verb, group, resource, namespace, name }: Asked): boolean {
      if (user.groups.includes(MASTERS)) return true
      if (namespace === undefined) return false
      return store.list(bindings, namespace).some((binding) => {
        if (!subjectsOf(binding).includes(user.name)) return false
        const role = store.list(roles, namespace).find(({ metadata }) => metadata.name === binding.roleRef.name)
        return ((role?.rules ?? []) as Rule[]).some(
          (rule) =>
            has(rule.apiGroups, group) &&
            has(rule.resources, resource) &&
            has(rule.verbs, verb) &&
            (rule.resourceNames === undefined || (name !== undefined && rule.resourceNames.includes(name))),
        )
      })
    },
  }
}

const has = (given: string[] | undefined, wanted: string) =>
  given?.some((one) => one === '*' || one === wanted) === true
const subjectsOf = ({ subjects = [] }: KubeObject): string[] =>
  (subjects as { kind: string; name: string; namespace?: string }[]).map(({ kind, name, namespace }) =>
    kind === 'ServiceAccount' ? `system:serviceaccount:${namespace}:${name}` : name,
  )
