/**
 * What games, loaders and Java print when they crash, and what it means; the most certain first. Wording of the fabric
 * loader, (Neo)Forge, Paper, Mojang's server and OpenJDK.
 */
import type { CrashTag } from '@wakestone/contract/values'

export type CrashDetails = Record<string, string | string[]>
type Found = Record<string, string>
export type CrashRow = { tag: CrashTag; like: string; details?: (found: Found) => CrashDetails }

/** Class files of Java 8 have the number 52. */
const javaOf = (classFile = '') => (/^\d{2,3}$/.test(classFile) ? String(Number(classFile) - 44) : 'unknown')
const only = (text: string | undefined) => (text === undefined || text === '' ? [] : [text])
const listed = (text = '') =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

const needs = ({ mod = '', needed = '' }: Found): CrashDetails => ({ dependant_mod: mod, required_mods: only(needed) })
const failed = ({ mod = '', error = '' }: Found): CrashDetails => ({ mod_name: mod, ...(error !== '' && { error }) })

export const crashTable: readonly CrashRow[] = [
  // Java, before any of the game runs.
  {
    tag: 'wrong_java',
    like: '(class file version {needed}.{}), this version of the Java Runtime only recognizes class file versions up to {present}.',
    details: ({ needed, present }) => ({ required_java: javaOf(needed), java: javaOf(present) }),
  },
  {
    tag: 'wrong_java',
    like: 'UnsupportedClassVersionError',
  },
  {
    tag: 'wrong_java',
    like: 'AppClassLoader cannot be cast to {}java.net.URLClassLoader',
    details: () => ({ required_java: '8' }),
  },
  { tag: 'wrong_java', like: 'Unsupported Java detected' },
  { tag: 'java_options', like: "Unrecognized VM option '{option}'", details: ({ option = '' }) => ({ option }) },
  { tag: 'java_options', like: 'Unrecognized option: {option}', details: ({ option = '' }) => ({ option }) },
  { tag: 'java_options', like: 'Invalid maximum heap size: {option}', details: ({ option = '' }) => ({ option }) },
  // What stands in the way of a start.
  { tag: 'eula', like: 'You need to agree to the EULA in order to run the server' },
  { tag: 'port_taken', like: 'FAILED TO BIND TO PORT' },
  { tag: 'port_taken', like: 'BindException: Address already in use' },
  { tag: 'world_locked', like: 'session.lock: already locked' },
  { tag: 'world_locked', like: 'The save is being accessed from another location' },
  {
    tag: 'version_downgrade',
    like: 'attempted to load chunk saved with newer version of minecraft! {world} > {server}',
    details: ({ world = '', server = '' }) => ({ world_version: world, server_version: server }),
  },
  { tag: 'version_downgrade', like: 'This world was created by an incompatible version' },
  // Words of the supervisor, which does not let such a game begin.
  {
    tag: 'version_downgrade',
    like: 'Cannot start: the world was saved by Minecraft {world}, and {server} would spoil it',
    details: ({ world = '', server = '' }) => ({ world_version: world, server_version: server }),
  },
  // Memory.
  { tag: 'thread_limit', like: 'unable to create native thread' },
  { tag: 'thread_limit', like: 'unable to create new native thread' },
  {
    tag: 'out_of_memory',
    like: 'java.lang.OutOfMemoryError: {area}',
    details: ({ area = '' }) => ({ area }),
  },
  { tag: 'out_of_memory', like: 'java.lang.OutOfMemoryError' },
  { tag: 'out_of_memory', like: 'There is insufficient memory for the Java Runtime Environment' },
  { tag: 'out_of_memory', like: 'Could not reserve enough space for {area}object heap' },
  { tag: 'out_of_memory', like: 'FATAL ERROR: {}heap limit' },
  { tag: 'out_of_memory', like: 'FATAL ERROR: {}heap out of memory' },
  // Fabric and Quilt.
  {
    tag: 'fabric_incompatible_mods',
    like: "Mod '{}' ({mod}) {} requires {} of {needed}, which is missing",
    details: needs,
  },
  {
    tag: 'fabric_incompatible_mods',
    like: "Mod '{}' ({mod}) {} requires {} of {needed}, but only the wrong version",
    details: needs,
  },
  {
    tag: 'fabric_incompatible_mods',
    like: "Mod '{}' ({mod}) {} is incompatible with {} of {needed}, ",
    details: needs,
  },
  { tag: 'fabric_incompatible_mods', like: 'Could not find required mod: {mod} requires {needed}', details: needs },
  { tag: 'fabric_incompatible_mods', like: 'Incompatible mods found!' },
  { tag: 'fabric_incompatible_mods', like: 'Incompatible mod set!' },
  { tag: 'fabric_incompatible_mods', like: 'Mod resolution failed' },
  { tag: 'fabric_incompatible_mods', like: 'ModResolutionException' },
  {
    tag: 'fabric_mod_load',
    like: "Could not execute entrypoint stage '{error}' due to errors, provided by '{mod}'",
    details: ({ mod = '' }) => ({ mod_name: mod }),
  },
  // Forge and NeoForge.
  {
    tag: 'forge_missing_mod',
    like: "Mod ID: '{needed}', Requested by: '{mod}', Expected range: ",
    details: needs,
  },
  { tag: 'forge_missing_mod', like: 'Failure message: Mod {mod} requires {needed} {}', details: needs },
  { tag: 'forge_missing_mod', like: 'Error during pre-loading phase: Mod {mod} requires {needed} {}', details: needs },
  { tag: 'forge_missing_mod', like: 'The mod {mod} requires mods [{needed}] to be available', details: needs },
  { tag: 'forge_missing_mod', like: 'MissingModsException: Mod {mod} requires {needed}', details: needs },
  { tag: 'forge_missing_mod', like: 'Missing or unsupported mandatory dependencies:' },
  { tag: 'forge_mod_load', like: 'Found a duplicate mod {mod}', details: failed },
  { tag: 'forge_mod_load', like: 'Mod File {mod} needs language provider {error}', details: failed },
  { tag: 'forge_mod_load', like: 'ResolutionException: Modules {mod} and {error} export package', details: failed },
  { tag: 'forge_mod_load', like: 'Mod loading issue for: {mod} --', details: failed },
  { tag: 'forge_mod_load', like: 'Caught exception from {mod}', details: failed },
  { tag: 'forge_mod_load', like: '{mod} has failed to load correctly', details: failed },
  { tag: 'forge_mod_load', like: 'LoadingFailedException: Loading errors encountered' },
  { tag: 'forge_mod_load', like: 'ModLoadingCrashException: Mod loading has failed' },
  // While it ran.
  {
    tag: 'watchdog',
    like: 'A single server tick took {seconds} seconds (should be max {most})',
    details: ({ seconds = '' }) => ({ seconds }),
  },
  { tag: 'watchdog', like: 'Considering it to be crashed, server will forcibly shutdown' },
  { tag: 'watchdog', like: 'The server has stopped responding! This is' },
  {
    tag: 'java_fault',
    like: '# A fatal error has been detected by the Java Runtime Environment',
  },
  { tag: 'disk_full', like: 'No space left on device' },
  { tag: 'disk_full', like: 'There is not enough space on the disk' },
  { tag: 'ticking_entity', like: 'Description: Ticking {kind}', details: ({ kind = '' }) => ({ kind }) },
  {
    tag: 'plugin_missing_dependency',
    like: 'Unknown/missing dependency plugins: [{needed}]',
    details: ({ needed }) => ({ required_plugins: listed(needed) }),
  },
  { tag: 'plugin_missing_dependency', like: 'UnknownDependencyException' },
]
