import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { crashTags, type CrashTag } from '@wakestone/contract/values'
import { mendsOf } from './crash-mends.ts'
import { findCrashes } from './crash-signatures.ts'
import { crashTable } from './crash-table.ts'

type Case = { name: string; tag: CrashTag; details: Record<string, unknown>; log: string }

/** Ends of logs, written after the wording of each program. */
const cases: Case[] = [
  {
    name: 'Java 17 for a game that needs 21',
    tag: 'wrong_java',
    details: { required_java: '21', java: '17' },
    log: `Error: LinkageError occurred while loading main class net.minecraft.bundler.Main
	java.lang.UnsupportedClassVersionError: net/minecraft/bundler/Main has been compiled by a more recent version of the Java Runtime (class file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0`,
  },
  {
    name: 'a new Java for an old Forge',
    tag: 'wrong_java',
    details: { required_java: '8' },
    log: 'Exception in thread "main" java.lang.ClassCastException: class jdk.internal.loader.ClassLoaders$AppClassLoader cannot be cast to class java.net.URLClassLoader (jdk.internal.loader.ClassLoaders$AppClassLoader and java.net.URLClassLoader are in module java.base)',
  },
  {
    name: 'a Java that an old Paper refuses',
    tag: 'wrong_java',
    details: {},
    log: 'Unsupported Java detected (61.0). Only up to Java 16 is supported.',
  },
  {
    name: 'an option of another Java',
    tag: 'java_options',
    details: { option: 'UseCompactObjectHeaders' },
    log: `Unrecognized VM option 'UseCompactObjectHeaders'
Error: Could not create the Java Virtual Machine.
Error: A fatal exception has occurred. Program will exit.`,
  },
  { name: 'a misspelt option', tag: 'java_options', details: { option: '-Xlog2' }, log: 'Unrecognized option: -Xlog2' },
  {
    name: 'no EULA',
    tag: 'eula',
    details: {},
    log: '[12:00:00] [ServerMain/INFO]: You need to agree to the EULA in order to run the server. Go to eula.txt for more info.',
  },
  {
    name: 'a port in use',
    tag: 'port_taken',
    details: {},
    log: `[12:00:00] [Server thread/WARN]: **** FAILED TO BIND TO PORT!
[12:00:00] [Server thread/WARN]: The exception was: java.net.BindException: Address already in use
[12:00:00] [Server thread/WARN]: Perhaps a server is already running on that port?`,
  },
  {
    name: 'a world of a newer version, told by the supervisor',
    tag: 'version_downgrade',
    details: { world_version: '1.21.4', server_version: '1.20.4' },
    log: 'Cannot start: the world was saved by Minecraft 1.21.4, and 1.20.4 would spoil it',
  },
  {
    name: 'a world in use',
    tag: 'world_locked',
    details: {},
    log: 'Caused by: net.minecraft.util.DirectoryLock$LockException: /world/session.lock: already locked (possibly by other Minecraft instance?)',
  },
  {
    name: 'a world in use, older',
    tag: 'world_locked',
    details: {},
    log: 'net.minecraft.world.MinecraftException: The save is being accessed from another location, aborting',
  },
  {
    name: 'Paper and a newer world',
    tag: 'version_downgrade',
    details: { world_version: '4903', server_version: '4440' },
    log: '[12:00:00 ERROR]: Server attempted to load chunk saved with newer version of minecraft! 4903 > 4440',
  },
  {
    name: 'Vanilla and a newer world',
    tag: 'version_downgrade',
    details: {},
    log: '[12:00:00] [ServerMain/ERROR]: This world was created by an incompatible version.',
  },
  {
    name: 'heap',
    tag: 'out_of_memory',
    details: { area: 'Java heap space' },
    log: `[12:00:00] [Server thread/ERROR]: Encountered an unexpected exception
java.lang.OutOfMemoryError: Java heap space
	at java.base/java.util.Arrays.copyOf(Arrays.java:3537)`,
  },
  {
    name: 'collection',
    tag: 'out_of_memory',
    details: { area: 'GC overhead limit exceeded' },
    log: 'java.lang.OutOfMemoryError: GC overhead limit exceeded',
  },
  {
    name: 'classes',
    tag: 'out_of_memory',
    details: { area: 'Metaspace' },
    log: 'Exception in thread "main" java.lang.OutOfMemoryError: Metaspace',
  },
  {
    name: 'memory of the machine',
    tag: 'out_of_memory',
    details: {},
    log: `# There is insufficient memory for the Java Runtime Environment to continue.
# Native memory allocation (mmap) failed to map 8589934592 bytes for committing reserved memory.`,
  },
  {
    name: 'a heap that does not fit',
    tag: 'out_of_memory',
    details: {},
    log: 'Error occurred during initialization of VM\nCould not reserve enough space for 33554432KB object heap',
  },
  {
    name: 'heap of Node',
    tag: 'out_of_memory',
    details: {},
    log: 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
  },
  {
    name: 'threads',
    tag: 'thread_limit',
    details: {},
    log: 'java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached',
  },
  {
    name: 'Fabric, today',
    tag: 'fabric_incompatible_mods',
    details: { dependant_mod: 'lithium', required_mods: ['fabric-api', 'sodium'] },
    log: `[12:00:00] [main/ERROR]: Incompatible mods found!
net.fabricmc.loader.impl.FormattedException: Some of your mods are incompatible with the game or each other!
	 - Mod 'Lithium' (lithium) 0.11.2 requires any version of fabric-api, which is missing!
	 - Mod 'Iris' (iris) 1.6.4 requires version 0.4.10 or later of sodium, but only the wrong version is present: 0.4.1!`,
  },
  {
    name: 'Fabric, older',
    tag: 'fabric_incompatible_mods',
    details: { required_mods: ['fabric'] },
    log: 'net.fabricmc.loader.discovery.ModResolutionException: Could not find required mod: carpet requires fabric',
  },
  {
    name: 'Fabric, a mod that fails',
    tag: 'fabric_mod_load',
    details: { mod_name: 'journeymap' },
    log: "java.lang.RuntimeException: Could not execute entrypoint stage 'main' due to errors, provided by 'journeymap'!",
  },
  {
    name: 'Forge and NeoForge, missing mods',
    tag: 'forge_missing_mod',
    details: { dependant_mod: 'jei_addon', required_mods: ['jei', 'geckolib'] },
    log: `[main/ERROR] [net.neoforged.fml.loading.ModSorter/LOADING]: Missing or unsupported mandatory dependencies:
	Mod ID: 'jei', Requested by: 'jei_addon', Expected range: '[19,)', Actual version: '[MISSING]'
	Mod ID: 'geckolib', Requested by: 'jei_addon', Expected range: '[4,)', Actual version: '[MISSING]'`,
  },
  {
    name: 'NeoForge, a report in colours',
    tag: 'forge_missing_mod',
    details: { dependant_mod: 'mekanism', required_mods: ['neoforge'] },
    log: `-- Mod loading issue for: mekanism --
Failure message: Mod §emekanism§r requires §6neoforge§r §o21.1.50 or above§r
Currently, neoforge is §o21.1.1§r`,
  },
  {
    name: 'Forge of 1.12',
    tag: 'forge_missing_mod',
    details: { required_mods: ['[forge@[14.23.5.2768,)]'] },
    log: 'net.minecraftforge.fml.common.MissingModsException: Mod thermal (Thermal) requires [forge@[14.23.5.2768,)]',
  },
  {
    name: 'Forge, a mod twice',
    tag: 'forge_mod_load',
    details: { mod_name: 'jei in mods/jei.jar' },
    log: '[main/ERROR]: Found a duplicate mod jei in mods/jei.jar',
  },
  {
    name: 'Forge, packages twice',
    tag: 'forge_mod_load',
    details: { mod_name: 'a', error: 'b' },
    log: 'java.lang.module.ResolutionException: Modules a and b export package org.joml to module c',
  },
  {
    name: 'Forge, another loader',
    tag: 'forge_mod_load',
    details: { mod_name: 'create.jar', error: 'javafml:47 to load' },
    log: 'Mod File create.jar needs language provider javafml:47 to load',
  },
  {
    name: 'Forge, a mod that fails',
    tag: 'forge_mod_load',
    details: { mod_name: 'Twilight Forest (twilightforest)' },
    log: 'Twilight Forest (twilightforest) has failed to load correctly',
  },
  {
    name: 'the watchdog of Vanilla',
    tag: 'watchdog',
    details: { seconds: '60.00' },
    log: `[12:00:00] [Server Watchdog/FATAL]: A single server tick took 60.00 seconds (should be max 0.05)
[12:00:00] [Server Watchdog/FATAL]: Considering it to be crashed, server will forcibly shutdown.`,
  },
  {
    name: 'the watchdog of Paper',
    tag: 'watchdog',
    details: {},
    log: '[12:00:00] [Paper Watchdog Thread/ERROR]: The server has stopped responding! This is (probably) not a Paper bug.',
  },
  {
    name: 'Java itself',
    tag: 'java_fault',
    details: {},
    log: `# A fatal error has been detected by the Java Runtime Environment:
#  SIGSEGV (0xb) at pc=0x00007f, pid=2, tid=3`,
  },
  { name: 'a full disk', tag: 'disk_full', details: {}, log: 'java.io.IOException: No space left on device' },
  {
    name: 'a mob that breaks the game',
    tag: 'ticking_entity',
    details: { kind: 'block entity' },
    log: `---- Minecraft Crash Report ----
Description: Ticking block entity`,
  },
  {
    name: 'a plugin without another',
    tag: 'plugin_missing_dependency',
    details: { required_plugins: ['Vault', 'ProtocolLib'] },
    log: `[12:00:00 ERROR]: Could not load 'plugins/Shop.jar' in folder 'plugins'
org.bukkit.plugin.UnknownDependencyException: Unknown/missing dependency plugins: [Vault, ProtocolLib]. Please download and install these plugins to run 'Shop'.`,
  },
  { name: 'something else', tag: 'unknown', details: {}, log: 'Done (1.0s)! For help, type "help"\nGoodbye' },
]

