/** The panel of a channel: its description, its members, and the way to its settings. */

import { useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { ofChannel } from '../../store/narrows/narrow.ts'
import { ServerHtml } from '../../ui/server-html.tsx'
import { PanelPins } from './panel-pins.tsx'
import { PanelPeople } from './panel-people.tsx'
import { SharedFiles } from './shared-files.tsx'
import { t } from '../../texts/texts.ts'

export function ChannelPanel({ channelId }: { readonly channelId: number }) {
  const state = useState()
  const channel = channelsById(state).get(channelId)?.channel
  if (!channel) return null
  return (
    <>
      <h3 dir="auto">{channel.name}</h3>
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
