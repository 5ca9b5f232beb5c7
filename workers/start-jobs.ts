/** All jobs of a worker, family by family. */

import { join } from 'node:path'
import type { Sql } from '../db/connection/connect.ts'
import { readActivity as readActivityOf } from '../db/personal/last-activity.ts'
import type { Config } from '../server/config.ts'
import { issuerOf } from '../server/domain/accounts/directory-settings.ts'
import type { Clock } from '../server/domain/clock.ts'
import type { FileStore } from '../server/files/file-store.ts'
import type { Logger } from '../server/logger.ts'
import type { Metric } from '../server/measures/metric.ts'
import { GuardedFetch } from '../server/outbound/guarded-fetch.ts'
import { startCalls } from './jobs/calls/start-calls.ts'
import { startDirectorySync } from './jobs/directory/start-directory-sync.ts'
import { startExports } from './jobs/exports/start-exports.ts'
import { startImports } from './jobs/imports/start-imports.ts'
import { createMailInWork } from './jobs/mail-in/mail-in-work.ts'
import type { OpenDoor } from './jobs/mail-in/open-door.ts'
import { startMailIn } from './jobs/mail-in/start-mail-in.ts'
import { createMailTransport } from './jobs/mail/mail-transport.ts'
import { startMail } from './jobs/mail/start-mail.ts'
import type { ReadActivity } from './jobs/notifications/gather-mails.ts'
import { startDigests } from './jobs/notifications/make-digests.ts'
import { NotificationFigures } from './jobs/notifications/notification-figures.ts'
import { startMailNotifications } from './jobs/notifications/start-mail-notifications.ts'
import { startPreviews } from './jobs/previews/start-previews.ts'
import { PushFigures } from './jobs/push/push-figures.ts'
import { startPushes } from './jobs/push/start-pushes.ts'
import { startPushWork } from './jobs/push/start-push-work.ts'
import { createWebPushWork } from './jobs/push/web/web-push-work.ts'
import { startRetention } from './jobs/retention/start-retention.ts'
import { startScheduled } from './jobs/scheduled/start-scheduled.ts'
import { type OpenSender, shareSender } from './jobs/share-sender.ts'
import { startUpkeep } from './jobs/upkeep/start-upkeep.ts'
import { OwnerTurns } from './jobs/webhooks/owner-turns.ts'
import { startWebhooks } from './jobs/webhooks/start-webhooks.ts'
import { WebhookFigures } from './jobs/webhooks/webhook-figures.ts'
import type { JobContext } from './queues/job-queue.ts'

/** The parts of a worker that its jobs need. */
export interface JobParts {
  readonly config: Config & { readonly databaseUrl: string }
  readonly sql: Sql
  readonly clock: Clock
  readonly fileStore: FileStore
  readonly organizationId: string
  readonly logger: Logger
}

/** Parts that several families share. */
interface SharedParts extends JobParts {
  /** The address under which people reach the server. */
  readonly publicUrl: string
  /** The address that mails are sent from, and its name. */
  readonly mailSender: { readonly name: string; readonly address: string }
  readonly openSender: OpenSender
  readonly readActivity: ReadActivity
}

/** The jobs that were started. */
interface StartedJobs {
  readonly metrics: readonly Metric[]
  /** The door for mails; undefined without one. */
  readonly mailDoor: OpenDoor | undefined
}

