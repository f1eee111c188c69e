/** Keys as they are kept: the database alone opens none. */
import { keyFor, seal, unseal } from '@wakestone/kit/seal'
import type { Context } from '#src/context.ts'

type Deps = Pick<Context, 'secrets'>

const sealingKey = ({ secrets }: Deps) => keyFor(secrets.factors, 'certificates')

/** @param owner a name of a certificate, or the address of an authority */
export const sealKey = (deps: Deps, owner: string, key: string): Buffer =>
  seal(sealingKey(deps), owner, Buffer.from(key))

/** @throws when it was sealed for another owner, or with other secrets */
export const openKey = (deps: Deps, owner: string, sealed: Buffer): string =>
  unseal(sealingKey(deps), owner, sealed).toString()
