/** The first view of visitors: the public channels, with what each is about. */

import { useApp, useState } from '../../app/app.ts'
import { channelSections } from '../../store/derived/channels.ts'
import { ofChannel } from '../../store/narrows/narrow.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { ListView } from '../lists/list-view.tsx'
import { ServerHtml } from '../../ui/server-html.tsx'
import { t } from '../../texts/texts.ts'

export function PublicChannels() {
  const { router } = useApp()
  const state = useState()
  const channels = channelSections(state).flatMap((section) => section.channels)
  return (
    <ListView title={t('Public channels')} about={t('Anyone can read these, even without an account.')}>
      {channels.length === 0 && <p class="empty">{t('No public channels right now')}</p>}
      {channels.length > 0 && (
        <ul class="group public-channels">
          {channels.map(({ stream_id: channelId, name, rendered_description: about }) => (
            <li key={channelId}>
              <a href={router.hrefOf({ view: 'narrow', narrow: ofChannel(channelId) })}>
                <ChannelMark channelId={channelId} />
                <b dir="auto">{name}</b>
              </a>
              <ServerHtml html={about} />
            </li>
          ))}
        </ul>
      )}
    </ListView>
  )
}
