/** The own channels in folders, each one row; the topics of the open one below it. */

import { useApp, useState } from '../../app/app.ts'
import type { Subscription } from '../../../packages/client/src/wire-types.ts'
import { type Calls, callsOf } from '../../store/derived/calls.ts'
import { type ChannelSection, channelSections } from '../../store/derived/channels.ts'
import type { Unread } from '../../store/derived/unread.ts'
import { ofChannel } from '../../store/narrows/narrow.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { Icon } from '../../ui/icon.tsx'
import { memo } from '../../ui/memo.ts'
import { loadChannelItems } from '../topics/load-items.ts'
import { OpenTopics } from './open-topics.tsx'
import { type OpenPlace, openPlace } from './shown-places.ts'
import { SideList } from './side-list.tsx'
import { SideRow } from './side-row.tsx'
import { SideSection } from './side-section.tsx'
import { t } from '../../texts/texts.ts'

export function SideChannels({ unread }: { readonly unread: Unread }) {
  const { router } = useApp()
  const state = useState()
  const shared = { unread, calls: callsOf(state), open: openPlace(router.route.value) }
  return (
    <>
      {channelSections(state).map((section) => (
        <Section key={section.folder?.id ?? section.kind} section={section} {...shared} />
      ))}
      <a class="row browse" href="#channels">
        <Icon name="add" />
        <span class="name">{t('Browse channels')}</span>
      </a>
    </>
  )
}

interface SectionProps {
  readonly section: ChannelSection
  readonly unread: Unread
  readonly calls: Calls
  readonly open: OpenPlace | undefined
}

function Section({ section, unread, calls, open }: SectionProps) {
  const { channels } = section
  const isOpen = ({ stream_id: id }: Subscription) => id === open?.channelId
  const count = (of: ReadonlyMap<number, number>) =>
    channels.reduce((sum, { stream_id: id }) => sum + (of.get(id) ?? 0), 0)
  const unmuted = channels.filter(({ is_muted }) => !is_muted)
  const heading = headingOf(section)
  return (
    <SideSection
      id={String(section.folder?.id ?? section.kind)}
      heading={heading}
      count={unmuted.reduce((sum, { stream_id: id }) => sum + (unread.channels.get(id)?.count ?? 0), 0)}
      calls={count(calls.channels)}
    >
      {(isFolded) => (
        <SideList label={heading}>
          {channels
            .filter((channel) => !isFolded || isOpen(channel))
            .map((channel) => (
              <ChannelRows
                key={channel.stream_id}
                channel={channel}
                unread={unread}
                calls={calls}
                open={isOpen(channel) ? open : undefined}
                isFolded={isFolded}
              />
            ))}
        </SideList>
      )}
    </SideSection>
  )
}

function headingOf({ kind, folder }: ChannelSection): string {
  if (folder) return folder.name
  return kind === 'pinned' ? t('Pinned') : t('Channels')
}

interface ChannelRowsProps {
  readonly channel: Subscription
  readonly unread: Unread
  readonly calls: Calls
  /** Defined for the open channel. */
  readonly open: OpenPlace | undefined
  readonly isFolded: boolean
}

/** The counts of the open channel stand at its topics. */
function ChannelRows({ channel, unread, calls, open, isFolded }: ChannelRowsProps) {
  const id = channel.stream_id
  const ofChannel = unread.channels.get(id)
  return (
    <>
      <ChannelRow
        channel={channel}
        count={open ? 0 : (ofChannel?.count ?? 0)}
        calls={open ? 0 : (calls.channels.get(id) ?? 0)}
        isOpen={open?.topic !== undefined}
      />
      {open && (
        <OpenTopics channel={channel} unread={ofChannel} calls={calls} open={open} isAlone={isFolded} />
      )}
    </>
  )
}

interface ChannelRowProps {
  readonly channel: Subscription
  readonly count: number
  readonly calls: number
  readonly isOpen: boolean
}

/** Drawn again only when it changes: each message changes the counts of one channel. */
const ChannelRow = memo(({ channel, ...state }: ChannelRowProps) => {
  const app = useApp()
  return (
    <SideRow
      route={{ view: 'narrow', narrow: ofChannel(channel.stream_id) }}
      name={channel.name}
      isMuted={channel.is_muted}
      menu={() => loadChannelItems(app, channel)}
      {...state}
    >
      <ChannelMark channelId={channel.stream_id} />
    </SideRow>
  )
})
