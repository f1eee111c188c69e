/**
 * Takes what must not be handed on out of lines of a log: passwords, tokens, keys, addresses of people and machines.
 * Pure, and in time that grows with the length alone: no pattern has two parts that could match the same text.
 */

/** Longer lines are cut: nobody reads them, and a key may begin in one and end in another. */
export const longestLine = 2000

type Blot = { mark: string; pattern: RegExp; keep?: (match: RegExpExecArray) => string | undefined }

/** Words after which a secret stands, in names of settings, headers and commands. */
const secretNames =
  'pass(?:word|wd|phrase)?|pwd|haslo|has\\u0142o|passwort|kennwort|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key|client[_-]?secret|auth(?:orization|[_-]?key)?|cookie|session(?:[_-]?id)?|webhook|credentials?|dsn|salt|signature|license[_-]?key|licence[_-]?key'

const blots: readonly Blot[] = [
  // Addresses with a name and a password within, databases above all.
  {
    mark: '[credentials]',
    pattern: /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"'<>]{1,400}@/giu,
    keep: ([, scheme]) => `${scheme}[credentials]@`,
  },
  {
    mark: '[database]',
    pattern:
      /\b(?:jdbc:[a-z]{2,20}|postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver):(?:\/\/)?[^\s"'<>]{1,600}/giu,
  },
  // Whoever has the address of a webhook may write by it.
  {
    mark: '[webhook]',
    pattern:
      /\bhttps?:\/\/(?:[a-z]{1,12}\.)?(?:discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks|hooks\.slack\.com|[a-z0-9-]{1,60}\.webhook\.office\.com|outlook\.office\.com\/webhook|api\.telegram\.org\/bot|hooks\.zapier\.com|maker\.ifttt\.com)[^\s"'<>]{0,600}/giu,
  },
  { mark: '[token]', pattern: /\beyJ[\w-]{5,4000}\.[\w-]{2,8000}(?:\.[\w-]{0,2000})?/gu },
  // By the beginnings that their makers give them.
  {
    mark: '[token]',
    pattern:
      /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|glpat-[\w-]{15,100}|xox[abeoprs]-[\w-]{8,250}|sk-(?:[a-z]{2,10}-)*\w{16,250}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,250}|whsec_[\w+/=]{16,100}|npm_[A-Za-z0-9]{30,60}|pypi-[\w-]{30,250}|AIza[\w-]{30,60}|ya29\.[\w-]{20,500}|(?:AKIA|ASIA)[A-Z0-9]{16}|SG\.[\w-]{16,40}\.[\w-]{16,80}|dop_v1_[a-f0-9]{40,80}|hf_[A-Za-z0-9]{20,60}|ws_[a-z]{0,10}_?[\w-]{30,200}|mfa\.[\w-]{40,120}|[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,60}|\d{8,10}:AA[\w-]{32,36})(?![A-Za-z0-9])/gu,
  },
  { mark: '[key]', pattern: /\bssh-(?:rsa|ed25519|dss) [A-Za-z0-9+/=]{30,4000}/gu },
  { mark: '[token]', pattern: /\b(bearer|basic) +[\w+/=.~-]{6,4000}/giu, keep: ([, scheme]) => `${scheme} [token]` },
  // `password = x`, `"token": "x"`, `--secret x`, `RCON_PASSWORD=x`, `pass: 'with blanks'`.
  {
    mark: '[secret]',
    pattern: new RegExp(
      `((?:${secretNames})[\\w.-]{0,40}["'\`]?\\]?(?: ?(?:=>|:=|[:=]) ?| (?:is|to|was|ist|to:|jest) ))("[^"]{1,500}"?|'[^']{1,500}'?|\`[^\`]{1,500}\`?|[^\\s,;&"'\`]{1,500})`,
      'giu',
    ),
    keep: ([, name]) => `${name}[secret]`,
  },
  {
    mark: '[secret]',
    pattern: new RegExp(`(--?(?:${secretNames})[\\w-]{0,40} )([^\\s-][^\\s]{0,500})`, 'giu'),
    keep: ([, name]) => `${name}[secret]`,
  },
  // Commands by which players tell who they are, to plugins that ask for a password.
  {
    mark: '[secret]',
    pattern: /(\/(?:login|l|register|reg|changepassword|changepass|unregister|2fa|pin|premium) )(\S.{0,200})/giu,
    keep: ([, command]) => `${command}[secret]`,
  },
  // Mods are named `minecraft@1.20.1` in traces: no address ends so.
  {
    mark: '[mail]',
    pattern: /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}\.\p{L}[\p{L}\p{N}-]{1,62}/gu,
  },
  // Long strings without a meaning: hexadecimal, and letters and digits mixed.
  { mark: '[key]', pattern: /(?<![A-Za-z0-9-])[a-f0-9]{40,1000}(?![A-Za-z0-9-])/giu },
  {
    mark: '[key]',
    pattern: /(?<![\w+/=.-])[A-Za-z0-9+/_-]{32,1000}={0,2}(?![\w+/=])/gu,
    keep: ([text]) => (isRandom(text) ? undefined : text),
  },
  // The address of a machine: versions have three numbers, or come after a `v`, a name, or a hyphen.
  {
    mark: '[address]',
    pattern: /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)/gu,
    keep: ([text]) =>
      isHarmlessAddress(text) || text.split('.').some((part) => Number(part) > 255) ? text : undefined,
  },
  {
    mark: '[address]',
    pattern: /(?<![\w:.])[0-9a-f:]{2,40}(?:(?:\d{1,3}\.){3}\d{1,3})?(?:%[a-z0-9]{1,15})?(?![\w:])/giu,
    keep: ([text]) => (isIPv6(text) ? undefined : text),
  },
]

