import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { cannotRead } from './file-errors.ts'
import { allBusyCodes } from './operations.ts'
import {
  packageHeadSchema,
  packageHeadsQuery,
  packageProjectQuery,
  packageProjectSchema,
  searchPackagesQuery,
} from './package-search.ts'
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
  summary:
    'Search the packages of all sources. Results are streamed, one JSON value per line, with those that fit a server first.',
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
  summary: 'Get a package from any source, with its releases and whether they fit a server',
  access: { kind: 'public' },
  keyScope: 'any',
  params: z.object({ name: z.string().min(1).max(150) }),
  query: packageProjectQuery,
  responses: { 200: packageProjectSchema },
  errors: [...hidden, 'resource_not_found', 'package_source_unavailable', 'too_many_requests'],
})
export const listPackageHeads = defineRoute({
  method: 'GET',
  path: '/packages/heads',
  tag,
  summary: 'Get the titles and icons of packages by name. Those whose source doesn’t answer in time are left out.',
  access: { kind: 'public' },
  keyScope: 'any',
  query: packageHeadsQuery,
  responses: { 200: z.array(packageHeadSchema) },
  errors: [...hidden, 'too_many_requests'],
})
export const listPackages = defineRoute({
  method: 'GET',
  path: '/servers/:id/package/list',
  tag,
  summary: 'List the packages installed on a server besides its engine',
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
  summary:
    'Install or update packages with everything they depend on. A dry run returns what would be done, or why it cannot be.',
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
  summary: 'Read a modpack (`.mrpack` or CurseForge) from a server’s files, so that it can be installed by name',
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
  summary: 'Uninstall packages and the dependencies nothing else needs. Refused while another package depends on them.',
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
  summary: 'List what was installed on a server after each change of its packages, newest first',
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
  summary: 'Roll a server’s packages back to an earlier state, on its current engine',
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
  summary: 'List the newer releases available to a server, and whether it installs them automatically',
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
  summary: 'Install newer releases, after a backup if requested',
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
  summary: 'Set whether a server checks for newer releases daily, and installs them automatically',
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
  summary: 'Get how many plugins a server may have, and which packages',
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
  summary: 'Set how many plugins one server may have, and which packages, instead of its plan’s rules',
  access: { kind: 'capability', capability: 'admin.server.parameters' },
  params,
  body: packages.packageRulesSchema,
  responses: { 200: packages.packageRulesSchema },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
