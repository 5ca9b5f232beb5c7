/** Messages on their way: they stand at once where they will stay, and show the way on if the server refuses one. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { Network } from '../../app/network.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { nameOf, usersById } from '../../store/derived/users.ts'
import { draftKey } from '../../store/drafts/draft-entry.ts'
import { type Narrow, ofDirect, ofTopic } from '../../store/narrows/narrow.ts'
import type { OutboxEntry } from '../../store/outbox/stored-entry.ts'
import { Icon } from '../../ui/icon.tsx'
import { SenderName } from '../message/sender-line.tsx'
import { SenderFace } from '../people/sender-face.tsx'
import { DayRow } from './day-row.tsx'
import { PlaceRow } from './place-row.tsx'
import { placeOfTopic, rowsAfter } from './rows.ts'
import { t } from '../../texts/texts.ts'

/** A shorter wait needs no words. */
const SILENT_MS = 1_000
const ME = '/me '

interface OutboxRowsProps {
  readonly narrow: Narrow
  readonly entries: readonly OutboxEntry[]
  /** Whether the list has messages of several conversations. */
  readonly isMixed: boolean
}

export function OutboxRows({ narrow, entries, isMixed }: OutboxRowsProps) {
  const app = useApp()
  const last = app.messages.window(narrow).value.messages.at(-1)
  const rows = rowsAfter(
    last,
    entries.map(({ to, content, typedAtMs }) => ({
      sender_id: app.ownId,
      timestamp: typedAtMs / 1_000,
      is_me_message: content.startsWith(ME),
      place: to.type === 'channel' ? placeOfTopic(to.channelId, to.topic) : 'dm',
    })),
    isMixed,
  )
  return (
    <>
      {entries.map((entry, index) => (
        <OutboxRow key={entry.localId} entry={entry} {...rows[index]} />
      ))}
    </>
  )
}

interface OutboxRowProps extends Partial<ReturnType<typeof rowsAfter>[number]> {
  readonly entry: OutboxEntry
}

function OutboxRow({ entry, hasDay, hasPlace, hasHead }: OutboxRowProps) {
  const app = useApp()
  const state = useState()
  const { content, phase, to, typedAtMs } = entry
  const sender = {
    sender_id: app.ownId,
    sender_full_name: nameOf(state, app.ownId),
    avatar_url: usersById(state).get(app.ownId)?.avatar_url ?? null,
  } satisfies Partial<Message>
  const isMe = content.startsWith(ME)
  const clock = phase.name === 'failed' ? null : <Clock />
  return (
    <>
      {hasDay && <DayRow timestamp={typedAtMs / 1_000} />}
      {hasPlace && to.type === 'channel' && (
        <PlaceRow
          channelId={to.channelId}
          topic={to.topic}
          channelName={channelsById(state).get(to.channelId)?.channel.name}
          isInChannel
        />
      )}
      <article
        class={`message pending ${hasHead ? '' : 'more'} ${isMe ? 'action' : ''}`}
        aria-label={phase.name === 'failed' ? t('Your unsent message') : t('Your message, sending')}
      >
        {hasHead ? <SenderFace message={sender} /> : <span class="aside">{clock}</span>}
        <div class="message-body">
          {hasHead && !isMe && (
            <div class="by">
              <SenderName message={sender} />
              {clock}
              {clock && <Progress />}
            </div>
          )}
          <div class="message-text">
            {isMe && <SenderName message={sender} />}
            <p class="rendered plain" dir="auto">
              {isMe ? content.slice(ME.length) : content}
            </p>
            {(!hasHead || isMe) && clock && <Progress />}
          </div>
          {phase.name === 'failed' && <Failed entry={entry} reason={phase.reason} />}
        </div>
      </article>
    </>
  )
}

/** In the place of the time. */
function Clock() {
  return (
    <span class="sending" title={t('Sending')}>
      <Icon name="clock" />
    </span>
  )
}

/** Says what a message waits for, once it has waited. */
function Progress() {
  const app = useApp()
  const isLate = useSignal(false)
  useEffect(() => {
    const timer = setTimeout(() => (isLate.value = true), SILENT_MS)
    return () => clearTimeout(timer)
  }, [])
  if (app.part(Network).isAway.value)
    return <small class="pending-note">{t('Sends when you’re back online')}</small>
  return isLate.value ? <small class="pending-note">{t('Sending…')}</small> : null
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
      <span>{t('Not sent: {reason}', { reason })}</span>
      <button class="button" onClick={() => void edit()}>
        {t('Edit')}
      </button>
      <button class="button" onClick={() => void app.outbox.retry(localId)}>
        {t('Send again')}
      </button>
      <button class="button" onClick={() => void app.outbox.discard(localId)}>
        {t('Discard')}
      </button>
    </div>
  )
}
