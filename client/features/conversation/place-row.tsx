/** The place of the messages below, in lists of several conversations; a link to it. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { type Narrow, ofDirect, ofTopic, term } from '../../store/narrows/narrow.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ServerHtml } from '../../ui/server-html.tsx'
import { topicName } from '../../store/derived/topic.ts'
import { t } from '../../texts/texts.ts'

interface PlaceRowProps {
  readonly channelId: number
  readonly topic: string
  readonly channelName: string | undefined
  /** Whether the list has messages of this channel alone: then its name says nothing. */
  readonly isInChannel: boolean
  /** The message to open the topic at. */
  readonly nearId?: number
  /** The topic with found words marked, after a search. */
  readonly found?: string | undefined
}

export function PlaceRow({ channelId, topic, channelName, isInChannel, nearId, found }: PlaceRowProps) {
  const { router } = useApp()
  const narrow = nearOf(ofTopic(channelId, topic), nearId)
  return (
    <a class={isInChannel ? 'place topic' : 'place'} href={router.hrefOf({ view: 'narrow', narrow })}>
      {!isInChannel && (
        <>
          <ChannelMark channelId={channelId} />
          <bdi>{channelName}</bdi>
          <span class="separator">›</span>
        </>
      )}
      {found === undefined || found === '' ? <bdi>{topicName(topic)}</bdi> : <ServerHtml html={found} />}
    </a>
  )
}

/** The place of a message. */
export function PlaceOf({
  message,
  isInChannel,
}: {
  readonly message: Message
  readonly isInChannel: boolean
}) {
  const { router } = useApp()
  const { user_id: ownId } = useState()
  const { id, stream_id: channelId, subject, display_recipient: recipient } = message
  if (channelId !== undefined)
    return (
      <PlaceRow
        channelId={channelId}
        topic={subject}
        channelName={typeof recipient === 'string' ? recipient : undefined}
        isInChannel={isInChannel}
        nearId={id}
        found={message.match_subject}
      />
    )
  const others = typeof recipient === 'string' ? [] : recipient.filter((one) => one.id !== ownId)
  const narrow = nearOf(ofDirect(others.map((one) => one.id)), id)
  return (
    <a class="place" href={router.hrefOf({ view: 'narrow', narrow })}>
      <Icon name="mention" />
      <span>
        {others.length === 0
          ? t('Notes to yourself')
          : others.map((one, index) => [index > 0 && ', ', <bdi key={one.id}>{one.full_name}</bdi>])}
      </span>
    </a>
  )
}

function nearOf(narrow: Narrow, id: number | undefined): Narrow {
  return id === undefined ? narrow : [...narrow, term('near', id)]
}
