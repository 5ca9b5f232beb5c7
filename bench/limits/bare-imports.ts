/** The limit of memory at start: node with the packages that the web process imports, and no other code. */

import '@fastify/busboy'
import 'ioredis'
import 'markdown-it'
import 'pino'
import 'piscina'
import 'postgres'
import '../../server/wire/uws.ts'
import { serveCalls } from '../start/remote.ts'

const calls = {
  async isReady(): Promise<boolean> {
    return true
  },
}

export type BareImports = typeof calls
serveCalls(calls)
