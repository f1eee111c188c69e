import type { FileJobBody } from '@wakestone/contract/servers/files'

/** What this window asked for, by the job that came of it: a job that found something in its way can be asked for anew. */
const requests = new Map<string, FileJobBody>()

export const keepRequest = (jobId: string, body: FileJobBody): void => void requests.set(jobId, body)
export const requestOf = (jobId: string): FileJobBody | undefined => requests.get(jobId)
