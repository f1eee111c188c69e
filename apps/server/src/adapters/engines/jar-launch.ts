/** How a server on Java is run. */
import type { InstallPlan, Launch } from '@wakestone/packager/manifest'
import { compareMinecraftVersions } from '@wakestone/packager/minecraft-version'

const LOG_CONFIG = '.log4j2.xml'

/** Console and file as these versions have them by default, without look-ups in the message (CVE-2021-44228). */
const LOG_CONFIG_XML = `<?xml version="1.0" encoding="UTF-8"?>
<Configuration status="WARN">
  <Appenders>
    <Console name="Console" target="SYSTEM_OUT">
      <PatternLayout pattern="[%d{HH:mm:ss}] [%t/%level]: %msg{nolookups}%n"/>
    </Console>
    <RollingRandomAccessFile name="File" fileName="logs/latest.log" filePattern="logs/%d{yyyy-MM-dd}-%i.log.gz">
      <PatternLayout pattern="[%d{HH:mm:ss}] [%t/%level]: %msg{nolookups}%n"/>
      <Policies>
        <TimeBasedTriggeringPolicy/>
        <OnStartupTriggeringPolicy/>
      </Policies>
    </RollingRandomAccessFile>
  </Appenders>
  <Loggers>
    <Root level="info">
      <AppenderRef ref="Console"/>
      <AppenderRef ref="File"/>
    </Root>
  </Loggers>
</Configuration>
`

type JavaLaunch = { launch: Launch; files: InstallPlan['files'] }

type JavaGame = {
  minecraft: string
  /** Major version of the Java that runs it. */
  java: number
}

/** @param jar path of the server's jar */
export const jarLaunch = ({ jar, ...game }: JavaGame & { jar: string }): JavaLaunch =>
  javaLaunch({ ...game, run: ['-jar', jar] })

/**
 * The heap is the supervisor's {HEAP_MB}: the sandbox's memory less 512 MiB or a quarter, whichever is more. Ports
 * change from start to start, so the port is an argument.
 * @param run what Java runs: a jar, or a class and its path
 * @param begin the program that Java's options are handed to; missing: Java itself
 */
export function javaLaunch({
  minecraft,
  java,
  run,
  begin = ['{JAVA}'],
}: JavaGame & { run: string[]; begin?: string[] }): JavaLaunch {
  const guard = logGuard(minecraft)
  return {
    files: guard.files,
    launch: {
      command: [
        ...begin,
        '-Xms128M',
        '-Xmx{HEAP_MB}M',
        '-Dfile.encoding=UTF-8',
        ...guard.options,
        ...collectorFlags(java),
        ...endFlags,
        // A game that was frozen would be ended by its own watchdog: to it, all that time was one tick.
        '-Ddisable.watchdog=true',
        ...run,
        '--port',
        '{PORT}',
        'nogui',
      ],
      env: {},
      stopCommand: 'stop',
      settings: { 'max-tick-time': '-1' },
      flush: { command: 'save-all flush', answer: saved(minecraft) },
      ...(compareMinecraftVersions(minecraft, '1.21.9') >= 0 && { management: true }),
    },
  }
}

/**
 * Pauses short, memory only as it is needed. The log of it is in the server's folder, and the counters that show the heap
 * live stay on.
 */
export function collectorFlags(java: number): string[] {
  const log =
    java >= 9
      ? ['-Xlog:gc*:file=.jvm-gc.log:time,uptime,level:filecount=2,filesize=1M']
      : ['-Xloggc:.jvm-gc.log', '-XX:+UseGCLogFileRotation', '-XX:NumberOfGCLogFiles=2', '-XX:GCLogFileSize=1M']
  return [
    '-XX:+UseG1GC',
    '-XX:+ParallelRefProcEnabled',
    '-XX:MaxGCPauseMillis=200',
    '-XX:+DisableExplicitGC',
    ...(java >= 25 ? ['-XX:+UseCompactObjectHeaders'] : []),
    ...log,
  ]
}

/** Out of memory the game is asked to end, which saves its world: half of it would go on else. */
export const endFlags = ['-XX:OnOutOfMemoryError=kill -15 %p', '-XX:ErrorFile=jvm-error.log']

/** What the game says when all is written. */
const saved = (minecraft: string) =>
  compareMinecraftVersions(minecraft, '1.13') < 0 ? ': Saved the world' : ': Saved the game'

/** Until 1.18.1 a chat message could make the logger run foreign code. */
function logGuard(minecraft: string): { options: string[]; files: InstallPlan['files'] } {
  const isBefore = (version: string) => compareMinecraftVersions(minecraft, version) < 0
  if (isBefore('1.17')) {
    return {
      options: [`-Dlog4j.configurationFile=${LOG_CONFIG}`],
      files: [{ path: LOG_CONFIG, content: LOG_CONFIG_XML, mode: 'replace' }],
    }
  }
  return { options: isBefore('1.18.1') ? ['-Dlog4j2.formatMsgNoLookups=true'] : [], files: [] }
}