/** A key of PEM is more than one line: from its head to its foot, or to the end of what is there. */
const pemHead = /-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|CERTIFICATE)(?: BLOCK)?-----/u
const pemFoot = /-----END [A-Z0-9 ]{0,40}(?:PRIVATE KEY|CERTIFICATE)(?: BLOCK)?-----/u

/** Shorter marks of terminals would part a word that is looked for. */
// oxlint-disable-next-line no-control-regex -- they are what is removed
const terminal = /\u001B(?:\[[0-?]{0,20}[ -/]{0,5}[@-~]|\][^\u0007\u001B]{0,200}(?:\u0007|\u001B\\)?|[@-Z\\-_])/gu
const paragraph = /\u00A7[0-9a-fk-orx]/giu
// oxlint-disable-next-line no-control-regex -- they are what is removed
const control = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/gu

/** @returns as many lines, each without its secrets. */
export function blotSecrets(lines: readonly string[]): string[] {
  let inKey = false
  return lines.map((line) => {
    const whole = line.slice(0, longestLine).replace(terminal, '').replace(paragraph, '').replace(control, '')
    if (inKey) {
      const foot = pemFoot.exec(whole)
      if (foot === null) return '[key]'
      inKey = false
      return `[key]${blotLine(whole.slice(foot.index + foot[0].length))}`
    }
    const head = pemHead.exec(whole)
    if (head === null) return blotLine(whole)
    const rest = whole.slice(head.index + head[0].length)
    const foot = pemFoot.exec(rest)
    inKey = foot === null
    const after = foot === null ? '' : blotLine(rest.slice(foot.index + foot[0].length))
    return `${blotLine(whole.slice(0, head.index))}[key]${after}`
  })
}

function blotLine(line: string): string {
  let text = line
  for (const { mark, pattern, keep } of blots)
    text = text.replace(pattern, (...parts) => {
      const match = parts as unknown as RegExpExecArray
      return keep?.(match) ?? mark
    })
  return text
}

/** Letters of both sizes and digits, or many digits among letters: no word, no path, no class name. */
function isRandom(text: string): boolean {
  // Ids of players and servers name nothing that opens anything.
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu.test(text)) return false
  const digits = text.replace(/\D/gu, '').length
  if (digits < 3 || digits === text.length) return false
  const turns = [...text].filter((char, index) => index > 0 && kindOf(char) !== kindOf(text[index - 1] ?? '')).length
  return turns >= text.length / 5
}
const kindOf = (char: string) =>
  /\d/u.test(char) ? 'digit' : /[a-z]/u.test(char) ? 'small' : /[A-Z]/u.test(char) ? 'large' : 'other'

/** Of this machine, and of none. */
const isHarmlessAddress = (text: string) => /^(?:127\.|0\.0\.0\.0$|255\.255\.)/u.test(text)

/** Times (`12:30:05`) have no empty place, and no eight parts. */
function isIPv6(text: string): boolean {
  const [bare = ''] = text.split('%')
  if (bare === '::' || bare === '::1') return false
  const parts = bare.split(':')
  if (parts.length < 3 || parts.length > 9 || parts.some((part) => part.length > 4 && !part.includes('.'))) return false
  const isShort = bare.includes('::')
  if (isShort) return bare.indexOf('::') === bare.lastIndexOf('::') && /[0-9a-f]/iu.test(bare)
  return parts.length === 8 || (parts.length === 7 && bare.includes('.'))
}
