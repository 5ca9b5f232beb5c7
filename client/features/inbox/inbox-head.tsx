/** The head of a channel's unread conversations, or of the direct ones: it folds them, and marks all as read. */

import { useApp, useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import type { InboxGroup } from '../../store/derived/inbox-groups.ts'
import { unreadIdsOf, unreadIdsOfChannel } from '../../store/derived/unread-ids.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { Count } from '../../ui/count.tsx'
import { Icon } from '../../ui/icon.tsx'
import { markRead } from '../lists/mark-read.ts'
import { t } from '../../texts/texts.ts'

interface InboxHeadProps {
  readonly group: InboxGroup
  readonly isFolded: boolean
}

export function InboxHead({ group, isFolded }: InboxHeadProps) {
  const app = useApp()
  const state = useState()
  const { key, channelId, lines, count } = group
  const { foldedInbox } = app.device
  const folded = foldedInbox.value
  const fold = () => (foldedInbox.value = isFolded ? folded.filter((one) => one !== key) : [...folded, key])
  const name =
    channelId === undefined ? t('Direct messages') : (channelsById(state).get(channelId)?.channel.name ?? '')
  const ids = () =>
    channelId === undefined
      ? lines.flatMap(({ narrow }) => unreadIdsOf(state, narrow))
      : unreadIdsOfChannel(state, channelId)
  return (
    <h2>
      <button class="fold" tabIndex={-1} aria-expanded={!isFolded} onClick={fold}>
        <span class="lead">
          {channelId === undefined ? <Icon name="people" /> : <ChannelMark channelId={channelId} />}
        </span>
        <bdi>{name}</bdi>
        <Icon name="down" />
      </button>
      <span class="about">
        {channelId === undefined
          ? t('{count, plural, one {# conversation} other {# conversations}}', { count: lines.length })
          : t('{count, plural, one {# topic} other {# topics}}', { count: lines.length })}
      </span>
      <Count count={count} />
      <button
        class="ghost worded read"
        tabIndex={-1}
        aria-label={t('Mark {name} as read', { name })}
        onClick={() => void markRead(app, ids())}
      >
        <Icon name="check" /> {t('Read')}
      </button>
    </h2>
  )
}
