/** The menus of channels and topics: their code is loaded when one opens. */

import type { Subscription } from '../../../packages/client/src/wire-types.ts'
import type { App } from '../../app/app.ts'
import type { Topic } from '../../store/derived/topic.ts'
import type { MenuItem } from '../../ui/open-menu.tsx'

type Items = Promise<readonly MenuItem[]>

export async function loadChannelItems(app: App, channel: Subscription): Items {
  const [{ menuItems }, { CHANNEL_ACTIONS }] = await Promise.all([
    import('../../ui/action.ts'),
    import('../channels/actions/table.ts'),
  ])
  return menuItems(CHANNEL_ACTIONS, app, channel)
}

export async function loadTopicItems(app: App, topic: Topic): Items {
  const [{ menuItems }, { TOPIC_ACTIONS }] = await Promise.all([
    import('../../ui/action.ts'),
    import('./actions/table.ts'),
  ])
  return menuItems(TOPIC_ACTIONS, app, topic)
}
