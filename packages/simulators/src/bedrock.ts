/** Mojang's list of downloads, as far as Bedrock Dedicated Server is in it, and the server. */
import { file, json, type Service } from './mojang.ts'
import { makeBedrockServer } from './stand-ins.ts'

/** @param base address under which the service is reached, without a trailing slash */
export function createBedrock(base: string): Service {
  const server = makeBedrockServer({ version: '1.26.51.1', protocol: 2193 })
  const folder = `${base}/bedrockdedicatedserver`
  const link = (downloadType: string, path: string) => ({ downloadType, downloadUrl: `${folder}/${path}` })
  const links = [
    link('serverBedrockWindows', `bin-win/${server.name}`),
    link('serverBedrockLinux', `bin-linux/${server.name}`),
    link('serverBedrockPreviewWindows', 'bin-win-preview/bedrock-server-1.26.60.20.zip'),
    link('serverBedrockPreviewLinux', 'bin-linux-preview/bedrock-server-1.26.60.20.zip'),
    { downloadType: 'serverJar', downloadUrl: `${base}/v1/objects/server.jar` },
  ]
  const answers = new Map([
    ['/api/v1.0/download/links', json({ result: { links } })],
    [`/bedrockdedicatedserver/bin-linux/${server.name}`, file(server)],
  ])
  return (path) => answers.get(path) ?? null
}
