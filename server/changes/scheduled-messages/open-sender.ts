/** Sending messages in a process without clients: a state of its own, kept true by the log, and all that a send needs. */

import { connect } from '../../../db/connect.ts'
import { Renderer } from '../../../workers/pool/renderer.ts'
import { Channels } from '../../actors/channel.ts'
import { Conversations } from '../../actors/conversation.ts'
import { openLocalWriter } from '../../actors/local-writer.ts'
import type { Clock } from '../../domain/clock.ts'
import { type Beginning, beginEpoch } from '../../log/begin-epoch.ts'
import { keepUp } from '../../log/keep-up.ts'
import type { Sending } from '../sending.ts'
import { createRendering } from '../render.ts'

/** What a sender is built from. */
export interface SenderOptions {
  readonly databaseUrl: string
  /** Where clients reach the web processes. */
  readonly publicUrl: string
  readonly renderThreads: number
  readonly renderMsMax: number
  readonly clock: Clock
  readonly onError: (error: unknown) => void
  /** The database lost what the sender holds of it: another sender is needed. */
  readonly onLost: () => void
}

/** Somebody to send for a process without clients. */
export interface Sender {
  readonly services: Sending
  /** Brings what others have changed until now. */
  catchUp(): Promise<void>
  /** Tells the web processes that the log has grown. */
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

/** Loads the organization, which takes as long and as much memory as in a web process. */
export async function openSender({
  databaseUrl,
  publicUrl,
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
  const renderer = new Renderer(renderThreads, renderMsMax)
  try {
    // Between sends, too, so that the log still holds what it lacks.
    const keeping = await keepUp({
      sql,
      openLookSql: () => connect(databaseUrl, 1, 'parley-look', { work: 'pages' }),
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
        await keeping.stop()
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
