/** What an agent keeps of itself and of the control plane that it serves: `DATA_DIR/agent/agent.json`. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const identitySchema = z.object({
  /** Given at joining. */
  id: z.uuid(),
  /** Of the token that it has joined with. */
  token: z.uuid(),
  /** Its own key and certificate, PEM; the control plane knows it by the certificate. */
  key: z.string(),
  certificate: z.string(),
  /** SPKI PEM of the control plane's key: whoever signs with it is obeyed, and nobody else. */
  publicKey: z.string(),
})
export type Identity = z.infer<typeof identitySchema>

const fileOf = (dataDir: string) => join(dataDir, 'agent', 'agent.json')

/** Undefined before it has joined. @throws Error where the file is damaged */
export function readIdentity(dataDir: string): Identity | undefined {
  let text: string
  try {
    text = readFileSync(fileOf(dataDir), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return identitySchema.parse(JSON.parse(text))
}

export function keepIdentity(dataDir: string, identity: Identity): void {
  const file = fileOf(dataDir)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.new`
  writeFileSync(draft, `${JSON.stringify(identity, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}
