import { parentPort, workerData } from 'node:worker_threads'
import { writeAuthorHtml } from './author-markdown.ts'

parentPort?.postMessage('begun', [])
parentPort?.postMessage(
  (workerData as string[]).map((source) => (source.trim() === '' ? '' : writeAuthorHtml(source))),
  [],
)
