/**
 * Orderly end of a process: what was started last is stopped first.
 */
export type Lifecycle = {
  /** Registers how to stop something that now runs. */
  onStop(name: string, stop: () => Promise<void> | void): void
  /** Stops everything, once; a step that fails is logged and does not keep the others from stopping. */
  stop(): Promise<void>
}

/** Takes a logger, of which it needs `error` only. */
export function createLifecycle(logger: {
  error(detail: { error: unknown; step: string }, message: string): void
}): Lifecycle {
  const steps: { name: string; stop: () => Promise<void> | void }[] = []
  let stopping: Promise<void> | undefined

  async function stopAll() {
    for (const step of steps.reverse()) {
      try {
        await step.stop()
      } catch (error) {
        logger.error({ error, step: step.name }, 'could not stop')
      }
    }
  }

  return {
    onStop: (name, stop) => void steps.push({ name, stop }),
    stop: () => (stopping ??= stopAll()),
  }
}

/** Ends the process in order on SIGTERM and SIGINT; a second signal ends it at once. */
export function stopOnSignals(lifecycle: Lifecycle): void {
  let asked = false
  const end = () => {
    if (asked) process.exit(1)
    asked = true
    void lifecycle.stop().then(() => process.exit(0))
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
