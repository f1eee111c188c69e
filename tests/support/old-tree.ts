/** A checkout of the version before this one, beside this one, with the same packages of others. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from './instances.ts'

const git = (...args: string[]) =>
  execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** The last release, else where this branch began, else the commit before. */
function versionBefore(): string {
  const tries: (() => string)[] = [
    () => git('describe', '--tags', '--abbrev=0', 'HEAD~1'),
    () => git('merge-base', 'HEAD', 'origin/main'),
    () => git('rev-parse', 'HEAD~1'),
  ]
  const head = git('rev-parse', 'HEAD')
  for (const attempt of tries)
    try {
      const found = git('rev-parse', `${attempt()}^{commit}`)
      if (found !== head) return found
    } catch {
      // There is none of that kind.
    }
  throw new Error('there is no version before this one')
}

/** @returns its folder: `OLD_TREE` where that is set, ready to run; else one that is made, and removed by `remove`. */
export function openOldTree(): { root: string; version: string; remove(): void } {
  const given = process.env['OLD_TREE']
  if (given !== undefined) return { root: given, version: given, remove: () => undefined }
  const version = versionBefore()
  const root = join(mkdtempSync(join(tmpdir(), 'ws-old-')), 'tree')
  git('worktree', 'add', '--detach', '--force', root, version)
  linkModules(root)
  // Its pages are no part of what it is for, but it serves some.
  if (existsSync(join(repository, 'apps/web/build')))
    cpSync(join(repository, 'apps/web/build'), join(root, 'apps/web/build'), { recursive: true })
  execFileSync(process.execPath, [join(root, 'scripts/build-bundles.mjs')], { cwd: root })
  return {
    root,
    version,
    remove() {
      git('worktree', 'remove', '--force', root)
      rmSync(join(root, '..'), { recursive: true, force: true })
    },
  }
}

/** Our own packages are those of its own checkout; all others are shared. */
function linkModules(root: string): void {
  const from = join(repository, 'node_modules')
  const to = join(root, 'node_modules')
  mkdirSync(join(to, '@wakestone'), { recursive: true })
  for (const name of readdirSync(from)) if (name !== '@wakestone') symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, '@wakestone')))
    symlinkSync(readlinkSync(join(from, '@wakestone', name)), join(to, '@wakestone', name))
  for (const app of readdirSync(join(repository, 'apps'))) {
    const own = join(repository, 'apps', app, 'node_modules')
    if (existsSync(own) && existsSync(join(root, 'apps', app)))
      symlinkSync(own, join(root, 'apps', app, 'node_modules'))
  }
}
