/** How servers are placed in a cluster of Kubernetes, as an administrator says it. */
import { z } from 'zod'

/**
 * How gateways and panel reach servers: by the addresses of Pods, where they are in the same network; by those of Services,
 * in the same cluster; or by ports of nodes, from outside.
 */
export const kubernetesReaches = ['pods', 'services', 'nodes'] as const
export type KubernetesReach = (typeof kubernetesReaches)[number]

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const range = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], { error: 'ip_range' })
const most = { kubeconfig: 100_000, from: 20 }

export const kubernetesSchema = z
  .strictObject({
    namespace: z.string().trim().regex(label, 'kube_name'),
    /** That of `npm run image:supervisor`, under the name by which nodes pull it. */
    image: z
      .string()
      .trim()
      .max(300, 'too_long')
      .regex(/^[a-z0-9][\w.:/@-]*$/i, 'image_name'),
    /** Null: the cluster's own choice. */
    storage_class: z
      .string()
      .trim()
      .regex(/^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/, 'kube_name')
      .nullable(),
    reach: z.enum(kubernetesReaches),
    /** Of nodes, where servers are reached by those; a name or an address. */
    address: z
      .string()
      .trim()
      .max(253, 'too_long')
      .regex(/^[a-z0-9]([a-z0-9.:-]*[a-z0-9])?$/i, 'host_name')
      .nullable(),
    /** Networks of gateways and panel; empty: all in the cluster but servers. */
    from: z.array(range).max(most.from, 'too_many'),
    /** YAML. It is never told again; where it is missing, the one that is there stays. Null: there is none. */
    kubeconfig: z.string().max(most.kubeconfig, 'too_long').min(1, 'required').nullable().optional(),
  })
  .refine(({ reach, address }) => reach !== 'nodes' || address !== null, { path: ['address'], error: 'required' })
export type KubernetesBody = z.output<typeof kubernetesSchema>

export const shownKubernetesSchema = z.object({
  namespace: z.string(),
  image: z.string(),
  storage_class: z.string().nullable(),
  reach: z.enum(kubernetesReaches),
  address: z.string().nullable(),
  from: z.array(z.string()),
  /** Whether it has a kubeconfig; otherwise the product's own Pod says who it is. */
  has_kubeconfig: z.boolean(),
})
export type ShownKubernetes = z.infer<typeof shownKubernetesSchema>
