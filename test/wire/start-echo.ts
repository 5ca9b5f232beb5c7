/** A listener with its own table: operations that return their parameters, one of each type. */

import { operation, type Method, type Operation } from '../../server/api/operation.ts'
import {
  anyOf,
  boolean,
  defaulted,
  integer,
  list,
  looseJson,
  nullable,
  object,
  oneOf,
  optional,
  required,
  text,
} from '../../server/api/params.ts'
import { Door } from '../../server/api/door/door.ts'
import { RateLimiter } from '../../server/api/door/rate-limit.ts'
import type { RateLimits } from '../../server/domain/settings/rate-limits.ts'
import { STRING } from '../../server/domain/json-schema.ts'
import { Router } from '../../server/api/router.ts'
import { type Clock, systemClock } from '../../server/domain/clock.ts'
import { HttpServer } from '../../server/wire/http.ts'
import { listen } from '../../server/wire/listen.ts'
import { loadTransport } from '../../server/wire/transport/load-transport.ts'
import type { Transport } from '../../server/wire/transport/transport.ts'
import type { TestContext } from '../harness/databases/create-database.ts'
import { startTestServer, type TestServer } from '../harness/servers/start-server.ts'
import { Client } from '../harness/client/client.ts'

const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE']

const TYPES = {
  words: optional(text(), 'Any text.'),
  brief: optional(text({ lengthMax: 5, trim: true, blank: false }), 'A short text.'),
  count: optional(integer({ min: -10, max: 1_000 }), 'A number with bounds.'),
  whole: optional(integer(), 'A whole number.'),
  flag: optional(boolean(), 'Yes or no.'),
  color: optional(oneOf('red', 'green'), 'One of two.'),
  numbers: optional(list(integer(), { lengthMax: 3 }), 'A short list.'),
  names: optional(list(text({ lengthMax: 5 })), 'Texts.'),
  box: optional(
    object({ side: required(integer(), 'A length.'), lid: defaulted(text(), 'none', 'A lid.') }),
    'Fields.',
  ),
  perhaps: optional(nullable(integer()), 'Null, or a number.'),
  days: optional(anyOf(integer(), oneOf('forever')), 'A number or a word.'),
  loose: optional(looseJson(list(text())), 'JSON, or not.'),
  old: optional(text(), 'Has another name.', { aliases: ['older', 'oldest'] }),
}

/** The paths of the table, each for every method. */
function echoOperations(onRun: (signal: AbortSignal) => Promise<void>): Operation[] {
  const echo = (method: Method, path: string, params: Parameters<typeof operation>[0]['params']) =>
    operation({
      method,
      path,
      summary: 'Answer what was given',
      access: 'user',
      params,
      reply: {
        given: { schema: { type: 'object' }, description: 'What was given.' },
        client: { schema: STRING, description: 'By which program.' },
      },
      errors: [],
      events: [],
      async run({ params: given, client, signal }) {
        await onRun(signal)
        return { given, client }
      },
    })
  return METHODS.flatMap((method) => [
    echo(method, '/echo', TYPES),
    echo(method, '/echo/{id}', { id: required(integer(), 'A number.'), ...TYPES }),
    echo(method, '/echo/{name}', { name: required(text({ lengthMax: 20 }), 'A text.'), ...TYPES }),
    echo(method, '/echo/{name}/deep', { name: required(text({ lengthMax: 20 }), 'A text.') }),
    echo(method, '/demanding', {
      first: required(integer(), 'Needed.'),
      second: required(text(), 'Needed, too.'),
    }),
  ])
}

/** Options of the listener. */
export interface EchoOptions {
  readonly limits?: Partial<RateLimits>
  /** The clock of the rate limits. */
  readonly limitClock?: Clock
  readonly isProxyTrusted?: boolean
  /** By default, that of the whole run. */
  readonly transport?: Transport
  /** Awaited by every operation before its answer. */
  readonly onRun?: (signal: AbortSignal) => Promise<void>
  /** Replaces the operations that return their parameters. */
  readonly operations?: readonly Operation[]
}

/** The listener and its services. */
export interface Echo {
  readonly url: string
  readonly port: number
  readonly http: HttpServer
  readonly server: TestServer
  /** The member's client. */
  readonly client: Client
  /** Server errors. */
  readonly bugs: unknown[]
}

/** Listens; its teardown closes it. */
export async function startEcho(
  t: TestContext,
  {
    limits,
    limitClock = systemClock,
    isProxyTrusted = false,
    onRun = async () => undefined,
    operations,
    transport,
  }: EchoOptions = {},
): Promise<Echo> {
  const server = await startTestServer(t)
  const bugs: unknown[] = []
  const { services } = server.node
  const limiter = new RateLimiter(limitClock, undefined, '')
  const rateLimits = { perUser: 1e9, perAddress: 1e9, logins: 1e9, ...limits }
  const { state, seenUsers, seenSessions, seenKeys, refusals, clock, publicUrl, onError } = services
  const door = new Door({
    state,
    seenUsers,
    seenSessions,
    seenKeys,
    clock,
    limiter,
    limits: rateLimits,
    refusals,
    publicUrl,
    hasWebPublicChannels: true,
  })
  const onBug = (error: unknown) => bugs.push(error)
  const http = new HttpServer({
    admission: {
      router: new Router(operations ?? echoOperations(onRun)),
      services,
      door,
      onBug,
      onError,
    },
    isProxyTrusted,
    findPage: () => undefined,
    onRequest: () => undefined,
  })
  const listener = await listen(
    transport ?? (await loadTransport(server.config.transport)).transport,
    { host: '127.0.0.1', port: 0 },
    {
      http,
      streams: {
        ...services,
        door,
        isProxyTrusted,
        nextRequestId: () => http.nextRequestId(),
        onBug,
        opening: new Set(),
      },
    },
  )
  t.teardown(() => listener.close())
  const { userId, email, key } = server.as('member')
  const url = `http://127.0.0.1:${listener.port}`
  return { url, port: listener.port, http, server, client: new Client(url, userId, email, key), bugs }
}
