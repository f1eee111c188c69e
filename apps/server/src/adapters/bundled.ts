/** Libraries that are large, of which little is needed here, and seldom: built into one file each out of `bundled/`. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as eInvoice from '../../bundled/e-invoice.ts'
import type * as kubernetes from '../../bundled/kubernetes.ts'

type Bundles = { kubernetes: typeof kubernetes; 'e-invoice': typeof eInvoice }

export const loadBundle = async <Name extends keyof Bundles>(name: Name): Promise<Bundles[Name]> =>
  (await import(pathToFileURL(join(import.meta.dirname, `../../build/${name}/${name}.mjs`)).href)) as Bundles[Name]
