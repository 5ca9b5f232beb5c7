/** The tools of a conversation's head: members, resolving, notifications, and the panel. */

import { isResolved } from '../../../packages/rules/topics.ts'
import { useApp, useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { mayResolve } from '../../store/derived/permissions.ts'
import { isTopicMuted, visibilityOf } from '../../store/derived/unread.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { Icon } from '../../ui/icon.tsx'
import { loadChannelItems, loadTopicItems } from '../topics/load-items.ts'
import { Menu } from '../../ui/menu.tsx'
import { showError } from '../../ui/toasts.tsx'
import { JumpToDate } from './jump-to-date.tsx'
import { hasPanel } from '../panel/has-panel.ts'

export function HeadTools({ narrow }: { readonly narrow: Narrow }) {
  const { isVisitor, device } = useApp()
  const [first] = narrow
  const topic = narrow.find(({ operator }) => operator === 'topic')
  const channelId = first?.operator === 'channel' ? Number(first.operand) : undefined
  const finders = (
    <>
      <JumpToDate narrow={narrow} />
      {channelId !== undefined && (
        <a class="ghost" href={`#topics/${channelId}`} title="Topics" aria-label="Topics">
          <Icon name="lines" />
        </a>
      )}
    </>
  )
  if (isVisitor || !hasPanel({ view: 'narrow', narrow })) return <div class="tools">{finders}</div>
  return (
    <div class="tools">
      {finders}
      {channelId !== undefined && <Members channelId={channelId} />}
      {channelId !== undefined && topic?.operator === 'topic' && (
        <TopicTools channelId={channelId} topic={topic.operand} />
      )}
      {channelId !== undefined && !topic && <ChannelTools channelId={channelId} />}
      <button
        class="ghost"
        aria-label="Details"
        title="Details"
        aria-pressed={device.panelIsOpen.value}
        onClick={() => (device.panelIsOpen.value = !device.panelIsOpen.value)}
      >
        <Icon name="panel" />
      </button>
    </div>
  )
}

function Members({ channelId }: { readonly channelId: number }) {
  const channel = channelsById(useState()).get(channelId)?.channel
  if (!channel) return null
  return (
    <a
      class="ghost members"
      href={`#channels/${channelId}`}
      title="Members"
      aria-label={`Members: ${channel.subscriber_count}`}
    >
      <Icon name="people" />
      {channel.subscriber_count}
    </a>
  )
}

function ChannelTools({ channelId }: { readonly channelId: number }) {
  const app = useApp()
  const subscription = channelsById(useState()).get(channelId)?.subscription
  if (!subscription) return null
  return (
    <Menu label="Channel menu" items={() => loadChannelItems(app, subscription)}>
      <Icon name={subscription.is_muted ? 'mute' : 'more'} />
    </Menu>
  )
}

function TopicTools({ channelId, topic }: { readonly channelId: number; readonly topic: string }) {
  const app = useApp()
  const state = useState()
  const place = { channelId, topic }
  const resolved = isResolved(topic)
  const isFollowed = visibilityOf(state, channelId, topic) === 'followed'
  const toggle = () =>
    Promise.all([import('../../ui/action.ts'), import('../topics/actions/resolve.ts')])
      .then(([{ runAction }, { resolve }]) => runAction(resolve, app, place))
      .catch(showError)
  return (
    <>
      {mayResolve(state, channelId, topic) && (
        <button
          class="ghost resolve"
          aria-label={resolved ? 'Mark as unresolved' : 'Mark as resolved'}
          title={resolved ? 'Mark as unresolved' : 'Mark as resolved'}
          aria-pressed={resolved}
          onClick={() => void toggle()}
        >
          <Icon name="check" />
        </button>
      )}
      <Menu
        label={isFollowed ? 'Topic menu: followed' : 'Topic menu'}
        class={isFollowed ? 'ghost on' : 'ghost'}
        items={() => loadTopicItems(app, place)}
      >
        <Icon name={isTopicMuted(state, channelId, topic) ? 'mute' : 'bell'} />
      </Menu>
    </>
  )
}
