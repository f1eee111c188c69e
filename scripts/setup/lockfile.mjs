// package-lock.json: which packages there are, and where Node finds them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

/** @returns the packages of a lockfile by path, or undefined where there is no such file */
export function readPackages(file = 'package-lock.json') {
  const path = join(root, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined
}

/**
 * Adds to `found` where the packages are that a folder needs, and all that these need in turn.
 * @param {Set<string>} found whatever is in it already is skipped
 * @param {{ peers?: boolean }} [options] whether peer dependencies count, too
 */
export function addPackages(packages, found, folder, names, { peers = false } = {}) {
  for (const name of names) {
    const path = findPackage(packages, folder, name)
    if (path === undefined || found.has(path)) continue
    found.add(path)
    const { link, dependencies, peerDependencies } = packages[path]
    if (link) continue
    addPackages(packages, found, path, Object.keys({ ...dependencies, ...(peers && peerDependencies) }), { peers })
  }
}

/** As Node does: in the folder's own node_modules, then in those above. */
function findPackage(packages, folder, name) {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (packages[path] !== undefined) return path
    if (at === '') return undefined
  }
}
