/** Boxes that people have opened by asking, without an operation: of each server a few at a time, in this process. */
import { DomainError } from '@wakestone/contract/errors'

const most = 3
const underWay = new Map<string, number>()

/** @returns how to give the place back, once. @throws DomainError `too_many_requests` */
export function takePlace(serverId: string): () => void {
  const count = underWay.get(serverId) ?? 0
  if (count >= most) throw new DomainError('too_many_requests', { retry_after: 5 })
  underWay.set(serverId, count + 1)
  let isGiven = false
  return () => {
    if (isGiven) return
    isGiven = true
    const left = (underWay.get(serverId) ?? 1) - 1
    if (left > 0) underWay.set(serverId, left)
    else underWay.delete(serverId)
  }
}

export async function amongFew<Result>(serverId: string, work: () => Promise<Result>): Promise<Result> {
  const giveBack = takePlace(serverId)
  try {
    return await work()
  } finally {
    giveBack()
  }
}
