// package-lock.json: which packages there are, and where Node finds them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

/** @returns the packages of a lockfile by their places, or undefined where there is no such file */
export function readPackages(file = 'package-lock.json') {
  const path = join(root, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined
}

/** As Node looks for it: in the folder's own node_modules, then in those above. */
export function findPackage(packages, folder, name) {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (packages[path] !== undefined) return path
    if (at === '') return undefined
  }
}
