/** What is believed of the headers with which a files service sends bytes. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

export type BytesHead = {
  status: number
  /** Bytes that come; undefined where nobody knows. */
  length: number | undefined
  /** `Content-Range`, of a part. */
  range: string | undefined
  /** The revision, of a file. */
  revision: string | undefined
  /** Of an upload. */
  uploadOffset: number | undefined
  uploadLength: number | undefined
  /** Where an upload that is complete has its file. */
  uploadPath: string | undefined
  /** Where a log that is followed begins. */
  followOffset: number | undefined
}

export function readHead({ statusCode = 0, headers }: Pick<IncomingMessage, 'statusCode' | 'headers'>): BytesHead {
  const range = textOf(headers, 'content-range')
  const revision = /^"([\w.-]{1,100})"$/.exec(textOf(headers, 'etag') ?? '')?.[1]
  return {
    status: statusCode,
    length: numberOf(headers, 'content-length'),
    range: range !== undefined && /^bytes (\d{1,15}-\d{1,15}|\*)\/\d{1,15}$/.test(range) ? range : undefined,
    revision,
    uploadOffset: numberOf(headers, 'upload-offset'),
    uploadLength: numberOf(headers, 'upload-length'),
    uploadPath: decode(textOf(headers, 'upload-path')),
    followOffset: numberOf(headers, 'follow-offset'),
  }
}

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

function numberOf(headers: IncomingHttpHeaders, name: string): number | undefined {
  const value = textOf(headers, name)
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** Headers carry paths in percent form. */
function decode(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 40_000) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
