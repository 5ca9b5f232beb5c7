/** Messages on their way: shown at once like others, and with the way on if the server refuses one. */

import { useApp, useState } from '../../app/app.ts'
import { nameOf, usersById } from '../../store/derived/users.ts'
import { draftKey } from '../../store/drafts/draft-entry.ts'
import { type Narrow, ofDirect, ofTopic } from '../../store/narrows/narrow.ts'
import type { OutboxEntry } from '../../store/outbox/outbox-entry.ts'
import { Face } from '../people/face.tsx'
import { clockTime } from '../../ui/times.ts'

/** Messages of one sender within this time share a head, as in the list. */
const HEAD_MS_MAX = 600_000

interface OutboxRowsProps {
  readonly narrow: Narrow
  readonly entries: readonly OutboxEntry[]
}

export function OutboxRows({ narrow, entries }: OutboxRowsProps) {
  const app = useApp()
  const ownId = useState().user_id
  if (entries.length === 0) return null
  const last = app.messages.window(narrow).value.messages.at(-1)
  const lastOwnMs = last?.sender_id === ownId && last && !last.is_me_message ? last.timestamp * 1_000 : 0
  return (
    <>
      {entries.map((entry, index) => {
        const beforeMs = entries[index - 1]?.typedAtMs ?? lastOwnMs
        return (
          <OutboxRow key={entry.localId} entry={entry} hasHead={entry.typedAtMs - beforeMs > HEAD_MS_MAX} />
        )
      })}
    </>
  )
}

interface OutboxRowProps {
  readonly entry: OutboxEntry
  readonly hasHead: boolean
}

function OutboxRow({ entry, hasHead }: OutboxRowProps) {
  const app = useApp()
  const state = useState()
  const { content, phase, typedAtMs } = entry
  const ownId = state.user_id ?? 0
  const name = nameOf(state, ownId)
  const isWaiting = phase.name === 'waiting' && app.live.status.value.phase !== 'connected'
  return (
    <article
      class={`message pending ${phase.name} ${hasHead ? '' : 'more'}`}
      aria-label={phase.name === 'failed' ? 'Your unsent message' : 'Your message, sending'}
    >
      {hasHead ? (
        <Face userId={ownId} name={name} picture={usersById(state).get(ownId)?.avatar_url} size="medium" />
      ) : (
        <span />
      )}
      <div class="message-body">
        {hasHead && (
          <div class="by">
            <b dir="auto">{name}</b>
            <time>{clockTime(typedAtMs / 1_000)}</time>
          </div>
        )}
        <p class="plain" dir="auto">
          {content}
        </p>
        {isWaiting && <small class="pending-note">Sends when you’re back online</small>}
        {phase.name === 'failed' && <Failed entry={entry} reason={phase.reason} />}
      </div>
    </article>
  )
}

function Failed({ entry, reason }: { readonly entry: OutboxEntry; readonly reason: string }) {
  const app = useApp()
  const { localId, to, content } = entry
  /** The words go back to the composer of their conversation, before those that are there. */
  const edit = async () => {
    const others = app.drafts.entries.peek().get(draftKey(to))?.content ?? ''
    await app.drafts.change(to, { content: others === '' ? content : `${content}\n\n${others}` })
    await app.outbox.discard(localId)
    const narrow = to.type === 'channel' ? ofTopic(to.channelId, to.topic) : ofDirect(to.userIds)
    app.router.go({ view: 'narrow', narrow })
    await app.handles.focusComposer()
  }
  return (
    <div class="problem pending-problem" role="alert">
      <span>Not sent: {reason}</span>
      <button class="button" onClick={() => void edit()}>
        Edit
      </button>
      <button class="button" onClick={() => void app.outbox.retry(localId)}>
        Send again
      </button>
      <button class="button" onClick={() => void app.outbox.discard(localId)}>
        Discard
      </button>
    </div>
  )
}
