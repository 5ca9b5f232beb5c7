/** The Inbox: everything unread, by conversation. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import type { State } from '../../store/apply.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { directConversations } from '../../store/derived/direct-conversations.ts'
import { type UnreadTopic, unreadOf } from '../../store/derived/unread.ts'
import { allUnreadIds, unreadIdsOfChannel, unreadIdsOfDirect } from '../../store/derived/unread-ids.ts'
import { ofDirect, ofTopic } from '../../store/narrows/narrow.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { directName } from '../../store/derived/direct-name.ts'
import { PlacesLink } from '../../ui/places-link.tsx'
import { Icon } from '../../ui/icon.tsx'
import { topicName } from '../../store/derived/topic.ts'
import { hasFirstSteps } from './has-first-steps.ts'
import { InboxGroup } from './inbox-group.tsx'
import { InboxLine } from './inbox-line.tsx'
import { markRead } from './mark-read.ts'
import { lazy } from '../../ui/lazy.tsx'

const FirstSteps = lazy(async () => (await import('./first-steps.tsx')).FirstSteps)
const MarkAll = lazy(async () => (await import('./mark-all.tsx')).MarkAll)

/** Lines that are drawn at first, and with each step: nobody reads thousands at once. */
const LINES = 100
/** The group of direct messages; those of channels have their ids. */
const DIRECT = 'direct'
/** More messages are marked as read only after a question. */
const UNASKED_MAX = 500

export function Inbox() {
  const app = useApp()
  const state = useState()
  const shownCount = useSignal(LINES)
  const isAsking = useSignal(false)
  const { total } = unreadOf(state)
  const { directs, groups, mutedCount, conversationCount, isMore } = linesOf(
    state,
    app.device.foldedInbox.value,
    shownCount.value,
  )
  const newestIds = [
    ...groups.flatMap(({ shown }) => shown.map(({ messageIds }) => messageIds.at(-1) ?? 0)),
    ...directs.shown.map(({ newestId }) => newestId),
  ]
  useEffect(() => app.previews.want(newestIds), [newestIds.join()])
  const markAll = () => {
    isAsking.value = false
    void markRead(app, allUnreadIds(state))
  }
  return (
    <>
      <header class="head">
        <PlacesLink />
        <h1>Inbox</h1>
        <div class="about">{total === 0 ? 'No unread messages' : describe(total, conversationCount)}</div>
        {total > 0 && (
          <div class="tools">
            <button
              class="ghost worded"
              onClick={() => (total > UNASKED_MAX ? (isAsking.value = true) : markAll())}
            >
              <Icon name="check" /> Mark all as read
            </button>
          </div>
        )}
      </header>
      <div class="inbox" data-rows>
        {hasFirstSteps(app) && <FirstSteps />}
        {total === 0 && (
          <EmptyState icon="check" title="You’re all caught up">
            <p>New messages appear here.</p>
          </EmptyState>
        )}
        {directs.all.length > 0 && <Directs {...directs} />}
        {groups.map((group) => (
          <Topics key={group.channelId} {...group} />
        ))}
        {isMore && (
          <button class="button more" onClick={() => (shownCount.value += LINES)}>
            Show more
          </button>
        )}
        {mutedCount > 0 && (
          <p class="muted-hint">
            {mutedCount.toLocaleString()} unread in muted conversations, not shown here.
          </p>
        )}
      </div>
      {isAsking.value && <MarkAll count={total} onMark={markAll} onClose={() => (isAsking.value = false)} />}
    </>
  )
}

