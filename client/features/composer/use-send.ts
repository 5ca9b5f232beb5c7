/** Sends or schedules the text of a composer, once its place is whole and agreed to. */

import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import { TypingNotifier } from '../../app/typing-notifier.ts'
import { countMentioned, topicRuleOf } from '../../store/composing/check-message.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'
import type { Destination } from '../../store/outbox/stored-entry.ts'
import { showError } from '../../ui/toasts.tsx'

interface SendOptions {
  readonly place: DraftPlace
  readonly content: string
  readonly mayNotSend: boolean
  /** Called if the message still needs a topic. */
  readonly onNoTopic: () => void
  /** Called when it was sent or scheduled: the next message begins. */
  readonly onSent: () => void
}

interface Sending {
  readonly hasTopicField: boolean
  readonly needsTopic: ReadonlySignal<boolean>
  /** The number of people that a mention notifies, while the person is asked about it. */
  readonly askedCount: ReadonlySignal<number | undefined>
  readonly send: () => void
  readonly sendLater: (atMs: number) => Promise<void>
  readonly cancel: () => void
}

export function useSend({ place, content, mayNotSend, onNoTopic, onSent }: SendOptions): Sending {
  const app = useApp()
  const state = useState()
  const askedCount = useSignal<number | undefined>(undefined)
  const needsTopic = useSignal(false)
  const rule = place.type === 'channel' ? topicRuleOf(state, place.channelId) : 'none'
  const hasTopicField = place.type === 'channel' && place.topic === undefined && rule !== 'none'

  const readyDestination = (): Destination | undefined => {
    const topic = hasTopicField ? (app.drafts.at(place)?.topic.trim() ?? '') : ''
    needsTopic.value = hasTopicField && rule === 'needed' && topic === ''
    if (needsTopic.value) {
      onNoTopic()
      return undefined
    }
    const count = countMentioned(state, place, content)
    if (count !== undefined && askedCount.value === undefined) {
      askedCount.value = count
      return undefined
    }
    return place.type === 'channel' ? { ...place, topic: place.topic ?? topic } : place
  }
  const clear = (after: Promise<unknown>) => {
    void app.drafts.remove(place, after)
    app.part(TypingNotifier).stop()
    askedCount.value = undefined
    onSent()
  }
  const send = () => {
    const to = mayNotSend ? undefined : readyDestination()
    // The device has the message in its outbox before it forgets the draft.
    if (to) clear(app.outbox.add({ to, content }))
  }
  const sendLater = async (atMs: number) => {
    const to = mayNotSend ? undefined : readyDestination()
    if (!to) return
    const scheduled = app.api.call('POST /scheduled_messages', {
      ...(to.type === 'channel'
        ? { type: 'channel', to: to.channelId, topic: to.topic }
        : { type: 'direct', to: to.userIds }),
      content,
      scheduled_delivery_timestamp: Math.floor(atMs / 1_000),
      read_by_sender: true,
    })
    try {
      await scheduled
      clear(scheduled)
    } catch (error) {
      showError(error)
    }
  }
  const cancel = () => {
    askedCount.value = undefined
  }
  return { hasTopicField, needsTopic, askedCount, send, sendLater, cancel }
}
