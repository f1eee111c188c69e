import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { allBusyCodes } from './operations.ts'
import { installedPackageSchema, installPackagesBody, packagePreviewSchema, uninstallPackagesBody } from './packages.ts'

const tag = 'Packages'
const params = z.object({ id: idSchema })
const hidden = ['server_id_not_found', 'insufficient_capabilities'] as const
const manage = { kind: 'server', param: 'id', capability: 'server.packages' } as const
const cannotChange = [
  ...hidden,
  'server_is_expired',
  'server_is_disabled',
  'too_many_requests',
  'packages_do_not_fit',
  'too_many_packages',
  ...allBusyCodes,
] as const

export const listPackages = defineRoute({
  method: 'GET',
  path: '/servers/:id/package/list',
  tag,
  summary: 'The packages that were installed on a server besides its engine',
  access: { kind: 'server', param: 'id', capability: 'server.manage.read' },
  keyScope: 'access',
  params,
  responses: { 200: z.array(installedPackageSchema) },
  errors: hidden,
})
export const installPackages = defineRoute({
  method: 'POST',
  path: '/servers/:id/package',
  tag,
  summary: 'Install or update packages with all that they need; a dry run says what would be done, or why it cannot be',
  access: manage,
  keyScope: 'access',
  params,
  body: installPackagesBody,
  responses: {
    200: packagePreviewSchema,
    202: z.object({ install_package_process_id: idSchema, stop_game_process_id: idSchema.nullable() }),
  },
  errors: [...cannotChange, 'invalid_selector'],
})
export const uninstallPackages = defineRoute({
  method: 'DELETE',
  path: '/servers/:id/package',
  tag,
  summary: 'Remove packages and what nobody needs without them; refused while another one needs them',
  access: manage,
  keyScope: 'access',
  params,
  body: uninstallPackagesBody,
  responses: {
    200: packagePreviewSchema,
    202: z.object({ uninstall_package_process_id: idSchema, stop_game_process_id: idSchema.nullable() }),
  },
  errors: [...cannotChange, 'resource_not_found'],
})
