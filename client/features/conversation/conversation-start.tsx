/** Stands above the first message of a conversation, so that people know that there is nothing before it. */

import { useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { directName } from '../../store/derived/direct-name.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { topicName } from '../../store/derived/topic.ts'
import { destinationOf } from './destination.ts'
import { t } from '../../texts/texts.ts'

export function ConversationStart({ narrow }: { readonly narrow: Narrow }) {
  const state = useState()
  const to = destinationOf(narrow)
  if (!to) return null
  if (to.type === 'direct')
    return to.userIds.length === 0 ? (
      <Start icon="pen" name={t('Notes to yourself')} text={t('Only you can see what you write here.')} />
    ) : (
      <Start
        icon="mention"
        name={directName(state, to.userIds)}
        text={t('This is the start of your conversation.')}
      />
    )
  const channel = channelsById(state).get(to.channelId)?.channel
  if (!channel) return null
  if (to.topic !== undefined)
    return (
      <Start
        icon="topic"
        name={topicName(to.topic)}
        text={t('This is the start of this topic in {name}.', { name: channel.name })}
      />
    )
  return (
    <Start
      icon={channel.invite_only ? 'lock' : 'hash'}
      name={channel.name}
      text={channel.description || t('This is the start of this channel.')}
    />
  )
}

interface StartProps {
  readonly icon: IconName
  readonly name: string
  readonly text: string
}

function Start({ icon, name, text }: StartProps) {
  return (
    <div class="beginning">
      <Icon name={icon} />
      <b dir="auto">{name}</b>
      <p dir="auto">{text}</p>
    </div>
  )
}
