import { parentPort, workerData } from 'node:worker_threads'
import { type Reading, readNow } from './readings.ts'

parentPort?.postMessage(readNow(workerData as Reading))
