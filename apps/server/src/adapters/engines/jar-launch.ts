/** How a server jar is run. */
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

type JarLaunch = { launch: Launch; files: InstallPlan['files'] }

/**
 * The heap is the supervisor's {HEAP_MB}: the sandbox's memory less 512 MiB or a quarter, whichever is more. Ports
 * change from start to start, so the port is an argument.
 */
export function jarLaunch({ packageName, minecraft }: { packageName: string; minecraft: string }): JarLaunch {
  const guard = logGuard(minecraft)
  return {
    files: guard.files,
    launch: {
      command: [
        '{JAVA}',
        '-Xms128M',
        '-Xmx{HEAP_MB}M',
        '-Dfile.encoding=UTF-8',
        ...guard.options,
        '-jar',
        `{DIR:${packageName}}/server.jar`,
        '--port',
        '{PORT}',
        'nogui',
      ],
      env: {},
      stopCommand: 'stop',
      flush: { command: 'save-all flush', answer: saved(minecraft) },
    },
  }
}

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
