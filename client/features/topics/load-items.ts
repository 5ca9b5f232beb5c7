/** The menus of channels and topics: their code is loaded when one opens. */

import type { Subscription } from '../../../packages/client/src/wire-types.ts'
import type { App } from '../../app/app.ts'
import type { MenuItem } from '../../ui/open-menu.tsx'
import type { Topic } from './moved-topic.ts'

type Items = Promise<readonly MenuItem[]>

export const loadChannelItems = async (app: App, channel: Subscription): Items =>
  (await import('../channels/channel-actions.ts')).channelItems(app, channel)

export const loadTopicItems = async (app: App, topic: Topic): Items =>
  (await import('./topic-actions.ts')).topicItems(app, topic)
