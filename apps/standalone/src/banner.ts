/** What a start prints in the end: where everything is, and who may sign in. */
import type { Secrets } from '@wakestone/kit/secrets'
import { publicUrl, type Settings } from '@wakestone/kit/settings'
import { sandboxUrl } from './plan.ts'
import type { Ports } from './ports.ts'

/** As the API tells of an account that an installation begins with. */
type FirstAccount = { email: string; hasFirstPassword: boolean }
export type FirstAccounts = { administrator: FirstAccount; demo: FirstAccount | undefined }

export function describeStart({
  settings,
  secrets,
  ports,
  sandbox,
  discordSandbox,
  accounts,
}: {
  settings: Settings
  secrets: Secrets
  ports: Ports
  sandbox: string | undefined
  discordSandbox: string | undefined
  accounts: FirstAccounts | undefined
}): string {
  const site = publicUrl(settings)
  const game = ports.game === 25565 ? '' : `:${ports.game}`
  const figures = [ports.metrics, ports.metrics + 1, ports.metrics + 2].join(', ')
  const rows: [string, string | undefined][] = [
    ['Site', site],
    ['Games', `NAME.${settings.GAME_DOMAIN}${game}`],
    [
      'Mail',
      settings.MAIL_URL ? undefined : `${settings.DATA_DIR}/outbox, or as administrator ${site}/en/admin/outbox`,
    ],
    ['API', `${site}/api/docs`],
    ['Payments', sandbox && `${sandbox} (a sandbox: no real money)`],
    [
      'PayPal',
      ports.paypal === undefined ? undefined : `${sandboxUrl(settings, ports.paypal)} (a sandbox: no real money)`,
    ],
    [
      'PayNow, BLIK',
      ports.paynow === undefined
        ? undefined
        : `${sandboxUrl(settings, ports.paynow)} (a sandbox; the payer’s bank is at /bank)`,
    ],
    ['Discord', discordSandbox && `${discordSandbox} (a stand-in: nobody’s real account)`],
    ['Figures', `http://127.0.0.1:PORT/metrics, ports ${figures} (API, worker, gateway)`],
    ['Logs', `${settings.DATA_DIR}/logs`],
    ['', ''],
    ['Customer', accounts?.demo && describeAccount(accounts.demo, secrets.demoPassword)],
    [
      'Administrator',
      accounts &&
        describeAccount(accounts.administrator, settings.ADMIN_PASSWORD ? '(ADMIN_PASSWORD)' : secrets.adminPassword),
    ],
  ]
  const lines = rows.filter(([, value]) => value !== undefined).map(([name, value]) => `  ${name.padEnd(14)} ${value}`)
  return ['', ...lines.map((line) => line.trimEnd()), '', '  Ctrl-C stops everything; worlds are saved.', ''].join('\n')
}

/** A password that its owner has changed is nobody else's to know. */
function describeAccount({ email, hasFirstPassword }: FirstAccount, password: string): string {
  return `${email}  ${hasFirstPassword ? password : '(the password it was given since)'}`
}
