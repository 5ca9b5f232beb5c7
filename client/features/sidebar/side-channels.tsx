/** The own channels in folders; below a channel its unread topics, and the one that is shown. */

import { topicKey } from '../../../packages/rules/topics.ts'
import { useComputed } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import { type ChannelSection, channelSections } from '../../store/derived/channels.ts'
import type { Unread, UnreadChannel } from '../../store/derived/unread.ts'
import type { Subscription } from '../../../packages/client/src/wire-types.ts'
import { type Narrow, ofChannel, ofTopic } from '../../store/narrows/narrow.ts'
import type { Route } from '../../store/narrows/route.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { loadChannelItems, loadTopicItems } from '../topics/load-items.ts'
import { Icon } from '../../ui/icon.tsx'
import { memo } from '../../ui/memo.ts'
import { Menu } from '../../ui/menu.tsx'
import { topicName } from '../../store/derived/topic.ts'
import { Count } from '../../ui/count.tsx'
import { isSame } from '../../store/narrows/is-same.ts'

/** Topics below one channel; the channel's view has all. */
const TOPICS_SHOWN_MAX = 8

export function SideChannels({ unread }: { readonly unread: Unread }) {
  const { router } = useApp()
  const state = useState()
  const shown = shownTopic(router.route.value)
  return (
    <>
      {channelSections(state).map((section) => (
        <Section key={section.folder?.id ?? section.kind} section={section} unread={unread} shown={shown} />
      ))}
    </>
  )
}

interface SectionProps {
  readonly section: ChannelSection
  readonly unread: Unread
  readonly shown: ReturnType<typeof shownTopic>
}

function Section({ section, unread, shown }: SectionProps) {
  const key = String(section.folder?.id ?? section.kind)
  const { foldedSections } = useApp().device
  const folded = foldedSections.value
  const isFolded = folded.includes(key)
  const toggle = () =>
    (foldedSections.value = isFolded ? folded.filter((one) => one !== key) : [...folded, key])
  const heading = headingOf(section)
  const rows = section.channels.map((channel) => ({
    channel,
    unread: unread.channels.get(channel.stream_id),
    shownTopic: shown?.channelId === channel.stream_id ? shown.topic : undefined,
  }))
  const count = rows.reduce((sum, row) => sum + (row.unread?.count ?? 0), 0)
  return (
    <section aria-label={heading}>
      <h2>
        <button class="fold" aria-expanded={!isFolded} onClick={toggle}>
          <span dir="auto">{heading}</span>
          <Icon name="down" />
        </button>
        {isFolded && <Count count={count} />}
        <a class="ghost" href="#channels" aria-label="Browse channels">
          <Icon name="add" />
        </a>
      </h2>
      {!isFolded && (
        <ul>
          {rows.map((row) => (
            <ChannelRow key={row.channel.stream_id} {...row} />
          ))}
        </ul>
      )}
    </section>
  )
}

function headingOf({ kind, folder }: ChannelSection): string {
  if (folder) return folder.name
  return kind === 'pinned' ? 'Pinned' : 'Channels'
}

interface ChannelRowProps {
  readonly channel: Subscription
  readonly unread: UnreadChannel | undefined
  readonly shownTopic: string | undefined
}

function ChannelRow({ channel, unread, shownTopic: shown }: ChannelRowProps) {
  const topics = (unread?.topics ?? []).filter(({ isMuted }) => !isMuted).slice(0, TOPICS_SHOWN_MAX)
  const isElsewhere = shown !== undefined && !topics.some(({ topic }) => topicKey(topic) === topicKey(shown))
  return (
    <li>
      <ChannelLine channel={channel} count={unread?.count ?? 0} hasMention={unread?.hasMention ?? false} />
      {(topics.length > 0 || isElsewhere) && (
        <ul class="topics">
          {topics.map(({ topic, messageIds, hasMention }) => (
            <TopicRow
              key={topic}
              channel={channel}
              topic={topic}
              count={messageIds.length}
              hasMention={hasMention}
            />
          ))}
          {isElsewhere && (
            <TopicRow key={shown} channel={channel} topic={shown} count={0} hasMention={false} />
          )}
        </ul>
      )}
    </li>
  )
}

interface ChannelLineProps {
  readonly channel: Subscription
  readonly count: number
  readonly hasMention: boolean
}

/** These lines are drawn again only when they change: each message changes the counts of one channel. */
const ChannelLine = memo(({ channel, count, hasMention }: ChannelLineProps) => {
  const app = useApp()
  const { stream_id: channelId, name } = channel
  const classes = ['row', count > 0 ? 'unread' : '', channel.is_muted ? 'quiet' : ''].join(' ')
  return (
    <div class="with-menu">
      <NarrowRow narrow={ofChannel(channelId)} classes={classes}>
        <ChannelMark channelId={channelId} />
        <span class="name" dir="auto">
          {name}
        </span>
        <Count count={count} isImportant={hasMention} />
      </NarrowRow>
      <Menu label={`Menu of ${name}`} items={() => loadChannelItems(app, channel)}>
        <Icon name="more" />
      </Menu>
    </div>
  )
})

interface TopicRowProps extends ChannelLineProps {
  readonly topic: string
}

const TopicRow = memo(({ channel, topic, count, hasMention }: TopicRowProps) => {
  const app = useApp()
  const { stream_id: channelId } = channel
  return (
    <li class="with-menu">
      <NarrowRow narrow={ofTopic(channelId, topic)} classes={count > 0 ? 'row unread' : 'row'}>
        <span class="name" dir="auto">
          {topicName(topic)}
        </span>
        <Count count={count} isImportant={hasMention} />
      </NarrowRow>
      <Menu label={`Menu of ${topicName(topic)}`} items={() => loadTopicItems(app, { channelId, topic })}>
        <Icon name="more" />
      </Menu>
    </li>
  )
})

interface NarrowRowProps {
  readonly narrow: Narrow
  readonly classes: string
  readonly children: preact.ComponentChildren
}

function NarrowRow({ narrow, classes, children }: NarrowRowProps) {
  const { router } = useApp()
  const route = { view: 'narrow', narrow } as const
  const isCurrent = useComputed(() => isSame(router.route.value, route)).value
  return (
    <a class={classes} href={router.hrefOf(route)} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  )
}

function shownTopic(route: Route): { readonly channelId: number; readonly topic: string } | undefined {
  if (route.view !== 'narrow') return undefined
  const channel = route.narrow.find(({ operator }) => operator === 'channel')
  const topic = route.narrow.find(({ operator }) => operator === 'topic')
  if (typeof channel?.operand !== 'number' || topic?.operator !== 'topic') return undefined
  return { channelId: channel.operand, topic: topic.operand }
}