test.each(cases)('$name', ({ tag, details, log }) => {
  const [first] = findCrashes(['before', ...log.split('\n')])
  expect(first).toMatchObject({ tag, details })
})

test('every reason has a log, or is told otherwise', () => {
  const told = new Set<CrashTag>(['killed_for_memory', ...cases.map(({ tag }) => tag)])
  expect(crashTags.filter((tag) => !told.has(tag))).toEqual([])
  expect(Object.keys(mendsOf).toSorted()).toEqual([...crashTags].toSorted())
})

test('where a dependency is missing, the failure to load is its consequence', () => {
  const lines = [
    'LoadingFailedException: Loading errors encountered',
    "Mod ID: 'a', Requested by: 'b', Expected range: '[1,)', Actual version: '[MISSING]'",
  ]
  expect(findCrashes(lines).map(({ tag }) => tag)).toEqual(['forge_missing_mod'])
})

test('a game that the kernel killed for want of memory says nothing', () => {
  expect(findCrashes([], { killedForMemory: true })).toEqual([{ tag: 'killed_for_memory', details: {} }])
})

describe('hostile logs', () => {
  /** Every literal of the table, and pieces of it, in any order. */
  const pieces = crashTable.flatMap(({ like }) => like.split(/\{\w*\}/)).filter((part) => part !== '')
  const line = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })), { maxLength: 200 })
    .map((all) => all.join(''))

  test('are read in bounded time, into bounded details', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 50 }), (lines) => {
        const began = performance.now()
        const found = findCrashes(lines)
        expect(performance.now() - began).toBeLessThan(2_000)
        expect(found.length).toBeGreaterThan(0)
        for (const { details } of found)
          for (const value of Object.values(details)) {
            if (Array.isArray(value)) expect(value.length).toBeLessThanOrEqual(50)
            for (const text of [value].flat()) expect(text.length).toBeLessThanOrEqual(200)
          }
      }),
      { numRuns: 200 },
    )
    const began = performance.now()
    findCrashes(Array.from({ length: 400 }, () => "Mod '".repeat(20_000)))
    findCrashes(Array.from({ length: 400 }, () => "Mod '' () requires of , which".repeat(5_000)))
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  test('what players say is no sign of anything', () => {
    fc.assert(
      fc.property(fc.constantFrom(...cases), ({ log }) => {
        const [said] = log.split('\n')
        const forms = [`[12:00:00] [Server thread/INFO]: <Steve> ${said}`, `[12:00:00 INFO]: <Steve> ${said}`]
        expect(findCrashes([...forms, `[12:00:00] [Server thread/INFO]: [Not Secure] <Steve> ${said}`])).toEqual([
          { tag: 'unknown', details: {} },
        ])
      }),
    )
  })
})
