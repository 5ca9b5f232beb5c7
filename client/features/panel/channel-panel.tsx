/** The panel of a channel: its description, its members, and the way to its settings. */

import { useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { membersOf } from '../../store/derived/members.ts'
import { ofChannel } from '../../store/narrows/narrow.ts'
import { countText } from '../../ui/count-text.ts'
import { PersonRow } from '../people/person-row.tsx'
import { ServerHtml } from '../../ui/server-html.tsx'
import { SharedFiles } from './shared-files.tsx'

/** Members in the panel; the settings have all. */
const SHOWN_MAX = 30

export function ChannelPanel({ channelId }: { readonly channelId: number }) {
  const state = useState()
  const channel = channelsById(state).get(channelId)?.channel
  if (!channel) return null
  const members = membersOf(state, channelId)
  const settingsHref = `#channels/${channelId}`
  return (
    <>
      <h3 dir="auto">{channel.name}</h3>
      {channel.description === '' ? (
        <p class="quiet-text">No description</p>
      ) : (
        <ServerHtml class="rendered quiet-text" html={channel.rendered_description} />
      )}
      <a class="button" href={settingsHref}>
        Channel settings
      </a>
      <section aria-labelledby="panel-members">
        <h4 id="panel-members">{countText(channel.subscriber_count, 'member')}</h4>
        <ul>
          {members.slice(0, SHOWN_MAX).map((user) => (
            <PersonRow key={user.user_id} user={user} />
          ))}
        </ul>
        {members.length > SHOWN_MAX && <a href={settingsHref}>All members</a>}
      </section>
      <SharedFiles narrow={ofChannel(channelId)} />
    </>
  )
}
