/**
 * Secrets of one installation: generated once into `DATA_DIR/secrets.json` (mode 600), one per purpose.
 */
import { createECDH, createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const key = z.string().min(1)
const keyPair = z.object({ publicKey: key, privateKey: key })
const secretsSchema = z.object({
  /** EdDSA, PEM: signs access cookies. */
  session: keyPair,
  /** EdDSA, PEM: signs tokens for supervisors, which hold the public half. */
  supervisor: keyPair,
  /** HMAC key of links and codes sent by mail, hex. */
  mailLinks: key,
  /** Key of what second factors are checked with, hex. */
  factors: key,
  /** P-256, raw in base64url: our name at push services (VAPID), of which browsers know the public half. */
  vapid: keyPair,
  /** From which the keys follow by which SFTP clients know us, hex. */
  sftpHost: key,
  /** Bearer token with which gateways ask for routes. */
  gateway: key,
  databasePassword: key,
  adminPassword: key,
  demoPassword: key,
  /** Credentials shared with the PayU simulator of the demo. */
  payuSimulator: z.object({ clientSecret: key, secondKey: key }),
})
export type Secrets = z.infer<typeof secretsSchema>

function generateKeyPair() {
  return generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}

function vapidKeys(privateKey: Buffer) {
  const keys = createECDH('prime256v1')
  keys.setPrivateKey(privateKey)
  return { publicKey: keys.getPublicKey().toString('base64url'), privateKey: privateKey.toString('base64url') }
}

const random = () => randomBytes(32).toString('hex')
/** Readable, 20 characters, about 100 bits. */
const password = () => randomBytes(15).toString('base64url')

/** Traces of an installation that was begun with secrets. */
const traces = ['postgres', 'servers']

/**
 * Reads the secrets of an installation, making them first for a new one. Safe when several processes start at once.
 * @throws Error that names the file and says what to do, when it is damaged, or gone although the installation is not.
 */
export function loadSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json')
  if (!existsSync(file)) {
    const trace = traces.map((name) => join(dataDir, name)).find((path) => lstatSync(path, { throwIfNoEntry: false }))
    // Another process may have made both meanwhile.
    if (trace !== undefined && !existsSync(file)) refuse(file, `is missing, but ${trace} was made with its keys`)
    makeSecrets(dataDir, file)
  }
  const known = readSecrets(file)
  const complete = secretsSchema.safeParse(
    known.factors && known.vapid && known.sftpHost ? known : completeSecrets(file, known),
  )
  if (!complete.success) refuse(file, `lacks ${complete.error.issues.map(({ path }) => path.join('.')).join(', ')}`)
  return complete.data
}

function refuse(file: string, fault: string): never {
  throw new Error(
    `${file} ${fault}. Put it back from a backup: sessions, second factors, the database and running games depend on ` +
      'its keys. Without a backup, begin anew in another DATA_DIR',
  )
}

function makeSecrets(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  const secrets: Secrets = {
    session: generateKeyPair(),
    supervisor: generateKeyPair(),
    mailLinks: random(),
    factors: random(),
    vapid: vapidKeys(randomBytes(32)),
    sftpHost: random(),
    gateway: random(),
    databasePassword: random(),
    adminPassword: password(),
    demoPassword: password(),
    payuSimulator: { clientSecret: random(), secondKey: random() },
  }
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  try {
    linkSync(draft, file) // the first one wins; a rename would let the last one win
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}

function readSecrets(file: string): Partial<Secrets> {
  const text = readFileSync(file, 'utf8')
  try {
    const known: unknown = JSON.parse(text)
    if (typeof known === 'object' && known !== null && !Array.isArray(known)) return known
  } catch {
    // Told below: the parser's own words would quote a key.
  }
  return refuse(file, 'is damaged: it holds no JSON object')
}

/**
 * Completes the file of an installation that is older than second factors, pushes or SFTP. What is added follows from another
 * key, so that processes that start at once agree.
 */
function completeSecrets(file: string, known: Partial<Secrets>): Partial<Secrets> {
  const source = keyPair.safeParse(known.session).data?.privateKey
  if (!source) return known // nothing follows from nothing
  const follow = (purpose: string) => createHmac('sha256', source).update(purpose)
  const added = {
    factors: follow('factors').digest('hex'),
    vapid: vapidKeys(follow('vapid').digest()),
    sftpHost: follow('sftpHost').digest('hex'),
  }
  const secrets = { ...added, ...known }
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
  return secrets
}

/** A key for one purpose: who has it cannot work out the one it follows from, nor that of another purpose. */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  createHmac('sha256', secret).update(purpose).digest()
