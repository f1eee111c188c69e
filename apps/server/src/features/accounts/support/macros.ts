/** Answers that are written often. */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { Macro, macroBody } from '@wakestone/contract/accounts/support'
import { ticketLimits } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import * as repo from './desk-repo.ts'

type Deps = Pick<Context, 'db'>
type Body = z.output<typeof macroBody>
const missing = () => new DomainError('resource_not_found')
const taken = () => new DomainError('resource_already_exists', { resource: 'name' })
/** Two at once with one name meet the index. */
const isTwice = (error: unknown) => (error as { constraint?: string }).constraint === 'support_macros_name'

export const listMacros = ({ db }: Deps): Promise<Macro[]> => repo.selectMacros(db)

export async function createMacro({ db }: Deps, body: Body): Promise<Macro> {
  if ((await repo.countMacros(db)) >= ticketLimits.macros)
    throw new DomainError('too_many_requests', { limit: ticketLimits.macros })
  if (await repo.isMacroNameTaken(db, body.name)) throw taken()
  const id = await inTransaction(db, (trx) => repo.insertMacro(trx, body)).catch((error: unknown) => {
    throw isTwice(error) ? taken() : error
  })
  return { id, ...body }
}

export async function changeMacro({ db }: Deps, id: string, body: Body): Promise<Macro> {
  if (await repo.isMacroNameTaken(db, body.name, id)) throw taken()
  const found = await inTransaction(db, (trx) => repo.updateMacro(trx, { id, ...body })).catch((error: unknown) => {
    throw isTwice(error) ? taken() : error
  })
  if (!found) throw missing()
  return { id, ...body }
}

export async function deleteMacro({ db }: Deps, id: string): Promise<void> {
  if (!(await repo.deleteMacro(db, id))) throw missing()
}