/** Starts all jobs; what is to be closed is in the context's closers, also if it rejects. */
export async function startJobs(context: JobContext, parts: JobParts): Promise<StartedJobs> {
  const { config, sql, clock, fileStore, organizationId, logger } = parts
  const { databaseUrl, renderThreads, renderMsMax } = config
  const onDone = (counts: object) => logger.debug(counts, 'cleaned up')
  await startUpkeep(context, { sql, fileStore, organizationId, clock, onDone })
  const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`
  const canMail = config.mailServer !== undefined
  const sending = { clock, databaseUrl, publicUrl, canMail, renderThreads, renderMsMax }
  const openSender = shareSender(context, sending)
  const onDelivery = (record: object) => logger.debug(record, 'delivery')
  await startScheduled(context, sql, { clock, openSender, onDelivery })
  await startRetention(context, { sql, clock, openSender, onDone })
  await startExports(context, { sql, databaseUrl, fileStore, clock, openSender, onDone })
  const importing = { sql, databaseUrl, publicUrl, fileStore, clock, openSender, onDone }
  await startImports(context, { ...importing, fetch: new GuardedFetch(config.outbound) })
  const { directory: settings, directorySyncMinutes: minutes } = config
  if (settings && minutes !== undefined) {
    const onWarning = (message: string) => logger.warn(message)
    await startDirectorySync(context, { settings, minutes, clock, openSender, onDone, onWarning })
  }
  const { presenceStore } = context.backend
  const shared: SharedParts = {
    ...parts,
    publicUrl,
    mailSender: config.mailSender ?? { name: '', address: `noreply@${new URL(publicUrl).hostname}` },
    openSender,
    readActivity: (ids) => presenceStore?.readActivity(ids) ?? readActivityOf(sql, ids),
  }
  const ofMails = await startMails(context, shared)
  const ofPushes = await startPushFamily(context, shared)
  const ofWebhooks = await startWebhookCalls(context, shared)
  const ofPreviews = await startPreviews(context, { sql, clock, outbound: config.outbound, openSender })
  const { liveKit, bigBlueButton } = config
  await startCalls(context, { sql, clock, openSender, liveKit, bigBlueButton })
  const mailIn = await startReceivedMails(context, shared)
  return {
    metrics: [...ofMails, ...ofPushes, ...ofWebhooks, ...ofPreviews, ...(mailIn?.metrics ?? [])],
    mailDoor: mailIn?.door,
  }
}

async function startMails(context: JobContext, parts: SharedParts): Promise<readonly Metric[]> {
  const { config, sql, publicUrl, clock, openSender, readActivity, logger } = parts
  const { mailInPattern } = config
  const send = createMailTransport(config.mailServer, parts.mailSender, join(config.dataFolder, 'mail'))
  const figures = new NotificationFigures()
  const directoryIssuer = config.directory && issuerOf(config.directory)
  const mails = {
    sql,
    publicUrl,
    clock,
    openSender,
    mailInPattern,
    directoryIssuer,
    send,
    notified: figures,
    logger,
  }
  await startMail(context, mails, clock)
  await startMailNotifications(context, { sql, clock, openSender, readActivity, figures }, clock)
  await startDigests(context, { clock, openSender })
  return figures.metrics
}

async function startPushFamily(context: JobContext, parts: SharedParts): Promise<readonly Metric[]> {
  const { config, sql, publicUrl, clock, openSender, readActivity, organizationId } = parts
  const figures = new PushFigures()
  const push = {
    sql,
    relay: config.pushRelay,
    web: config.hasWebPush ? createWebPushWork(sql, config, publicUrl, parts.mailSender.address) : undefined,
    organizationId,
    organizationUrl: publicUrl,
    figures,
    clock,
    openSender,
    readActivity,
  }
  await startPushWork(context, push, clock)
  await startPushes(context, push, clock)
  return figures.metrics
}

async function startWebhookCalls(context: JobContext, parts: SharedParts): Promise<readonly Metric[]> {
  const { config, sql, clock, openSender } = parts
  const figures = new WebhookFigures()
  // A way out of its own, so that slow receivers take no turns of pushes.
  const fetch = new GuardedFetch(config.outbound)
  await startWebhooks(context, { sql, clock, fetch, openSender, figures, turns: new OwnerTurns() })
  return figures.metrics
}

async function startReceivedMails(context: JobContext, parts: SharedParts) {
  const { config, sql, clock, fileStore, openSender, logger, mailSender } = parts
  const { mailInPattern: pattern, mailInDoor: door } = config
  if (!pattern) return undefined
  const { onError, closers } = context
  const work = createMailInWork(config, { sql, fileStore, openSender, logger, onError }, closers)
  const ownHost = mailSender.address.slice(mailSender.address.lastIndexOf('@') + 1)
  return startMailIn(context, { ...work, ownHost }, clock, { pattern, door })
}
