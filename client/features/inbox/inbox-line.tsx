/** One conversation of the Inbox: its name, the start of its newest unread message, and how many wait. */

import { useApp } from '../../app/app.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { Count } from '../../ui/count.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Snippet } from '../message/snippet.tsx'
import { fullTime, shortTime } from '../../ui/times.ts'

interface InboxLineProps {
  readonly narrow: Narrow
  readonly name: string
  readonly newestId: number
  readonly count: number
  readonly isImportant: boolean
  readonly showsSender: boolean
  readonly onRead: () => void
}

export function InboxLine({
  narrow,
  name,
  newestId,
  count,
  isImportant,
  showsSender,
  onRead,
}: InboxLineProps) {
  const app = useApp()
  const message = app.previews.find(newestId)
  const isMention = message?.flags.includes('mentioned') ?? false
  return (
    <div class="line-row read-row">
      <a class="line" data-row href={app.router.hrefOf({ view: 'narrow', narrow })}>
        <b dir="auto">{name}</b>
        <span dir="auto">
          {isMention && <strong class="at-you">@you </strong>}
          {message && showsSender && `${message.sender_full_name}: `}
          {message && <Snippet html={message.content} />}
        </span>
        {message ? (
          <time title={fullTime(message.timestamp)}>{shortTime(message.timestamp, app.minute.value)}</time>
        ) : (
          <time />
        )}
        <Count count={count} isImportant={isImportant} />
      </a>
      <button class="ghost read" title="Mark as read" aria-label={`Mark ${name} as read`} onClick={onRead}>
        <Icon name="check" />
      </button>
    </div>
  )
}
