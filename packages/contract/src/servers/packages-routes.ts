import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { cannotRead } from './file-errors.ts'
import { allBusyCodes } from './operations.ts'
import { packageProjectQuery, packageProjectSchema, searchPackagesQuery } from './package-search.ts'
import * as packages from './packages.ts'

const tag = 'Packages'
const params = z.object({ id: idSchema })
const hidden = ['server_id_not_found', 'insufficient_capabilities'] as const
const read = { kind: 'server', param: 'id', capability: 'server.manage.read' } as const
const manage = { kind: 'server', param: 'id', capability: 'server.packages' } as const
const cannotBegin = [
  ...hidden,
  'server_is_expired',
  'server_is_disabled',
  'too_many_requests',
  'too_many_packages',
  ...allBusyCodes,
] as const
const cannotInstall = [
  ...cannotBegin,
  'kloceg_install_failed',
  'too_many_plugins_on_server',
  'module_is_not_supported',
  'module_parameter_not_allowed',
  'modules_not_implementing_given_interface',
  'package_source_unavailable',
  'engine_version_not_found',
  'engine_catalogue_unavailable',
  'world_is_newer',
] as const
/** What has begun. The game's stop is a part of it; null: it is not up, or need not go down. */
const stopped = { stop_game_process_id: idSchema.nullable() }

export const searchPackages = defineRoute({
  method: 'GET',
  path: '/packages/search',
  tag,
  summary: 'Packages of all sources, one JSON value per line as they are found; what fits a server comes first',
  access: { kind: 'public' },
  keyScope: 'any',
  query: searchPackagesQuery,
  streams: 'application/x-ndjson',
  responses: { 200: z.custom<AsyncIterable<string>>() },
  errors: [...hidden, 'too_many_requests'],
})
export const getPackageProject = defineRoute({
  method: 'GET',
  path: '/packages/projects/:name',
  tag,
  summary: 'One package of any source with its releases, and whether they fit a server',
  access: { kind: 'public' },
  keyScope: 'any',
  params: z.object({ name: z.string().min(1).max(150) }),
  query: packageProjectQuery,
  responses: { 200: packageProjectSchema },
  errors: [...hidden, 'resource_not_found', 'package_source_unavailable', 'too_many_requests'],
})
export const listPackages = defineRoute({
  method: 'GET',
  path: '/servers/:id/package/list',
  tag,
  summary: 'The packages that were installed on a server besides its engine',
  access: read,
  keyScope: 'access',
  params,
  responses: { 200: z.array(packages.installedPackageSchema) },
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
  body: packages.installPackagesBody,
  responses: {
    200: packages.packagePreviewSchema,
    202: z.object({ install_package_process_id: idSchema, ...stopped }),
  },
  errors: [...cannotInstall, 'invalid_selector', 'resource_not_found'],
})
export const takePack = defineRoute({
  method: 'POST',
  path: '/servers/:id/package/packs',
  tag,
  summary:
    'Added: read a pack, `.mrpack` or of CurseForge, that lies among a server’s files; then it can be installed by its name',
  access: manage,
  keyScope: 'access',
  params,
  body: packages.takePackBody,
  responses: { 200: packages.takenPackSchema },
  errors: [
    ...cannotRead,
    'file_does_not_exist',
    'file_has_other_type',
    'kloceg_install_failed',
    'package_source_unavailable',
    'request_too_large',
  ],
})
export const uninstallPackages = defineRoute({
  method: 'DELETE',
  path: '/servers/:id/package',
  tag,
  summary: 'Remove packages and what nobody needs without them; refused while another one needs them',
  access: manage,
  keyScope: 'access',
  params,
  body: packages.uninstallPackagesBody,
  responses: {
    200: packages.packagePreviewSchema,
    202: z.object({ uninstall_package_process_id: idSchema, ...stopped }),
  },
  errors: [...cannotBegin, 'kloceg_uninstall_failed', 'invalid_selector', 'resource_not_found'],
})
export const listPackageLocks = defineRoute({
  method: 'GET',
  path: '/servers/:id/package/locks',
  tag,
  summary: 'What a server had each time that its packages were changed, newest first',
  access: read,
  keyScope: 'access',
  params,
  query: packages.packageLocksQuery,
  responses: { 200: packages.packageLocksSchema },
  errors: hidden,
})
export const rollBackPackages = defineRoute({
  method: 'POST',
  path: '/servers/:id/package/locks/:lock_id/restore',
  tag,
  summary: 'Give a server the packages back that it had then, on the engine that it has now',
  access: manage,
  keyScope: 'access',
  params: z.object({ id: idSchema, lock_id: idSchema }),
  body: packages.rollBackBody,
  responses: {
    200: packages.packagePreviewSchema,
    202: z.object({ rollback_package_process_id: idSchema, ...stopped }),
  },
  errors: [...cannotInstall, 'resource_not_found'],
})
export const listPackageUpdates = defineRoute({
  method: 'GET',
  path: '/servers/:id/package/updates',
  tag,
  summary: 'Newer releases that a server could have, and whether it takes them by itself',
  access: read,
  keyScope: 'access',
  params,
  responses: { 200: packages.packageUpdatesSchema },
  errors: [...hidden, 'too_many_packages', 'too_many_requests'],
})
export const takePackageUpdates = defineRoute({
  method: 'POST',
  path: '/servers/:id/package/updates',
  tag,
  summary: 'Take newer releases, after a backup where that is asked for',
  access: manage,
  keyScope: 'access',
  params,
  body: packages.takeUpdatesBody,
  responses: {
    200: packages.packagePreviewSchema,
    202: z.object({ install_package_process_id: idSchema, ...stopped }),
  },
  errors: [...cannotInstall, 'resource_not_found'],
})
export const changePackageUpdateRule = defineRoute({
  method: 'PUT',
  path: '/servers/:id/package/updates/rule',
  tag,
  summary: 'Whether newer releases are looked for each day, and taken by themselves',
  access: manage,
  keyScope: 'access',
  params,
  body: packages.packageUpdateRuleSchema,
  responses: { 200: packages.packageUpdateRuleSchema },
  errors: hidden,
})
export const getPackageRules = defineRoute({
  method: 'GET',
  path: '/servers/:id/package/rules',
  tag,
  summary: 'How many plugins a server may have, and which packages',
  access: read,
  keyScope: 'access',
  params,
  responses: { 200: packages.packageRulesSchema },
  errors: hidden,
})
export const changePackageRules = defineRoute({
  method: 'PUT',
  path: '/servers/:id/package/rules',
  tag,
  summary: 'Set for one server how many plugins it may have, and which packages, in place of what its plan has',
  access: { kind: 'capability', capability: 'admin.server.parameters' },
  params,
  body: packages.packageRulesSchema,
  responses: { 200: packages.packageRulesSchema },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
