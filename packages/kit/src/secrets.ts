/**
 * Secrets of one installation: generated once into `DATA_DIR/secrets.json` (mode 600), one per purpose.
 */
import { createECDH, createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const keyPair = z.object({ publicKey: z.string(), privateKey: z.string() })
const secretsSchema = z.object({
  /** EdDSA, PEM: signs access cookies. */
  session: keyPair,
  /** EdDSA, PEM: signs tokens for supervisors, which hold the public half. */
  supervisor: keyPair,
  /** HMAC key of links and codes sent by mail, hex. */
  mailLinks: z.string(),
  /** Key of what second factors are checked with, hex. */
  factors: z.string(),
  /** P-256, raw in base64url: our name at push services (VAPID), of which browsers know the public half. */
  vapid: keyPair,
  /** Bearer token with which gateways ask for routes. */
  gateway: z.string(),
  databasePassword: z.string(),
  adminPassword: z.string(),
  demoPassword: z.string(),
  /** Credentials shared with the PayU simulator of the demo. */
  payuSimulator: z.object({ clientSecret: z.string(), secondKey: z.string() }),
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

/** Reads the secrets of an installation, making them first where there are none. Safe when several processes start at once. */
export function loadSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 })
    const secrets: Secrets = {
      session: generateKeyPair(),
      supervisor: generateKeyPair(),
      mailLinks: random(),
      factors: random(),
      vapid: vapidKeys(randomBytes(32)),
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
  const known = JSON.parse(readFileSync(file, 'utf8')) as Partial<Secrets>
  const isComplete = known.factors !== undefined && known.vapid !== undefined
  return secretsSchema.parse(isComplete ? known : completeSecrets(file, known))
}

/**
 * Completes the file of an installation that is older than second factors or pushes. What is added follows from another
 * key, so that processes that start at once agree.
 */
function completeSecrets(file: string, known: Partial<Secrets>): Partial<Secrets> {
  const follow = (purpose: string) => createHmac('sha256', known.session?.privateKey ?? '').update(purpose)
  const secrets = { factors: follow('factors').digest('hex'), vapid: vapidKeys(follow('vapid').digest()), ...known }
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
  return secrets
}
