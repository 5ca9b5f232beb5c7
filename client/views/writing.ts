/** The composer, the menus, the tools of messages, and what they need, which are loaded after the first view. */

import './message/quick-actions.ts'

export { runLater } from '../shell/run-later.ts'
export { showNotification } from '../shell/show-notification.ts'
export { channelItems } from './actions/channel-actions.ts'
export { toggleResolved, topicItems } from './actions/topic-actions.ts'
export { Composer } from './composer/composer.tsx'
export { ConversationStart } from './conversation/conversation-start.tsx'
export { UnreadButton } from './conversation/unread-button.tsx'
export { JumpButton } from './conversation/jump-button.tsx'
export { openDay } from './conversation/open-day.ts'
export { OutboxRows } from './conversation/outbox-rows.tsx'
export { Announcer } from './frame/announcer.tsx'
export { EditMessage } from './message/edit-message.tsx'
export { MessageTools } from './message/message-tools.tsx'
export { OpenMenu } from './parts/open-menu.tsx'
