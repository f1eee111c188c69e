/** A service that speaks OpenAI's chat completions, as far as translating goes; it can be told to misbehave. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

type Trouble = 'busy' | 'failing' | 'cut' | 'length' | 'prose' | 'html' | 'huge' | 'garbage'
type Message = { role: 'system' | 'user' | 'assistant'; content: string }
type Asked = { model: string; messages: Message[]; response_format?: { type: string } }

export type ChatSimulator = {
  url: string
  key: string
  asked: Asked[]
  /** From now on answers are like that; undefined: as usual again. */
  trouble: Trouble | undefined
  close(): Promise<void>
}

/** What a hostile model, or an author who has talked it into something, sends back. */
const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror="alert(1)">',
  '[click](javascript:alert(1))',
  '<iframe src="https://evil.test"></iframe>',
  '**kept**',
].join('\n\n')

export async function startChatSimulator(): Promise<ChatSimulator> {
  const server = createServer(async (request, response) => {
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
      return send(404, { error: { message: 'not found' } })
    if (request.headers.authorization !== `Bearer ${simulator.key}`)
      return send(401, { error: { message: 'Incorrect API key provided', type: 'invalid_request_error' } })
    const asked = (await json(request)) as Asked
    simulator.asked.push(asked)
    const { trouble } = simulator
    if (trouble === 'busy')
      return send(429, { error: { message: 'Rate limit reached', type: 'requests' } }, { 'retry-after': '37' })
    if (trouble === 'failing') return send(500, { error: { message: 'The server had an error' } })
    if (trouble === 'garbage') return send(200, '<html>Bad gateway')
    if (trouble === 'huge') return send(200, ' '.repeat(3 * 1024 * 1024))
    const said = JSON.parse(asked.messages.at(-1)!.content) as { short_description: string; description: string }
    const to = /from \w+ to (\w+)/.exec(asked.messages[0]!.content)?.[1] ?? '?'
    const texts = {
      short_description: `${to}: ${said.short_description}`,
      description: trouble === 'html' ? hostile : `${to}\n\n${said.description}`,
    }
    const whole = JSON.stringify(texts)
    const content =
      trouble === 'cut' || trouble === 'length'
        ? whole.slice(0, whole.length >> 1)
        : trouble === 'prose'
          ? `Sure! Here is your translation: ${said.description}`
          : whole
    send(200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: Math.floor(Date.now() / 1000),
      model: asked.model,
      choices: [
        {
          index: 0,
          finish_reason: trouble === 'length' ? 'length' : 'stop',
          message: { role: 'assistant', content },
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const simulator: ChatSimulator = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    key: 'sk-simulated',
    asked: [],
    trouble: undefined,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return simulator
}
