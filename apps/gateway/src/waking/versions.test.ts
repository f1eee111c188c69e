/** Real clients of many versions before real games of theirs: these start and thaw because somebody joins. */
import { pingServer } from '@wakestone/minecraft/ping-server'
import { plainText } from '@wakestone/minecraft/text'
import { afterEach, expect, test, vi } from 'vitest'
import { isLong } from '../../../../tests/support/long.ts'
import { joinGame, startGame } from '../test-support/game.ts'
import { startTestGateway } from '../test-support/gateway.ts'
import { makeRoute } from '../test-support/route-feed-server.ts'
import { startSupervisor } from '../test-support/supervisor.ts'

vi.setConfig({ testTimeout: 90_000 })

const versions = isLong ? ['1.8.8', '1.12.2', '1.16.5', '1.20.4', '1.21.4'] : ['1.8.8']

const endings: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const part of endings.splice(0).toReversed()) await part.close()
})
function keep<T extends { close(): Promise<void> }>(part: T): T {
  endings.push(part)
  return part
}

test.each(versions)(
  'a bot of %s wakes a game that is down, then one that is frozen, and stands in its world',
  async (version) => {
    let game: Awaited<ReturnType<typeof startGame>> | undefined
    const supervisor = keep(
      await startSupervisor(() => {
        game?.thaw()
        return 'running'
      }),
    )
    const route = makeRoute({ host: 'game.test', state: 'asleep', canWake: true, expectedSeconds: 10 })
    const there = () => ({ ...route, backend: { host: game!.host, port: game!.port } })
    const gateway = keep(
      await startTestGateway([route], {
        onWake: () => {
          void startGame({ version }).then((started) => {
            game = keep(started)
            gateway.feed.set({ ...there(), state: 'running' })
          })
          return { expectedSeconds: 10 }
        },
      }),
    )
    const listed = () =>
      pingServer({ host: '127.0.0.1', port: gateway.port, virtualHost: 'game.test', timeoutMs: 500 }).then(
        ({ description }) => plainText(description),
        () => '',
      )
    const first = await joinGame(gateway.port, 'game.test', 'Steve', { version })
    first.quit()
    await first.end
    for (let turn = 0; turn < 3; turn++) {
      game!.freeze()
      gateway.feed.set({ ...there(), state: 'light_sleep', thaw: supervisor.grant })
      await expect.poll(listed).toContain('is asleep')
      const again = await joinGame(gateway.port, 'game.test', 'Steve', { version })
      again.quit()
      await again.end
    }
    expect(gateway.feed.wakes).toHaveLength(1)
    expect(supervisor.calls).toHaveLength(3)
  },
)
