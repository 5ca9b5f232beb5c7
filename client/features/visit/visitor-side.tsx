/** The places of visitors: the public channels, and below the shown one its topics. */

import { useEffect } from 'preact/hooks'
import type { Subscription } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { channelSections } from '../../store/derived/channels.ts'
import { ofChannel, ofTopic } from '../../store/narrows/narrow.ts'
import type { Route } from '../../store/narrows/route.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { isSame } from '../../store/narrows/is-same.ts'
import { Icon } from '../../ui/icon.tsx'
import { ownPicture } from '../../ui/own-picture.ts'
import { SearchField } from '../search/search-field.tsx'
import { topicName } from '../../store/derived/topic.ts'

/** Topics below the shown channel; a link leads to the others. */
const TOPICS_SHOWN_MAX = 8

export function VisitorSide({ onLogIn }: { readonly onLogIn: () => void }) {
  const { router } = useApp()
  const state = useState()
  const shownId = shownChannel(router.route.value)
  return (
    <nav class="side" aria-label="Places">
      <div class="organization">
        <img src={ownPicture(state.realm_icon_url ?? '') ?? '/app/icon.svg'} alt="" width={26} height={26} />
        <span dir="auto">{state.realm_name}</span>
      </div>
      <SearchField />
      <div class="side-scroll">
        <ul>
          <li>
            <Place route={{ view: 'inbox' }}>
              <Icon name="lines" />
              <span class="name">Public channels</span>
            </Place>
          </li>
        </ul>
        {channelSections(state).map(({ folder, kind, channels }) => (
          <section key={folder?.id ?? kind} aria-label={folder?.name ?? 'Channels'}>
            <h2 dir="auto">{folder?.name ?? 'Channels'}</h2>
            <ul>
              {channels.map((channel) => (
                <ChannelPlace
                  key={channel.stream_id}
                  channel={channel}
                  isShown={channel.stream_id === shownId}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <div class="me">
        <button type="button" class="button" onClick={onLogIn}>
          Log in
        </button>
      </div>
    </nav>
  )
}

interface ChannelPlaceProps {
  readonly channel: Subscription
  readonly isShown: boolean
}

function ChannelPlace({ channel: { stream_id: channelId, name }, isShown }: ChannelPlaceProps) {
  const app = useApp()
  const minute = app.minute.value
  useEffect(() => {
    if (isShown) void app.topics.load(channelId)
  }, [app, channelId, isShown, minute])
  const topics = isShown ? app.topics.of(channelId) : []
  return (
    <li>
      <Place route={{ view: 'narrow', narrow: ofChannel(channelId) }}>
        <ChannelMark channelId={channelId} />
        <span class="name" dir="auto">
          {name}
        </span>
      </Place>
      {topics.length > 0 && (
        <ul class="topics">
          {topics.slice(0, TOPICS_SHOWN_MAX).map((topic) => (
            <li key={topic}>
              <Place route={{ view: 'narrow', narrow: ofTopic(channelId, topic) }}>
                <span class="name" dir="auto">
                  {topicName(topic)}
                </span>
              </Place>
            </li>
          ))}
          {topics.length > TOPICS_SHOWN_MAX && (
            <li>
              <Place route={{ view: 'topics', path: [String(channelId)] }}>
                <span class="name">All topics</span>
              </Place>
            </li>
          )}
        </ul>
      )}
    </li>
  )
}

interface PlaceProps {
  readonly route: Route
  readonly children: preact.ComponentChildren
}

function Place({ route, children }: PlaceProps) {
  const { router } = useApp()
  return (
    <a
      class="row"
      href={router.hrefOf(route)}
      aria-current={isSame(router.route.value, route) ? 'page' : undefined}
    >
      {children}
    </a>
  )
}

/** The channel whose messages or topics are shown. */
function shownChannel(route: Route): number | undefined {
  if (route.view === 'topics') return Number(route.path[0])
  if (route.view !== 'narrow') return undefined
  const channel = route.narrow.find(({ operator }) => operator === 'channel')
  return typeof channel?.operand === 'number' ? channel.operand : undefined
}
