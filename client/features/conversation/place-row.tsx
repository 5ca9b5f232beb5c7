/** The place of the messages below, in lists of several conversations; a link to it. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { ofDirect, ofTopic, term } from '../../store/narrows/narrow.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { ServerHtml } from '../../ui/server-html.tsx'
import { topicName } from '../../store/derived/topic.ts'

export function PlaceRow({ message }: { readonly message: Message }) {
  const app = useApp()
  const { user_id: ownId } = useState()
  const { stream_id: channelId, subject, display_recipient: recipient } = message
  const near = term('near', message.id)
  if (channelId !== undefined) {
    const href = app.router.hrefOf({ view: 'narrow', narrow: [...ofTopic(channelId, subject), near] })
    return (
      <a class="place" href={href}>
        <ChannelMark channelId={channelId} />
        <span dir="auto">{typeof recipient === 'string' ? recipient : ''}</span>
        <span class="separator">›</span>
        {message.match_subject === undefined || message.match_subject === '' ? (
          <span dir="auto">{topicName(subject)}</span>
        ) : (
          <ServerHtml html={message.match_subject} />
        )}
      </a>
    )
  }
  const others = typeof recipient === 'string' ? [] : recipient.filter(({ id }) => id !== ownId)
  const href = app.router.hrefOf({ view: 'narrow', narrow: [...ofDirect(others.map(({ id }) => id)), near] })
  return (
    <a class="place" href={href}>
      <span dir="auto">
        {others.length === 0 ? 'Notes to yourself' : others.map(({ full_name }) => full_name).join(', ')}
      </span>
    </a>
  )
}
