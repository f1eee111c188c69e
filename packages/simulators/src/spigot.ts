/** Spigot's hub: which versions there are, and BuildTools with the job that builds them. */
import { file, json, type Answer, type Service } from './mojang.ts'
import { makeBuildTools } from './stand-ins.ts'

const versions = ['26.1.2', '1.21.11', '1.21.4', '1.20.4', '1.16.5']
const NUMBER = 195

export function createSpigot(): Service {
  const job = '/jenkins/job/BuildTools'
  const answers = new Map<string, Answer>([
    [`${job}/lastSuccessfulBuild/api/json`, json({ number: NUMBER, result: 'SUCCESS' })],
    [`${job}/${NUMBER}/artifact/target/BuildTools.jar`, file(makeBuildTools())],
  ])
  const refs = {
    BuildData: 'a'.repeat(40),
    Bukkit: 'b'.repeat(40),
    CraftBukkit: 'c'.repeat(40),
    Spigot: 'd'.repeat(40),
  }
  for (const name of versions)
    answers.set(`/versions/${name}.json`, json({ name: String(NUMBER), description: name, refs, toolsVersion: NUMBER }))
  return (path) => answers.get(path) ?? null
}