/** The conversations with unread messages; lines are drawn up to a number, and folded groups have none. */
function linesOf(state: State, folded: readonly string[], lineCount: number) {
  const { channels } = unreadOf(state)
  const directs = directConversations(state).filter(({ unreadCount }) => unreadCount > 0)
  const ordered = [...channels]
    .map(([channelId, { topics }]) => ({ channelId, topics: topics.filter(({ isMuted }) => !isMuted) }))
    .filter(({ topics }) => topics.length > 0)
    .sort((a, b) => newestOf(b.topics) - newestOf(a.topics))
  let left = lineCount
  const take = <One,>(key: string, lines: readonly One[]): readonly One[] => {
    const taken = folded.includes(key) ? [] : lines.slice(0, left)
    left -= taken.length
    return taken
  }
  const shownDirects = take(DIRECT, directs)
  const groups = ordered.flatMap(({ channelId, topics }) =>
    left > 0 ? [{ channelId, topics, shown: take(String(channelId), topics) }] : [],
  )
  const shownCount = shownDirects.length + groups.reduce((sum, { shown }) => sum + shown.length, 0)
  const conversationCount = directs.length + ordered.reduce((sum, { topics }) => sum + topics.length, 0)
  return {
    directs: { all: directs, shown: shownDirects },
    groups,
    mutedCount: [...channels.values()].reduce((sum, one) => sum + one.mutedCount, 0),
    conversationCount,
    isMore: left <= 0 && shownCount < conversationCount,
  }
}

type Lines = ReturnType<typeof linesOf>

/** Whether a group is folded on this device. */
function useFold(key: string): { readonly isFolded: boolean; readonly onFold: () => void } {
  const { foldedInbox } = useApp().device
  const folded = foldedInbox.value
  const isFolded = folded.includes(key)
  const onFold = () => (foldedInbox.value = isFolded ? folded.filter((one) => one !== key) : [...folded, key])
  return { isFolded, onFold }
}

function Directs({ all, shown }: Lines['directs']) {
  const app = useApp()
  const state = useState()
  const idsOf = (conversation: readonly number[]) => unreadIdsOfDirect(state, conversation)
  return (
    <InboxGroup
      id={DIRECT}
      heading={
        <>
          <Icon name="mention" />
          <span>Direct messages</span>
        </>
      }
      name="Direct messages"
      {...useFold(DIRECT)}
      count={all.reduce((sum, { unreadCount }) => sum + unreadCount, 0)}
      onRead={() =>
        void markRead(
          app,
          all.flatMap(({ otherIds }) => idsOf(otherIds)),
        )
      }
    >
      {shown.map(({ otherIds, newestId, unreadCount }) => (
        <InboxLine
          key={otherIds.join()}
          narrow={ofDirect(otherIds)}
          name={directName(state, otherIds)}
          newestId={newestId}
          count={unreadCount}
          isImportant
          showsSender={otherIds.length > 1}
          onRead={() => void markRead(app, idsOf(otherIds))}
        />
      ))}
    </InboxGroup>
  )
}

function Topics({ channelId, topics, shown }: Lines['groups'][number]) {
  const app = useApp()
  const state = useState()
  const key = String(channelId)
  const name = channelsById(state).get(channelId)?.channel.name ?? ''
  return (
    <InboxGroup
      id={key}
      heading={
        <>
          <ChannelMark channelId={channelId} />
          <span dir="auto">{name}</span>
        </>
      }
      name={name}
      {...useFold(key)}
      count={topics.reduce((sum, { messageIds }) => sum + messageIds.length, 0)}
      onRead={() => void markRead(app, unreadIdsOfChannel(state, channelId))}
    >
      {shown.map(({ topic, messageIds, hasMention }) => (
        <InboxLine
          key={topic}
          narrow={ofTopic(channelId, topic)}
          name={topicName(topic)}
          newestId={messageIds.at(-1) ?? 0}
          count={messageIds.length}
          isImportant={hasMention}
          showsSender
          onRead={() => void markRead(app, messageIds)}
        />
      ))}
    </InboxGroup>
  )
}

const newestOf = ([first]: readonly UnreadTopic[]) => first?.messageIds.at(-1) ?? 0

function describe(count: number, conversations: number): string {
  const places = conversations === 1 ? 'one conversation' : `${conversations} conversations`
  return `${count.toLocaleString()} unread in ${places}`
}
