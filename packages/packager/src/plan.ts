/** From chosen packages to the plan that a supervisor carries out. */
import { hashPlan } from './hash.ts'
import { installPlanSchema, type InstallPlan, type Launch, type Manifest } from './manifest.ts'

/** Packages that cannot be installed together, or a launch that names what is not there. */
export class PlanError extends Error {}

export type PlanParts = {
  engine: Manifest
  java?: Manifest | undefined
  /** Plugins, maps, configuration; in any order. */
  packages: Manifest[]
  files: InstallPlan['files']
  launch: Launch
}

/**
 * @returns the plan: Java, engine, then the other packages by name. The same parts give the same hash.
 * @throws PlanError when two packages have one name, when a path leaves the volume, or when the launch names a package or placeholder that is not there.
 */
export function buildInstallPlan({ engine, java, packages, files, launch }: PlanParts): InstallPlan {
  const rest = packages.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const all = java ? [java, engine, ...rest] : [engine, ...rest]
  checkPackages(all)
  checkFiles(files)
  checkLaunch(launch, { names: new Set(all.map(({ name }) => name)), hasJava: java !== undefined })
  const plan = { packages: all, files, launch }
  return installPlanSchema.parse({ hash: hashPlan(plan), ...plan })
}

function checkPackages(packages: Manifest[]): void {
  const names = new Set<string>()
  for (const { name, subdir } of packages) {
    if (names.has(name)) throw new PlanError(`package ${name} is there twice`)
    names.add(name)
    if (subdir !== '.' && !isInside(subdir)) throw new PlanError(`package ${name} leaves the volume: ${subdir}`)
  }
}

function checkFiles(files: InstallPlan['files']): void {
  const paths = new Set<string>()
  for (const { path } of files) {
    if (!isInside(path)) throw new PlanError(`file ${path} leaves the volume`)
    if (paths.has(path)) throw new PlanError(`file ${path} is there twice`)
    paths.add(path)
  }
}

function checkLaunch(launch: Launch, { names, hasJava }: { names: Set<string>; hasJava: boolean }): void {
  for (const text of [...launch.command, ...Object.values(launch.env)]) {
    for (const [, placeholder] of text.matchAll(/\{([A-Z_]+(?::[^}]*)?)\}/g)) {
      if (placeholder!.startsWith('DIR:') && names.has(placeholder!.slice('DIR:'.length))) continue
      if (placeholder === 'JAVA' && hasJava) continue
      if (placeholder === 'NODE' || placeholder === 'HEAP_MB' || placeholder === 'PORT') continue
      throw new PlanError(`the launch names {${placeholder}}, which this plan does not have`)
    }
  }
}

/** A relative path of plain names: no `..`, no empty parts, nothing a shell or an archive would read otherwise. */
function isInside(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\\0]/.test(path)
}
