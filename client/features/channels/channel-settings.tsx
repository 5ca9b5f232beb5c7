/** The settings of one channel: a person's own, and those of the channel. */

import { useApp, useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { mayPost } from '../../store/derived/message-permissions.ts'
import { mayAdministerChannel, mayJoin } from '../../store/derived/membership-permissions.ts'
import { ofChannel } from '../../store/narrows/narrow.ts'
import { joinChannel, leaveChannel } from './subscription.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { showError } from '../../ui/toasts.tsx'
import { ArchiveChannel } from './archive-channel.tsx'
import { ChannelEmail } from './channel-email.tsx'
import { ChannelMembers } from './channel-members.tsx'
import { ChannelPermissions } from './channel-permissions.tsx'
import { GeneralSettings } from './general-settings.tsx'
import { OwnChannelSettings } from './own-channel-settings.tsx'
import { t } from '../../texts/texts.ts'

export function ChannelSettings({ channelId }: { readonly channelId: number }) {
  const app = useApp()
  const state = useState()
  const seen = channelsById(state).get(channelId)
  if (!seen)
    return (
      <p class="empty">
        {t('This channel doesn’t exist, or you don’t have access.')}{' '}
        <a href="#channels">{t('All channels')}</a>
      </p>
    )
  const { channel, subscription } = seen
  const mayChange = mayAdministerChannel(state, channelId)
  return (
    <>
      <div class="page-title">
        <h2>
          <ChannelMark channelId={channelId} />
          <span dir="auto">{channel.name}</span>
        </h2>
        <a class="button" href={app.router.hrefOf({ view: 'narrow', narrow: ofChannel(channelId) })}>
          {t('Open')}
        </a>
        {subscription ? (
          <button class="button" onClick={() => void leaveChannel(app, channel).catch(showError)}>
            {t('Leave')}
          </button>
        ) : (
          mayJoin(state, channelId) &&
          !channel.is_archived && (
            <button class="button primary" onClick={() => void joinChannel(app, channel).catch(showError)}>
              {t('Join')}
            </button>
          )
        )}
      </div>
      {channel.is_archived && <p class="note">{t('This channel is archived. No one can post to it.')}</p>}
      {subscription && <OwnChannelSettings subscription={subscription} />}
      <GeneralSettings channel={channel} mayChange={mayChange} />
      <ChannelMembers channel={channel} />
      <ChannelPermissions channel={channel} mayChange={mayChange} />
      {mayPost(state, channelId) && <ChannelEmail key={channelId} channelId={channelId} />}
      {mayChange && <ArchiveChannel channel={channel} />}
    </>
  )
}
