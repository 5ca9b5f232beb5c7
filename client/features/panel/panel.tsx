/** The panel beside a conversation: what it is about, its people, and its files. */

import { type Narrow, splitNear, ofChannel, ofDirect } from '../../store/narrows/narrow.ts'
import { Icon } from '../../ui/icon.tsx'
import { TopicPanel } from './topic-panel.tsx'
import { useApp, useState } from '../../app/app.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { t } from '../../texts/texts.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { ServerHtml } from '../../ui/server-html.tsx'
import { PanelPins } from './panel-pins.tsx'
import { PanelPeople } from './panel-people.tsx'
import { SharedFiles } from './shared-files.tsx'
import { usersById } from '../../store/derived/users.ts'
import { PersonRow } from '../people/person-row.tsx'

export function Panel({ narrow: given }: { readonly narrow: Narrow }) {
  const { panelIsOpen } = useApp().device
  const { narrow } = splitNear(given)
  const isAlone = usePhone()
  // On a phone it stands in place of the conversation, and is the content.
  const Frame = isAlone ? 'main' : 'aside'
  return (
    <Frame class="panel" aria-label={t('Details')}>
      {isAlone && <h1 class="hidden">{t('About this conversation')}</h1>}
      <header class="head">
        <h2>{t('Details')}</h2>
        <div class="tools">
          <button
            class="ghost"
            aria-label={t('Close')}
            title={t('Close')}
            onClick={() => (panelIsOpen.value = false)}
          >
            <Icon name="close" />
          </button>
        </div>
      </header>
      <div class="panel-body">
        <Content narrow={narrow} />
      </div>
    </Frame>
  )
}

function Content({ narrow }: { readonly narrow: Narrow }) {
  const [first] = narrow
  const topic = narrow.find(({ operator }) => operator === 'topic')
  if (first?.operator === 'dm') return <DirectPanel otherIds={first.operand} />
  if (first?.operator !== 'channel' || typeof first.operand !== 'number') return null
  if (topic?.operator === 'topic') return <TopicPanel channelId={first.operand} topic={topic.operand} />
  return <ChannelPanel channelId={first.operand} />
}

/** The panel of a channel: its description, its members, and the way to its settings. */
function ChannelPanel({ channelId }: { readonly channelId: number }) {
  const state = useState()
  const channel = channelsById(state).get(channelId)?.channel
  if (!channel) return null
  return (
    <>
      <h3>
        <bdi>{channel.name}</bdi>
      </h3>
      {channel.description === '' ? (
        <p class="quiet-text">{t('No description')}</p>
      ) : (
        <ServerHtml class="rendered quiet-text" html={channel.rendered_description} />
      )}
      <a class="button" href={`#channels/${channelId}`}>
        {t('Channel settings')}
      </a>
      <PanelPins channelId={channelId} />
      <PanelPeople channelId={channelId} />
      <SharedFiles narrow={ofChannel(channelId)} />
    </>
  )
}

/** The panel of direct messages: the people, and the files. */
function DirectPanel({ otherIds }: { readonly otherIds: readonly number[] }) {
  const state = useState()
  const users = usersById(state)
  const ids = otherIds.length === 0 ? [state.user_id ?? 0] : otherIds
  return (
    <>
      <h3>{ids.length === 1 ? t('Person') : t('People')}</h3>
      <ul>
        {ids.flatMap((id) => {
          const user = users.get(id)
          return user ? <PersonRow key={id} user={user} /> : []
        })}
      </ul>
      <SharedFiles narrow={ofDirect(otherIds)} />
    </>
  )
}
