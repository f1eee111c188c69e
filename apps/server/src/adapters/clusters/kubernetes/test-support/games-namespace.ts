/** What an operator creates by `kubectl apply -f deploy/kubernetes/games.yaml`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAllYaml } from '@kubernetes/client-node'
import { repoRoot } from '../../test-support/game-bench.ts'

type Read = {
  apiVersion?: string
  kind?: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> }
  spec?: any
  data?: any
  rules?: any
  subjects?: any
  roleRef?: any
}

export const account = { namespace: 'wakestone-games', name: 'wakestone' }

export const gamesNamespace = (): Read[] =>
  readObjects(readFileSync(join(repoRoot, 'deploy/kubernetes/games.yaml'), 'utf8'))

/** All objects of a text. */
export const readObjects = (yaml: string): Read[] =>
  (loadAllYaml(yaml) as (Read | null)[]).filter((object) => object !== null)
