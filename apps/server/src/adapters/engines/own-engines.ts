/** The engines in `engines/`: for demonstrations and tests. */
import type { EngineAdapter } from './engine.ts'
import { createOwnPackageAdapter, type OwnPackages } from './own-package.ts'

const node = ['{NODE}', '--no-deprecation', '--max-semi-space-size=2', '--max-old-space-size={HEAP_MB}']
const where = ['--port', '{PORT}', '--host', '127.0.0.1']

export function createFlyingSquidAdapter(packages: OwnPackages): EngineAdapter {
  const launch = {
    command: [...node, '{DIR:flying-squid}/server.js', ...where],
    env: {},
    stopCommand: 'stop',
    flush: { command: 'save-all flush', answer: ': Saved the game' },
  }
  return createOwnPackageAdapter({ id: 'flying-squid', name: 'flying-squid', launch }, packages)
}

export function createSerenityAdapter(packages: OwnPackages): EngineAdapter {
  const command = [...node, '{DIR:serenity}/server.js', ...where]
  const flush = { command: 'save query', answer: 'Data saved. Files are now ready to be copied.' }
  const launch = { command, env: {}, stopCommand: 'stop', flush, probe: 'bedrock' as const }
  return createOwnPackageAdapter({ id: 'serenity', name: 'SerenityJS', launch }, packages)
}
