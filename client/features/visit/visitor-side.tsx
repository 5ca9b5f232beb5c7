/** The places of visitors: the public channels, and below the shown one its topics. */

import { useEffect } from 'preact/hooks'
import type { Subscription } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { TopicList } from '../../app/topic-list.ts'
import { channelSections } from '../../store/derived/channels.ts'
import { topicName } from '../../store/derived/topic.ts'
import { ofChannel, ofTopic } from '../../store/narrows/narrow.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ownPicture } from '../../ui/own-picture.ts'
import { SearchField } from '../search/search-field.tsx'
import { openPlace } from '../sidebar/shown-places.ts'
import { SideList } from '../sidebar/side-list.tsx'
import { SideRow } from '../sidebar/side-row.tsx'
import { t } from '../../texts/texts.ts'

/** Topics below the shown channel; a link leads to the others. */
const TOPICS_SHOWN_MAX = 8

export function VisitorSide({ onLogIn }: { readonly onLogIn: () => void }) {
  const { router } = useApp()
  const state = useState()
  const open = openPlace(router.route.value)
  return (
    <nav class="side" aria-label={t('Places')}>
      <header class="side-head">
        <div class="organization">
          <img
            src={ownPicture(state.realm_icon_url ?? '') ?? '/app/icon.svg'}
            alt=""
            width={26}
            height={26}
          />
          <span dir="auto">{state.realm_name}</span>
        </div>
      </header>
      <SearchField />
      <div class="side-scroll">
        <SideList>
          <SideRow route={{ view: 'inbox' }} name={t('Public channels')}>
            <Icon name="lines" />
          </SideRow>
        </SideList>
        {channelSections(state).map(({ folder, kind, channels }) => (
          <section key={folder?.id ?? kind} role="group" aria-label={folder?.name ?? t('Channels')}>
            <h2>
              <span dir="auto">{folder?.name ?? t('Channels')}</span>
            </h2>
            <SideList label={folder?.name ?? t('Channels')}>
              {channels.map((channel) => (
                <ChannelPlace
                  key={channel.stream_id}
                  channel={channel}
                  isShown={channel.stream_id === open?.channelId}
                  isOpen={channel.stream_id === open?.channelId && open.topic !== undefined}
                />
              ))}
            </SideList>
          </section>
        ))}
      </div>
      <div class="me">
        <button type="button" class="button" onClick={onLogIn}>
          {t('Log in')}
        </button>
      </div>
    </nav>
  )
}

interface ChannelPlaceProps {
  readonly channel: Subscription
  readonly isShown: boolean
  /** Whether the view is one of its topics. */
  readonly isOpen: boolean
}

function ChannelPlace({ channel: { stream_id: channelId, name }, isShown, isOpen }: ChannelPlaceProps) {
  const app = useApp()
  const minute = app.minute.value
  useEffect(() => {
    if (isShown) void app.part(TopicList).load(channelId)
  }, [app, channelId, isShown, minute])
  const topics = isShown ? app.part(TopicList).of(channelId) : []
  return (
    <>
      <SideRow route={{ view: 'narrow', narrow: ofChannel(channelId) }} name={name} isOpen={isOpen}>
        <ChannelMark channelId={channelId} />
      </SideRow>
      {topics.length > 0 && (
        <li class="within">
          <ul role="list" aria-label={t('Topics of {name}', { name })}>
            {topics.slice(0, TOPICS_SHOWN_MAX).map((topic) => (
              <SideRow
                key={topic}
                route={{ view: 'narrow', narrow: ofTopic(channelId, topic) }}
                name={topicName(topic)}
                isInner
              />
            ))}
            {topics.length > TOPICS_SHOWN_MAX && (
              <SideRow
                route={{ view: 'topics', path: [String(channelId)] }}
                name={t('All topics')}
                isInner
                isMore
              />
            )}
          </ul>
        </li>
      )}
    </>
  )
}
