/** The limit of memory at start: node with the packages that the web process imports, and no other code. */

import '@fastify/busboy'
import 'ioredis'
import 'markdown-it'
import 'pino'
import 'piscina'
import 'postgres'
import { loadUws } from '../../server/wire/transport/uws.ts'
import { serveCalls } from '../start/remote.ts'

loadUws()

const calls = {
  async isReady(): Promise<boolean> {
    return true
  },
}

export type BareImports = typeof calls
serveCalls(calls)
