/** A message sender for workers: a state of its own, kept current by the log, and every service that a send needs. */

import { readPictureSecret } from '../../../db/accounts/signing-secrets.ts'
import { connect } from '../../../db/connection/connect.ts'
import { Renderer } from '../../../workers/pool/renderer.ts'
import { Channels } from '../../actors/channel.ts'
import { Conversations } from '../../actors/conversation.ts'
import { openLocalWriter } from '../../actors/local-writer.ts'
import type { Clock } from '../../domain/clock.ts'
import { type Beginning, beginEpoch } from '../../log/begin-epoch.ts'
import { tailLog } from '../../log/tail-log.ts'
import type { Sending } from '../sending.ts'
import { createRendering } from '../render.ts'

/** The parts that a sender is made of. */
export interface SenderOptions {
  readonly databaseUrl: string
  /** The address of the web processes for clients. */
  readonly publicUrl: string
  /** Whether there is a mail server. */
  readonly canMail: boolean
  readonly renderThreads: number
  readonly renderMsMax: number
  readonly clock: Clock
  readonly onError: (error: unknown) => void
  /** The database has another history than the sender's state: the sender must be replaced. */
  readonly onLost: () => void
}

/** Message sender for workers. */
export interface Sender {
  readonly services: Sending
  /** Applies the changes of other processes until now. */
  catchUp(): Promise<void>
  /** Notifies the web processes that the log has grown. */
  tell(): Promise<void>
  close(): Promise<void>
}

async function findBeginning(databaseUrl: string, onError: SenderOptions['onError']): Promise<Beginning> {
  const sql = connect(databaseUrl, 1, 'parley-sender')
  try {
    return await beginEpoch(sql, (message) => onError(new Error(message)))
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Loads the organization; it takes as long and as much memory as in a web process. */
export async function openSender({
  databaseUrl,
  publicUrl,
  canMail,
  renderThreads,
  renderMsMax,
  clock,
  onError,
  onLost,
}: SenderOptions): Promise<Sender> {
  const beginning = await findBeginning(databaseUrl, onError)
  const writer = await openLocalWriter(databaseUrl, 'parley-sender', { work: 'jobs' })
  const { sql, state, committer, feed } = writer
  state.emailHost = new URL(publicUrl).hostname
  state.canMail = canMail
  const renderer = new Renderer(renderThreads, renderMsMax)
  try {
    state.pictureSecret = await readPictureSecret(sql)
    // Also between sends, so that the log still holds the events it lacks.
    const logTail = await tailLog({
      sql,
      openLookSql: () => connect(databaseUrl, 1, 'parley-sender-look', { work: 'pages' }),
      feed,
      clock,
      ...beginning,
      onError,
      onLost,
    })
    return {
      services: {
        sql,
        state,
        committer,
        channels: new Channels(sql, state),
        conversations: new Conversations(sql),
        clock,
        publicUrl,
        ...createRendering(renderer),
      },
      catchUp: () => feed.catchUp(),
      tell: () => writer.tell(),
      async close() {
        await logTail.stop()
        await writer.close()
        await renderer.close()
      },
    }
  } catch (error) {
    await writer.close()
    await renderer.close()
    throw error
  }
}
