/**
 * The organization that an import goes into. Each change is appended to the log as any other, together with the keys of
 * what it imports: a run that is killed at any point has done whole changes, and the next one finds them.
 */

import {
  type ImportKey,
  storeImported,
  storeImportedEvents,
  storeThreads,
} from '../../../db/imports/imported-ids.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import type { LocalWriter } from '../../actors/local-writer.ts'
import { Channels } from '../../actors/channel.ts'
import { Conversations } from '../../actors/conversation.ts'
import { firstOwner } from '../invitations/invite-by-operator.ts'
import type { Sending } from '../sending.ts'
import type { Decision } from '../../decisions/decision.ts'
import type { ServerScope } from '../../decisions/scope.ts'
import type { User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { MessageSent } from '../../domain/events/messages.ts'
import type { EventId, UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import { appendEvents } from '../../events/append-events.ts'
import { notify } from '../../events/notify.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { renderMarkdown } from '../../../workers/pool/markdown/render-markdown.ts'

/** Milliseconds that patterns of the organization may take in one text. */
const RENDER_MS_MAX = 1_000
/** Messages between notices to web processes: they look twice a second anyway. */
const TELL_MESSAGES = 5_000

/** Events by their places in a list. */
type EventKeys = readonly (readonly [key: ImportKey, place: number])[]

export class ImportTarget {
  readonly #writer: LocalWriter
  /** The dependencies of collecting the names of a text. */
  readonly services: Sending
  #untold = 0

  constructor(writer: LocalWriter, publicUrl: string) {
    const { sql, state } = writer
    this.#writer = writer
    state.emailHost = new URL(publicUrl).hostname
    const render: Sending['renderMessage'] = (text, snapshot) =>
      renderMarkdown(text, snapshot, performance.now() + RENDER_MS_MAX)
    this.services = {
      ...writer,
      publicUrl,
      channels: new Channels(sql, state),
      conversations: new Conversations(sql),
      renderMessage: render,
      render: (text) => renderMarkdown(text).html,
    }
  }

  get sql(): Sql {
    return this.#writer.sql
  }

  get state(): OrganizationState {
    return this.#writer.state
  }

  /** An owner of the organization: of bots and of channels whose creator is gone. */
  get owner(): User {
    return firstOwner(this.state)
  }

  get now(): number {
    return Math.floor(Date.now() / 1000)
  }

  /** Appends the facts of a decision; it runs again if another process changed the organization meanwhile. */
  async change<Result>(
    decide: (scope: ServerScope) => Decision<Result>,
    keysOf: (result: Result) => readonly (readonly [key: ImportKey, id: number])[],
  ): Promise<Result> {
    for (;;) {
      await this.#writer.feed.catchUp()
      const { state } = this
      const seenId = state.appliedId
      const decision = decide({ state, now: this.now })
      const { entries } = notify(state, decision.events)
      const result = decision.reply((seenId + 1) as EventId)
      const after = {
        after: (writes: Parameters<typeof storeImported>[0]) => storeImported(writes, keysOf(result)),
      }
      const appended = await appendEvents(this.sql, entries, { seenId }, after)
      if (appended.kind === 'stale') continue
      this.#offer(entries, appended.baseId)
      await this.#writer.feed.catchUp()
      return result
    }
  }

  /** Appends messages; `keys` name them by their places in the list, and `threads` those that begin a thread. */
  async send(messages: readonly MessageSent[], keys: EventKeys, threads: EventKeys): Promise<void> {
    const entries = messages.map((event): NewEvent => {
      const { channelId, userIds } = event
      if (channelId !== null) return { event, audience: { kind: 'subscribers', channelId } }
      return { event, audience: { kind: 'users', users: UserSet.of((userIds ?? []) as readonly UserId[]) } }
    })
    const appended = await appendEvents(
      this.sql,
      entries,
      {},
      {
        after: (writes) => {
          const firstId = writes.sql`(select last_id - ${messages.length - 1} from event_counter)`
          storeImportedEvents(writes, firstId, keys)
          storeThreads(writes, firstId, threads)
        },
      },
    )
    if (appended.kind === 'stale') throw new Error('messages depend on no other change')
    this.#offer(entries, appended.baseId)
    this.#untold += messages.length
    if (this.#untold < TELL_MESSAGES) return
    this.#untold = 0
    await this.#writer.tell()
  }

  /** Own changes need not be read from the log again. */
  #offer(entries: readonly NewEvent[], baseId: EventId): void {
    this.#writer.feed.offer(
      entries.map((entry, index) => ({ ...entry, id: (baseId + index + 1) as EventId })),
    )
  }
}
