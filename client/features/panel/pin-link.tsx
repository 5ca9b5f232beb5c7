/** A pinned message or topic as a link to it. */

import { useEffect } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import type { pinsOf } from '../../store/derived/pins.ts'
import { topicName } from '../../store/derived/topic.ts'
import { type Narrow, ofChannel, ofTopic, term } from '../../store/narrows/narrow.ts'
import { textOf } from '../../ui/text-of.ts'

export type Pin = ReturnType<typeof pinsOf>[number]

interface PinLinkProps {
  readonly channelId: number
  readonly pin: Pin
  readonly class?: string
  /** Whether the sender is below the text. */
  readonly showsSender?: boolean
}

export function PinLink({ channelId, pin, class: name, showsSender = false }: PinLinkProps) {
  const app = useApp()
  const { message_id: messageId, topic } = pin
  useEffect(() => {
    if (messageId !== null) app.previews.want([messageId])
  }, [messageId])
  const message = messageId === null ? undefined : app.previews.find(messageId)
  const href = app.router.hrefOf({ view: 'narrow', narrow: placeOf() })
  const text = topic === null ? textOf(message?.content ?? '') : topicName(topic)
  return (
    <a class={name} href={href} title={text}>
      {topic === null ? <span dir="auto">{text}</span> : <b dir="auto">{text}</b>}
      {showsSender && message && <small dir="auto">{message.sender_full_name}</small>}
    </a>
  )

  function placeOf(): Narrow {
    if (topic !== null) return ofTopic(channelId, topic)
    const near = term('near', messageId ?? 0)
    return message ? [...ofTopic(channelId, message.subject), near] : [...ofChannel(channelId), near]
  }
}
