/** Version and date of this build, written into it: the running product needs neither git nor a clock for them. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The same sources give the same date: `SOURCE_DATE_EPOCH`, else that of the last commit; now, without git. */
export function readBuildInfo(root: string): { version: string; date: string } {
  const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { version: string }
  const seconds = Number(process.env['SOURCE_DATE_EPOCH'] ?? lastCommitSeconds(root))
  return { version, date: new Date(seconds > 0 ? seconds * 1000 : Date.now()).toISOString() }
}

function lastCommitSeconds(root: string): string {
  try {
    return execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return ''
  }
}
