/** What is refused: a code of the catalogue, and what is to be known about it. */
import { fileErrors, type FileErrorCode, type FileErrorFields } from '@wakestone/protocol/file-values'

export class FileError extends Error {
  readonly code: FileErrorCode
  readonly fields: FileErrorFields | undefined

  constructor(code: FileErrorCode, fields?: FileErrorFields) {
    super(code)
    this.code = code
    this.fields = fields
  }

  get status(): number {
    return fileErrors[this.code]
  }
}

const ofSystem: Record<string, FileErrorCode> = {
  ENOENT: 'file_does_not_exist',
  ENOTDIR: 'file_does_not_exist',
  ELOOP: 'file_does_not_exist',
  ESTALE: 'file_does_not_exist',
  EEXIST: 'resource_already_exists',
  ENOTEMPTY: 'resource_already_exists',
  EISDIR: 'file_has_other_type',
  ENXIO: 'file_has_other_type',
  ENAMETOOLONG: 'unknown_file_name',
  EILSEQ: 'unknown_file_name',
  EACCES: 'access_denied',
  EPERM: 'access_denied',
  EROFS: 'access_denied',
  ETXTBSY: 'access_denied',
  EXDEV: 'access_denied',
  ENOSPC: 'disc_quota_exceeding',
  EDQUOT: 'disc_quota_exceeding',
  EFBIG: 'disc_quota_exceeding',
  EMFILE: 'too_many_requests',
  ENFILE: 'too_many_requests',
  EAGAIN: 'too_many_requests',
}

/** What an error of the system means; undefined for one of ours that should not be. */
export function asFileError(error: unknown): FileError | undefined {
  if (error instanceof FileError) return error
  const code = ofSystem[(error as NodeJS.ErrnoException | undefined)?.code ?? '']
  return code && new FileError(code)
}

export const errnoOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code
