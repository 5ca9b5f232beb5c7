/** One message: the head if it begins a group, the text, reactions, and tools. */

import { useComputed } from '@preact/signals'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { memo } from '../../ui/memo.ts'
import { MessageMarks } from '../message/message-marks.tsx'
import { Reactions } from '../message/reactions.tsx'
import { SenderLine, SenderName } from '../message/sender-line.tsx'
import { MessageParts } from '../message/message-parts.ts'
import { SenderFace } from '../people/sender-face.tsx'
import { clockTime, fullTime } from '../../ui/times.ts'
import { MessageContent } from './message-content.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { t } from '../../texts/texts.ts'

const EditMessage = lazy(async () => (await import('../message/edit-message.tsx')).EditMessage)
/** They stand over the row: a note that they are loading would move it. */
const MessageTools = lazy(async () => (await import('../message/message-tools.tsx')).MessageTools, {
  isQuiet: true,
})

interface MessageRowProps {
  readonly message: Message
  readonly hasHead: boolean
}

export const MessageRow = memo(({ message, hasHead }: MessageRowProps) => {
  const app = useApp()
  const { id, sender_id: senderId } = message
  const { unhiddenIds } = app.part(MessageParts)
  const isMuted = useComputed(() => app.muted.value.has(senderId)).value
  const isHidden = useComputed(() => app.muted.value.has(senderId) && !unhiddenIds.value.has(id)).value
  // The message above it may be hidden, and the name with it.
  return isHidden ? (
    <HiddenMessage id={id} />
  ) : (
    <ShownMessage message={message} hasHead={hasHead || isMuted} />
  )
})

function ShownMessage({ message, hasHead }: MessageRowProps) {
  const app = useApp()
  const { activeId, editingId, foundId } = app.part(MessageParts)
  const { id, sender_full_name: name, timestamp, flags, is_me_message: isMe } = message
  const isActive = useComputed(() => activeId.value === id).value
  const isFound = useComputed(() => foundId.value === id).value
  const isEdited = useComputed(() => editingId.value === id).value
  const isMention = flags.some((flag) => flag.endsWith('mentioned') || flag === 'has_alert_word')
  const classes = [
    'message',
    hasHead ? '' : 'more',
    isMention ? 'mention' : '',
    isActive ? 'active' : '',
    isMe ? 'action' : '',
    isFound ? 'found' : '',
  ]
  return (
    <article
      class={classes.filter((one) => one !== '').join(' ')}
      id={`message-${id}`}
      data-id={id}
      tabIndex={-1}
      aria-label={`${name}, ${clockTime(timestamp)}`}
    >
      {hasHead ? (
        <SenderFace message={message} />
      ) : (
        <time class="aside" title={fullTime(timestamp)}>
          {clockTime(timestamp)}
        </time>
      )}
      <div class="message-body">
        {hasHead && !isMe && <SenderLine message={message} />}
        {isEdited ? (
          <EditMessage message={message} />
        ) : (
          <div class="message-text">
            {isMe && <SenderName message={message} />}
            <MessageContent message={message} />
            {(!hasHead || isMe) && <MessageMarks message={message} />}
          </div>
        )}
        <Reactions message={message} />
      </div>
      {isActive && !isEdited && !app.isVisitor && <MessageTools message={message} />}
    </article>
  )
}

/** The line in place of a message of a muted person, until it is asked for. */
function HiddenMessage({ id }: { readonly id: number }) {
  const { unhiddenIds } = useApp().part(MessageParts)
  const show = () => {
    unhiddenIds.value = new Set([...unhiddenIds.value, id])
    // The focus stays at the message, whose button is gone.
    requestAnimationFrame(() => document.getElementById(`message-${id}`)?.focus({ preventScroll: true }))
  }
  return (
    <article
      class="hidden-message"
      id={`message-${id}`}
      data-id={id}
      tabIndex={-1}
      aria-label={t('Message from someone you muted')}
    >
      {t('Message from someone you muted')}{' '}
      <button type="button" onClick={show}>
        {t('Show')}
      </button>
    </article>
  )
}
