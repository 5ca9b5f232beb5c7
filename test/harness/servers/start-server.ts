/** A server for each test: a fresh database, a small organization, a node in this process. */

import { entryOf } from '../../../server/events/table.ts'
import { hash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalWriter } from '../../../server/actors/local-writer.ts'
import { createOrganization, createUser } from '../worlds/account-changes.ts'
import type { DemoLogins } from '../../../server/api/services.ts'
import { Passwords } from '../../../server/changes/passwords.ts'
import { type Config, readConfig } from '../../../server/config.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import { ROLES, type RoleName } from '../../../server/domain/entities.ts'
import type { LogEvent, LogEventType } from '../../../server/domain/events.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { createLogger, type Logger } from '../../../server/logger.ts'
import { startNode, type WebNode } from '../../../server/node/node.ts'
import { startWorker } from '../../../workers/worker.ts'
import { Client } from '../client/client.ts'
import { createDatabase, type TestContext } from '../databases/create-database.ts'
import { redisUrl, type TEMPLATES, transportSetting } from './environment.ts'
import { note } from '../client/note.ts'
import { makeFolder } from '../client/tus.ts'
import { balance, hasTwoServers, type ONE_NODE_RULES, sharedStore } from './two-servers.ts'

/** Cheap hashes: each real one takes a fifth of a second of a core. */
const PASSWORD_COST = 2 ** 10

/** The people of the default organization, by name; ids from 1 in this order. */
export const PEOPLE = ['owner', 'administrator', 'moderator', 'member', 'member2', 'guest', 'bot'] as const
export type Person = (typeof PEOPLE)[number]

/** Their names and roles on the server. */
export const ACCOUNTS: ReadonlyMap<Person, { readonly id: UserId; readonly key: string }> = new Map(
  PEOPLE.map((person, index) => [
    person,
    { id: (index + 1) as UserId, key: hash('sha256', person, 'hex').slice(0, 32) },
  ]),
)

/** Options of a test server. */
export interface TestServerOptions {
  readonly clock?: Clock
  /** Settings of the environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Whether it uses Redis; without it there is one process. */
  readonly redis?: boolean
  /** Instead of one of the level `error`. */
  readonly logger?: Logger
  readonly demo?: DemoLogins
  /** Whether there is no organization yet. */
  readonly isEmpty?: boolean
  /** The database to start from, instead of one with the default people. */
  readonly template?: keyof typeof TEMPLATES
  /** A rule about one node, for which this server has one in every run. */
  readonly oneNodeFor?: keyof typeof ONE_NODE_RULES
}

/** A running server. */
export interface TestServer {
  readonly node: WebNode
  readonly databaseUrl: string
  readonly config: Config & { readonly databaseUrl: string }
  /** Settings for further processes: on the same disk, if the server has one node. */
  readonly envElsewhere: Readonly<Record<string, string>>
  /** The client of a person. */
  as(person: Person): Client
  /** A client without credentials. */
  readonly anyone: Client
  /** Another node on the same database and Redis; closed with the test. */
  startAnotherNode(): Promise<{ node: WebNode; as(person: Person): Client }>
}

/** Creates the default organization in the template database. */
export async function createPeople(databaseUrl: string): Promise<void> {
  const writer = await openLocalWriter(databaseUrl)
  await writer.committer.submit(
    createOrganization({
      name: 'Test Organization',
      description: 'For *tests*',
      renderedDescription: '<p>For <em>tests</em></p>',
      createdAt: 1_700_000_000,
      // Only the tests of these notices need them.
      settings: { sendsChannelEvents: false },
    }),
  )
  for (const [person, { id, key }] of ACCOUNTS) {
    const role: RoleName = person === 'member2' || person === 'bot' ? 'member' : person
    const user = await writer.committer.submit(
      createUser(
        {
          email: emailOf(person),
          fullName: `The ${person}`,
          role: ROLES[role],
          isActive: true,
          botType: person === 'bot' ? 1 : null,
          botOwnerId: person === 'bot' ? (ACCOUNTS.get('member')?.id ?? null) : null,
          timezone: '',
          joinedAt: 1_700_000_000,
          avatarVersion: 1,
        },
        key,
      ),
    )
    if (user.id !== id) throw new Error(`${person} has the id ${user.id}`)
  }
  await writer.close()
}

