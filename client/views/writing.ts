/** The composer, the tools of messages, and what they need, which are loaded with the first conversation. */

export { runLater } from '../shell/run-later.ts'
export { showNotification } from '../shell/show-notification.ts'
export { Composer } from './composer/composer.tsx'
export { ConversationStart } from './conversation/conversation-start.tsx'
export { UnreadButton } from './conversation/unread-button.tsx'
export { JumpButton } from './conversation/jump-button.tsx'
export { openDay } from './conversation/open-day.ts'
export { OutboxRows } from './conversation/outbox-rows.tsx'
export { Announcer } from './frame/announcer.tsx'
export { EditMessage } from './message/edit-message.tsx'
export { MessageTools } from './message/message-tools.tsx'
