/** Who may come in and who may run commands: `allowlist.json` and `permissions.json`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Allowed = { ignoresPlayerLimit: boolean; name: string; xuid?: string }

export type PlayerLists = ReturnType<typeof openPlayerLists>

/** @param enforced whether only those on the list may come in; `allowlist on` and `off` change that until the next start */
export function openPlayerLists(folder: string, enforced: boolean) {
  const path = join(folder, 'allowlist.json')
  const permissions = join(folder, 'permissions.json')
  let isEnforced = enforced
  for (const file of [path, permissions]) if (!existsSync(file)) writeFileSync(file, '[]\n')
  let allowed = read()

  function read(): Allowed[] {
    const list = JSON.parse(readFileSync(path, 'utf8')) as unknown
    return Array.isArray(list) ? (list as Allowed[]).filter((entry) => typeof entry?.name === 'string') : []
  }
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

  return {
    /** @returns why that player may not come in, or null */
    refuse: (name: string) =>
      isEnforced && !allowed.some((entry) => isSame(entry.name, name)) ? 'You are not on the allow list.' : null,
    add(name: string) {
      if (!allowed.some((entry) => isSame(entry.name, name))) allowed.push({ ignoresPlayerLimit: false, name })
      writeFileSync(path, `${JSON.stringify(allowed, null, 2)}\n`)
    },
    remove(name: string) {
      allowed = allowed.filter((entry) => !isSame(entry.name, name))
      writeFileSync(path, `${JSON.stringify(allowed, null, 2)}\n`)
    },
    reload: () => void (allowed = read()),
    enforce: (on: boolean) => void (isEnforced = on),
    names: () => allowed.map(({ name }) => name),
  }
}
