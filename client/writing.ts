/** The composer, the menus, the tools of messages, and what they need, which are loaded after the first view. */

import './features/message/quick-actions.ts'

export { runLater } from './shell/run-later.ts'
export { showNotification } from './shell/show-notification.ts'
export { channelItems } from './features/channels/channel-actions.ts'
export { toggleResolved, topicItems } from './features/topics/topic-actions.ts'
export { Composer } from './features/composer/composer.tsx'
export { ConversationStart } from './features/conversation/conversation-start.tsx'
export { UnreadButton } from './features/conversation/unread-button.tsx'
export { JumpButton } from './features/conversation/jump-button.tsx'
export { openDay } from './features/conversation/open-day.ts'
export { OutboxRows } from './features/conversation/outbox-rows.tsx'
export { Announcer } from './features/conversation/announcer.tsx'
export { EditMessage } from './features/message/edit-message.tsx'
export { MessageTools } from './features/message/message-tools.tsx'
export { OpenMenu } from './ui/open-menu.tsx'
