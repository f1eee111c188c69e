import type { FileJobBody } from '@wakestone/contract/servers/files'

/** What this window asked for, by job: one that met a conflict can be requested again. */
const requests = new Map<string, FileJobBody>()

export const keepRequest = (jobId: string, body: FileJobBody): void => void requests.set(jobId, body)
export const requestOf = (jobId: string): FileJobBody | undefined => requests.get(jobId)
