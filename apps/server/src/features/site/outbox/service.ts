/** The folder into which the mailer writes when no mail server is set. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import PostalMime from 'postal-mime'
import { DomainError } from '@wakestone/contract/errors'

const newestShown = 100

type Mail = { name: string; written_at: string; to: string; subject: string; text: string; raw: string }

/** Newest first: a name begins with the time it was written at. */
export async function listMails(dataDir: string): Promise<Mail[]> {
  const names = await readdir(join(dataDir, 'outbox')).catch(() => [])
  const newest = names
    .filter((name) => name.endsWith('.eml') && !name.startsWith('.'))
    .toSorted()
    .toReversed()
    .slice(0, newestShown)
  return Promise.all(newest.map((name) => readMail(dataDir, name)))
}

/** @throws DomainError `resource_not_found`. */
export async function readMail(dataDir: string, name: string): Promise<Mail> {
  const file = join(dataDir, 'outbox', basename(name))
  const raw = await readFile(file, 'utf8').catch(() => undefined)
  if (raw === undefined) throw new DomainError('resource_not_found')
  const [mail, { mtime }] = await Promise.all([PostalMime.parse(raw), stat(file)])
  return {
    name,
    written_at: mtime.toISOString(),
    to: mail.to?.map(({ address }) => address ?? '').join(', ') ?? '',
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    raw,
  }
}
