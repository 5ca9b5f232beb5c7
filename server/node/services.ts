/** The services of a node: the dependencies of its operations. */

import { Destinations } from '../outbound/destinations.ts'
import { Differ } from '../../workers/pool/differ.ts'
import { Imager } from '../../workers/pool/imager.ts'
import { Renderer } from '../../workers/pool/renderer.ts'
import { connect } from '../../db/connection/connect.ts'
import { Conversations } from '../actors/conversation.ts'
import { PushTests } from '../actors/push-tests.ts'
import { Replica } from '../actors/replica.ts'
import { Searches } from '../actors/searches.ts'
import { RateLimiter } from '../api/door/rate-limit.ts'
import type { DemoLogins, Services } from '../api/services.ts'
import { AgentClients } from '../changes/agents/agent-clients.ts'
import { Calls } from '../changes/calls/call-tokens.ts'
import type { Passwords } from '../changes/passwords.ts'
import { createRendering } from '../changes/render.ts'
import { Directory } from '../changes/sign-on/directory/directory.ts'
import { SamlProvider } from '../changes/sign-on/saml-provider.ts'
import { LoginProvider } from '../changes/sign-on/login-provider.ts'
import { announceRestart } from '../changes/server/announce-restart.ts'
import { WebhookFigures } from '../changes/webhooks/webhook-figures.ts'
import type { Start } from '../decisions/server/restart.ts'
import { MeasuredFileStore } from '../files/measured-file-store.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { COMPATIBLE_VERSION, createNames, FEATURE_LEVEL } from '../views/names.ts'
import { checkStore, type StoreCheck } from '../files/store-check.ts'
import type { Actors } from './actors.ts'
import type { Connections } from './connections.ts'
import type { NodeContext } from './node-context.ts'
import { warnOfFiles, warnOfSeparateFolders } from './start-warnings.ts'
import type { Upkeep } from './upkeep.ts'

/** Milliseconds for the pictures of one file: some photographs take a few seconds on a busy host. */
const IMAGE_MS_MAX = 15_000

/** The parts below the services. */
export interface Foundations extends Connections, Actors, Upkeep {
  readonly passwords: Passwords
  readonly release: string
  readonly demo: DemoLogins | undefined
}

/** The services of a node, and the parts of them that only the node sees. */
export interface NodeServices {
  readonly services: Services
  readonly limiter: RateLimiter
  readonly renderer: Renderer
  readonly differ: Differ
  readonly imager: Imager
  readonly fileStore: MeasuredFileStore
  /** Undefined without an object store. */
  readonly storeCheck: StoreCheck | undefined
  readonly conversations: Conversations
  readonly searches: Searches
}

/** Starts the threads of the pool and the limiter, announces the restart to clients, and opens the store of files. */
export async function openServices(context: NodeContext, foundations: Foundations): Promise<NodeServices> {
  const { config, closers, tracer, watch, onError } = context
  const { sql, pageSql, unreadSql, clock, redis, redisPrefix } = foundations
  const { state, committer, queues, channels, readers, presences } = foundations
  const { seenUsers, seenSessions, seenKeys, refusals, passwords, demo } = foundations
  const renderer = new Renderer(config.renderThreads, config.renderMsMax, config.renderUserMsPerMinute, watch)
  closers.push(() => renderer.close())
  const differ = new Differ(config.renderMsMax, watch)
  closers.push(() => differ.close())
  const imager = new Imager(IMAGE_MS_MAX, watch)
  closers.push(() => imager.close())
  const limiter = new RateLimiter(clock, redis?.publisher, redisPrefix)
  closers.push(() => limiter.close())

  const names = createNames(config.hasClientAliases)
  await announceRestart(sql, foundations.writer, startOf(foundations, names))

  const pushTests = new PushTests({ sql, clock, waitMsMax: config.pushTestSeconds * 1000, onError })
  closers.push(() => pushTests.stop())
  const fileStore = new MeasuredFileStore(await openFileStore(config))
  warnOfFiles(config, context.logger)
  const storeCheck = config.objectStore && checkStore(fileStore, clock, context.logger)
  closers.push(() => storeCheck?.stop())
  warnOfSeparateFolders(context, foundations)
  const conversations = new Conversations(sql)
  const searches = new Searches(foundations.searchConnections)
  const replica = openReplica(context, foundations)
  const services: Services = {
    sql,
    pageSql,
    unreadSql,
    state,
    committer,
    queues,
    channels,
    readers,
    conversations,
    replica,
    searches,
    seenUsers,
    seenSessions,
    seenKeys,
    refusals,
    presences,
    clock,
    tracer,
    pushTests,
    webhookFigures: new WebhookFigures(),
    passwords,
    names,
    ...createRendering(renderer),
    differ,
    imager,
    fileStore,
    ...optionsOf(config),
    destinations: new Destinations(config.outbound),
    calls: config.callProvider && new Calls(sql, clock, config.callProvider),
    bigBlueButton: config.bigBlueButton,
    liveKit: config.liveKit,
    agentClients: config.hasAgentLogins ? new AgentClients(sql, config.outbound) : undefined,
    loginProviders: config.loginProviders.map((settings) => new LoginProvider(settings, clock)),
    samlProviders: config.samlProviders.map((settings) => new SamlProvider(settings)),
    directory: config.directory && new Directory(config.directory, clock),
    get publicUrl() {
      return context.publicUrl
    },
    demo,
    onError,
    onWarning: (message) => context.logger.warn(message),
  }
  return { services, limiter, renderer, differ, imager, fileStore, storeCheck, conversations, searches }
}

/** The options of the operator that operations ask for. */
function optionsOf(config: NodeContext['config']) {
  return {
    hasPushRelay: config.pushRelay !== undefined,
    hasWebPush: config.hasWebPush,
    uploads: {
      mibMax: config.uploadMibMax,
      quotaMib: config.uploadQuotaMib ?? null,
      isRedirected: config.redirectsFiles,
    },
    importArchiveMib: config.importArchiveMib,
    invitationMinutes: config.invitationMinutes,
    hasMailServer: config.mailServer !== undefined,
    mailInPattern: config.mailInPattern,
    pollHoldSeconds: config.pollHoldSeconds,
    hasWebPublicChannels: config.hasWebPublicChannels,
    hasDevelopmentLogins: config.hasDevelopmentLogins,
  }
}

/** This start of the process, with the release by the names that clients know. */
function startOf({ release, startedAt, isFirst }: Foundations, names: Services['names']): Start {
  const facts = names.addAliases({
    service_version: COMPATIBLE_VERSION,
    service_merge_base: COMPATIBLE_VERSION,
    service_feature_level: FEATURE_LEVEL,
  }) as Start['facts']
  return { release, facts, startedAt, isFirst }
}

/** The replica that the operator names. */
function openReplica(
  { config: { databaseReplicaUrl: url }, closers }: NodeContext,
  { epoch, feed }: Pick<Foundations, 'epoch' | 'feed'>,
): Replica | undefined {
  if (url === undefined) return undefined
  const replica = new Replica({
    open: () => connect(url, 1, 'parley-replica', { work: 'searches' }),
    appliedId: () => feed.appliedId,
    epoch,
  })
  closers.push(() => replica.close())
  return replica
}