export function emailOf(person: Person): string {
  return `${person}@example.com`
}

/** Starts a server for one test; its teardown closes it and checks for leaks. */
export async function startTestServer(t: TestContext, options: TestServerOptions = {}): Promise<TestServer> {
  const databaseUrl = await createDatabase(t, options.isEmpty ? 'empty' : (options.template ?? 'people'))
  const name = new URL(databaseUrl).pathname.slice(1)
  const dataFolder = join(tmpdir(), `parley-${name}`)
  t.teardown(() => rm(dataFolder, { recursive: true, force: true }))
  const isOne = !hasTwoServers() || options.oneNodeFor !== undefined
  const nodes: WebNode[] = []
  const publicUrl = isOne ? '' : await balance(t, nodes)
  const env = {
    DATA_DIR: dataFolder,
    PORT: '0',
    LOG_LEVEL: 'error',
    DATABASE_CONNECTIONS: '4', // Parallel files with several nodes share one PostgreSQL.
    RATE_LIMIT_USER_PER_MINUTE: '1000000',
    RATE_LIMIT_ADDRESS_PER_MINUTE: '1000000',
    RATE_LIMIT_LOGINS_PER_MINUTE: '1000000',
    // One Redis serves all tests, separated by the names of their databases.
    REDIS_PREFIX: name,
    ...transportSetting(),
    ...(options.redis || !isOne ? { REDIS_URL: redisUrl() } : {}),
    ...(isOne ? {} : { PUBLIC_URL: publicUrl, FILES_URL: (await sharedStore()).address(name) }),
    ...options.env,
  }
  const config = { ...readConfig(env), databaseUrl }
  const { demo, logger = createLogger(config.logLevel) } = options
  const clock = options.clock ? { clock: options.clock } : {}
  const startNodeHere = async (folder = config.dataFolder) => {
    const node = await startNode({
      config: { ...config, dataFolder: folder },
      logger,
      observe: ({ method, path }, outcome) => note(`${method} ${path} ${outcome}`),
      passwords: new Passwords({ N: PASSWORD_COST }),
      ...clock,
      ...(demo ? { demo } : {}),
    })
    t.teardown(async () => {
      await noteEventsOfLog(node)
      await node.close()
    })
    return node
  }
  const reach = (node: WebNode) => {
    const as = (person: Person) => {
      const { id, key } = ACCOUNTS.get(person) as { id: UserId; key: string }
      return new Client(node.url, id, emailOf(person), key)
    }
    return { node, as }
  }
  const start = async () => reach(await startNodeHere(isOne ? config.dataFolder : await makeFolder(t)))
  const startPair = async () => {
    for (const folder of [config.dataFolder, await makeFolder(t)]) nodes.push(await startNodeHere(folder))
    const worker = await startWorker({
      config: { ...config, dataFolder: await makeFolder(t) },
      logger,
      ...clock,
    })
    t.teardown(() => worker.close())
    return reach({ ...(nodes[0] as WebNode), url: publicUrl, port: Number(new URL(publicUrl).port) })
  }
  const first = await (isOne ? start() : startPair())
  return {
    ...first,
    databaseUrl,
    config,
    envElsewhere: { ...env, DATABASE_URL: databaseUrl, ...(isOne ? {} : { DATA_DIR: await makeFolder(t) }) },
    anyone: new Client(first.node.url, 0, '', ''),
    startAnotherNode: start,
  }
}

/** Events that no client receives, or only under the name of another, are observed in the log itself. */
async function noteEventsOfLog({ services: { sql } }: WebNode): Promise<void> {
  const rows = await sql<{ type: LogEventType }[]>`select distinct event->>'type' as type from event_log`
  for (const { type } of rows) {
    const view = entryOf({ type } as LogEvent)?.view
    if (!view || view.kind) note(`event ${type}`)
  }
}
