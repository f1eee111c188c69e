type TextReader = (address: string) => Promise<unknown>

/**
 * Reads texts with patience: at most `parallel` at once; one that fails is tried `retries` times more, after
 * `firstDelay` ms and then twice as long each time.
 */
export function createTextReader({
  read,
  parallel = 10,
  retries = 5,
  firstDelay = 350,
  wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}: {
  read: TextReader
  parallel?: number
  retries?: number
  firstDelay?: number
  wait?: (milliseconds: number) => Promise<unknown>
}): TextReader {
  let free = parallel
  const queue: (() => void)[] = []
  const readPatiently: TextReader = async (address) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await read(address)
      } catch (error) {
        if (attempt === retries) throw error
        await wait(firstDelay * 2 ** attempt)
      }
    }
  }
  return async (address) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await readPatiently(address)
    } finally {
      const next = queue.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

/** @throws when the answer is no success. */
export async function fetchTexts(address: string): Promise<unknown> {
  const response = await fetch(address, { credentials: 'same-origin' })
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  return response.json()
}
