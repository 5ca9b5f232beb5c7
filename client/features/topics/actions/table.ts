/** The menu of a topic. */

import { ofTopic } from '../../../store/narrows/narrow.ts'
import type { Topic } from '../../../store/derived/topic.ts'
import { type Action, always } from '../../../ui/action.ts'
import { copyLink } from '../../../ui/copy-text.ts'
import { markRead } from './mark-read.ts'
import { move } from './move.ts'
import { pin } from './pin.ts'
import { resolve } from './resolve.ts'
import { follow, mute, unmute } from './visibility.ts'
import { t } from '../../../texts/texts.ts'

const copyTopicLink: Action<Topic> = {
  name: 'copy-link',
  label: t('Copy link'),
  may: always,
  run: ({ router }, { channelId, topic }) =>
    copyLink(router.hrefOf({ view: 'narrow', narrow: ofTopic(channelId, topic) })),
}

export const TOPIC_ACTIONS: readonly Action<Topic>[] = [
  follow,
  unmute,
  mute,
  markRead,
  pin,
  resolve,
  move,
  copyTopicLink,
]
