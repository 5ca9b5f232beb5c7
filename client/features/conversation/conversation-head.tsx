/** The head of a narrow: its name, what it is about, and its tools. */

import { useApp, useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { writeSearch } from '../../store/search/write-search.ts'
import { type Narrow, ofChannel } from '../../store/narrows/narrow.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PlacesLink } from '../../ui/places-link.tsx'
import { directName } from '../../store/derived/direct-name.ts'
import { topicName } from '../../store/derived/topic.ts'
import { isSearch } from '../../store/narrows/is-search.ts'
import { textOf } from '../../ui/text-of.ts'
import { describeNarrow } from './narrow-name.ts'
import { HeadTools } from './head-tools.tsx'
import { t } from '../../texts/texts.ts'

export function ConversationHead({ narrow }: { readonly narrow: Narrow }) {
  return (
    <header class="head">
      <PlacesLink />
      <Title narrow={narrow} />
      <HeadTools narrow={narrow} />
    </header>
  )
}

function Title({ narrow }: { readonly narrow: Narrow }) {
  const app = useApp()
  const state = useState()
  const [first] = narrow
  const topic = narrow.find(({ operator }) => operator === 'topic')
  if (isSearch(narrow))
    return (
      <h1>
        <Icon name="search" />
        <span dir="auto">{writeSearch(state, narrow)}</span>
      </h1>
    )
  if (first?.operator === 'channel' && typeof first.operand === 'number') {
    const channel = channelsById(state).get(first.operand)?.channel
    if (!channel) return <h1>{t('Unknown channel')}</h1>
    const about = textOf(channel.rendered_description)
    const href = app.router.hrefOf({ view: 'narrow', narrow: ofChannel(channel.stream_id) })
    return (
      <>
        <h1>
          <ChannelMark channelId={channel.stream_id} />
          <a href={href} dir="auto">
            {channel.name}
          </a>
          {topic?.operator === 'topic' && (
            <>
              <span class="separator">›</span>
              <span dir="auto">{topicName(topic.operand)}</span>
            </>
          )}
        </h1>
        {about !== '' && (
          <div class="about" dir="auto" title={about}>
            {about}
          </div>
        )}
      </>
    )
  }
  if (first?.operator === 'dm') {
    return (
      <h1>
        <Icon name="mention" />
        <span dir="auto">{directName(state, first.operand)}</span>
      </h1>
    )
  }
  const { icon, text } = describeNarrow(narrow)
  return (
    <h1>
      <Icon name={icon} />
      <span>{text}</span>
    </h1>
  )
}
