/** Groups events by subject, so that the filter's long list can be scanned. */
import { type AuditAction, isUserAction } from '@wakestone/contract/ground/event'

export type EventTopic =
  | 'game'
  | 'players'
  | 'files'
  | 'backups'
  | 'worlds'
  | 'packages'
  | 'plan'
  | 'access'
  | 'settings'
  | 'signIn'
  | 'money'
  | 'websites'
  | 'account'

/** The first that fits; what fits none is a setting of the server, or of the account. */
const ofServer: readonly [RegExp, EventTopic][] = [
  [/BACKUP/, 'backups'],
  [/PACKAGE/, 'packages'],
  [/PLAYER/, 'players'],
  [/WORLD|OVERVIEWER|MAPVIEW/, 'worlds'],
  [/SERVICE_|EXPIRED|RENEWED/, 'plan'],
  [/SHARE|ADMIN/, 'access'],
  [/FILES|ARCHIVE|TRASH|QUOTA|SFTP/, 'files'],
  [/GAME_(?!CONFIG)|SLEEP|WAKE|POD|PVC|PREPARE|MIGRATION|RESCUE|FORMAT|ENGINE|CONSOLE|ATTACK/, 'game'],
]
const ofUser: readonly [RegExp, EventTopic][] = [
  [/WEBSITE/, 'websites'],
  [/WALLET|PAYMENT|BILL|VOUCHER|TAX|REFERR|AFFILIATE/, 'money'],
  [/LOGIN|REGISTER|PASSWORD|EMAIL|TOTP|PASSKEY|RECOVERY|SESSION|DEVICE|SOCIAL|_KEY/, 'signIn'],
]

export function topicOf(action: AuditAction): EventTopic {
  const isUser = isUserAction(action)
  const known = (isUser ? ofUser : ofServer).find(([pattern]) => pattern.test(action))
  return known?.[1] ?? (isUser ? 'account' : 'settings')
}
