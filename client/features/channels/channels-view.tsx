/** The views of `#channels`: all channels, a new one, the folders, and the settings of one channel. */

import { PlacesLink } from '../../ui/places-link.tsx'
import { BrowseChannels } from './browse-channels.tsx'
import { ChannelSettings } from './channel-settings.tsx'
import { CreateChannel } from './create-channel.tsx'
import { Folders } from './folders.tsx'
import { t } from '../../texts/texts.ts'

export function ChannelsView({ path }: { readonly path: readonly string[] }) {
  const [part] = path
  if (part === undefined || part === '') return <BrowseChannels />
  return (
    <>
      <header class="head">
        <PlacesLink />
        <h1>
          <a href="#channels">{t('Channels')}</a>
          <span class="separator">›</span>
          <span>{titleOf(part)}</span>
        </h1>
      </header>
      <div class="page">
        <Part part={part} />
      </div>
    </>
  )
}

function titleOf(part: string): string {
  if (part === 'new') return t('New channel')
  return part === 'folders' ? t('Folders') : t('Settings')
}

function Part({ part }: { readonly part: string }) {
  if (part === 'new') return <CreateChannel />
  if (part === 'folders') return <Folders />
  return <ChannelSettings key={part} channelId={Number(part)} />
}
