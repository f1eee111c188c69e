import { parentPort, workerData } from 'node:worker_threads'
import { writeAuthorHtml } from './author-markdown.ts'

parentPort?.postMessage(writeAuthorHtml(workerData as string), [])
