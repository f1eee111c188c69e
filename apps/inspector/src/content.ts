/** What the content of one file of an archive tells: what its code can do, and what was packed by accident. */
import { type ClassNames, readClassNames } from './class-file.ts'
import type { Notes } from './notes.ts'

/** Files by which loaders know what is theirs, and where those say its version. */
const markers: Record<string, { name?: RegExp; version?: RegExp }> = {
  'plugin.yml': { name: /^name:\s*['"]?([^'"\n#]+)/m, version: /^version:\s*['"]?([^'"\n#]+)/m },
  'paper-plugin.yml': { name: /^name:\s*['"]?([^'"\n#]+)/m, version: /^version:\s*['"]?([^'"\n#]+)/m },
  'velocity-plugin.json': { name: /"id"\s*:\s*"([^"]+)"/, version: /"version"\s*:\s*"([^"]+)"/ },
  'fabric.mod.json': { name: /"id"\s*:\s*"([^"]+)"/, version: /"version"\s*:\s*"([^"]+)"/ },
  'quilt.mod.json': { name: /"id"\s*:\s*"([^"]+)"/, version: /"version"\s*:\s*"([^"]+)"/ },
  'META-INF/mods.toml': { name: /modId\s*=\s*"([^"]+)"/, version: /^\s*version\s*=\s*"([^"$]+)"/m },
  'META-INF/neoforge.mods.toml': { name: /modId\s*=\s*"([^"]+)"/, version: /^\s*version\s*=\s*"([^"$]+)"/m },
  'pack.mcmeta': {},
  'level.dat': {},
}
export const isMarker = (name: string) => Object.hasOwn(markers, name)

export type Stated = { name: string | null; version: string | null }

/** What a marker says; null where it says nothing plainly. */
export function readMarker(name: string, content: Buffer): Stated {
  const text = content.subarray(0, 64 * 1024).toString('utf8')
  const read = (pattern: RegExp | undefined) => pattern?.exec(text)?.[1]?.trim().slice(0, 100) ?? null
  return { name: read(markers[name]?.name), version: read(markers[name]?.version) }
}

/** What the use of a class or a method tells. */
const abilities: [RegExp, Parameters<Notes['note']>[0]][] = [
  [/^java\/lang\/ProcessBuilder\b|^java\/lang\/Runtime\.exec$/, 'process_start'],
  [
    /^java\/lang\/(?:System|Runtime)\.(?:load|loadLibrary)$|^com\/sun\/jna\/|^java\/lang\/foreign\/Linker/,
    'native_code',
  ],
  [/^java\/net\/URLClassLoader\b|\.defineClass$|^java\/lang\/instrument\//, 'class_loading'],
  [/^java\/net\/(?:Socket|ServerSocket|URL|HttpURLConnection|http\/HttpClient)\b|^okhttp3\//, 'network'],
  [/^java\/io\/ObjectInputStream\b/, 'deserialisation'],
  [/^java\/lang\/(?:System\.exit|Runtime\.(?:exit|halt))$/, 'ends_game'],
]

/** Keys and words that open something. None of them belongs into a package. */
const secrets: [RegExp, string][] = [
  [/-----BEGIN (?:RSA |EC |DSA |OPENSSH |ENCRYPTED )?PRIVATE KEY-----/, 'private key'],
  [/\bAKIA[0-9A-Z]{16}\b/, 'AWS access key'],
  [/\bgh[pousr]_[A-Za-z0-9]{36}\b|\bgithub_pat_[A-Za-z0-9_]{60,}/, 'GitHub token'],
  [/\bglpat-[A-Za-z0-9_-]{20}\b/, 'GitLab token'],
  [/https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d{15,}\/[\w-]{60,}/, 'Discord webhook'],
  [/\b[MNO][A-Za-z\d_-]{23,25}\.[\w-]{6}\.[\w-]{27,38}\b/, 'Discord bot token'],
  [/\bsk_live_[A-Za-z0-9]{20,}/, 'Stripe key'],
]
const secretFiles = /(^|\/)(\.env|id_rsa|id_ed25519|\.npmrc|\.netrc|credentials\.json|\.git\/config)$/
const programs = /\.(exe|dll|so|dylib|bat|cmd|ps1|sh|scr|msi|vbs)$/i
const native = /\.(dll|so|dylib|jnilib)$/i

const textBytes = 1024 ** 2

export function createContentLook(notes: Notes) {
  let classes = 0
  let short = 0
  const hosts = new Set<string>()

  function lookAtClass(name: string, { classes: used, members, texts }: ClassNames) {
    classes++
    if (/(^|\/)[a-zA-Z]{1,2}\.class$/.test(name)) short++
    for (const said of [...used, ...members])
      for (const [pattern, rule] of abilities) if (pattern.test(said)) notes.note(rule, `${name}: ${said}`)
    for (const text of texts) {
      const host = /\bhttps?:\/\/([a-z0-9.-]+\.[a-z]{2,}|\d+\.\d+\.\d+\.\d+)/i.exec(text)?.[1]
      if (host !== undefined && hosts.size < 50) hosts.add(host.toLowerCase())
      lookForSecrets(name, text)
    }
  }
  function lookForSecrets(name: string, text: string) {
    for (const [pattern, what] of secrets) if (pattern.test(text)) notes.note('secret_packed', `${name}: ${what}`)
  }
  return {
    look(name: string, content: Buffer) {
      if (native.test(name)) notes.note('native_code', name)
      else if (programs.test(name)) notes.note('program_packed', name)
      if (secretFiles.test(name)) notes.note('secret_packed', name)
      if (name.endsWith('.class')) {
        const names = readClassNames(content)
        if (names !== undefined) return lookAtClass(name, names)
      }
      if (content.length <= textBytes && !content.subarray(0, 1024).includes(0))
        lookForSecrets(name, content.toString('utf8'))
    },
    finish() {
      if (classes >= 20 && short / classes > 0.5) notes.note('obfuscated', `${short}/${classes}`)
      for (const host of hosts) notes.note('hosts', host)
    },
  }
}
