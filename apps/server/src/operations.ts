/** Every kind of operation that a worker can do. */
import { backup, backupRestore, backupRetrieve } from '#src/features/servers/backups/service.ts'
import { countdown } from '#src/features/servers/countdown/service.ts'
import { engineChange, engineReturn, format } from '#src/features/servers/engine-change/service.ts'
import { fileFetch } from '#src/features/servers/files/service.ts'
import { migrate, rescue } from '#src/features/servers/migration/service.ts'
import { mapRender } from '#src/features/servers/mapview/service.ts'
import { worldChange, worldWork } from '#src/features/servers/worlds/service.ts'
import type { OperationDefinition } from '#src/features/servers/operations/service.ts'
import {
  packageInstall,
  packageQuarantine,
  packageRollback,
  packageUninstall,
} from '#src/features/servers/packages/service.ts'
import { packageCreate } from '#src/features/marketplace/catalogue/service.ts'

export const allOperations: readonly OperationDefinition[] = [
  engineChange,
  engineReturn,
  format,
  backup,
  backupRestore,
  backupRetrieve,
  fileFetch,
  mapRender,
  worldChange,
  worldWork,
  packageInstall,
  packageUninstall,
  packageRollback,
  packageQuarantine,
  packageCreate,
  migrate,
  rescue,
  countdown,
]
