/**
 * Secrets of one installation: generated once into `DATA_DIR/secrets.json` (mode 600), one per purpose.
 */
import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'
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
  return secretsSchema.parse(known.factors === undefined ? addFactorsKey(file, known) : known)
}

/**
 * Completes the file of an installation that is older than second factors. The key follows from another one, so that
 * processes that start at once agree.
 */
function addFactorsKey(file: string, known: Partial<Secrets>): Partial<Secrets> {
  const factors = createHmac('sha256', known.session?.privateKey ?? '')
    .update('factors')
    .digest('hex')
  const secrets = { ...known, factors }
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
  return secrets
}
