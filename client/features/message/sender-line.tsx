/** The head of a message: who wrote it and when, and what happened to it since. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { clockTime, fullTime } from '../../ui/times.ts'
import { EmojiLook } from '../emoji/emoji-look.tsx'
import { MessageMarks } from './message-marks.tsx'
import { t } from '../../texts/texts.ts'

export function SenderLine({ message }: { readonly message: Message }) {
  return (
    <div class="by">
      <SenderName message={message} />
      <time dateTime={new Date(message.timestamp * 1000).toISOString()} title={fullTime(message.timestamp)}>
        {clockTime(message.timestamp)}
      </time>
      <MessageMarks message={message} />
    </div>
  )
}

/** The name, which opens the profile for people with an account, with the marks of bots, guests and closed accounts. */
export function SenderName({
  message,
}: {
  readonly message: Pick<Message, 'sender_id' | 'sender_full_name'>
}) {
  const app = useApp()
  const { sender_id: id, sender_full_name: sentName } = message
  const user = app.users.value.get(id)
  const status = app.statuses.value?.[id]
  const { emoji_name, emoji_code, reaction_type } = status ?? {}
  const text = status?.status_text ?? ''
  const marksGuests = app.marksGuests.value
  const mark = markOf(user, marksGuests)
  return (
    <>
      {app.isVisitor ? (
        <bdi class="sender">{sentName}</bdi>
      ) : (
        <a
          class="sender"
          dir="auto"
          data-user={id}
          href={app.router.hrefOf({ view: 'user', path: [String(id)] })}
        >
          {user?.full_name ?? sentName}
        </a>
      )}
      {emoji_name && emoji_code && reaction_type && (
        <span class="status-emoji" role="img" title={text || emoji_name} aria-label={text || emoji_name}>
          <EmojiLook emoji={{ emoji_name, emoji_code, reaction_type }} />
        </span>
      )}
      {mark && <small class="badge">{mark}</small>}
    </>
  )
}

function markOf(
  user: { readonly is_bot: boolean; readonly is_guest: boolean; readonly is_active: boolean } | undefined,
  marksGuests: boolean,
): string | undefined {
  if (!user) return undefined
  if (!user.is_active) return 'deactivated'
  if (user.is_bot) return 'bot'
  return user.is_guest && marksGuests ? t('guest') : undefined
}
