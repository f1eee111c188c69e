/** `npm run business:backup -- --to REPOSITORY [--with-maps] [--with-server-backups]`: the whole business into restic. */
import { parseArgs } from 'node:util'
import { readSettingsOrExit } from '@wakestone/kit/settings'
import { backUpBusiness } from '#src/features/admin/business/service.ts'

const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({ options: { to: { type: 'string' }, 'with-maps': flag, 'with-server-backups': flag } })
const settings = readSettingsOrExit(process.env)
if (values.to === undefined || settings.DATABASE_URL === undefined) {
  console.error(
    values.to === undefined
      ? 'Name a restic repository: npm run business:backup -- --to rest:https://host:8000/business'
      : 'The embedded database does not run: start the product, or set DATABASE_URL.',
  )
  process.exit(2)
}
try {
  await backUpBusiness(
    { settings, env: process.env, say: (line) => console.log(line) },
    {
      to: values.to,
      databaseUrl: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
      withMaps: values['with-maps'],
      withServerBackups: values['with-server-backups'],
    },
  )
} catch (error) {
  console.error(`No backup was made: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
