/** Reminders of messages, by their time. */

import { useEffect } from 'preact/hooks'
import type { Reminder } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { otherIdsOf } from '../../store/messages/match-narrow.ts'
import { ofDirect, ofTopic, term } from '../../store/narrows/narrow.ts'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { showToast, showError } from '../../ui/toasts.tsx'
import { Snippet } from '../message/snippet.tsx'
import { dayAndTime } from '../../ui/day-and-time.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListView } from './list-view.tsx'
import { PlaceName } from './place-name.tsx'
import { t } from '../../texts/texts.ts'

export function Reminders() {
  const app = useApp()
  const { reminders = [] } = useState()
  const ids = reminders.map(({ reminder_target_message_id: id }) => id)
  useEffect(() => app.previews.want(ids), [ids.join()])
  return (
    <ListView
      title={t('Reminders')}
      about={
        reminders.length === 0
          ? ''
          : t('{count, plural, one {# reminder} other {# reminders}}', { count: reminders.length })
      }
    >
      {reminders.length === 0 ? (
        <EmptyState icon="bell" title={t('No reminders')}>
          <p>{t('Set a reminder from a message’s menu.')}</p>
        </EmptyState>
      ) : (
        <ul class="group">
          {reminders.map((reminder) => (
            <Line key={reminder.reminder_id} reminder={reminder} />
          ))}
        </ul>
      )}
    </ListView>
  )
}

function Line({ reminder }: { readonly reminder: Reminder }) {
  const app = useApp()
  const { user_id: ownId = 0 } = useState()
  const {
    reminder_id: id,
    scheduled_delivery_timestamp: at,
    reminder_target_message_id: messageId,
  } = reminder
  const message = app.previews.find(messageId)
  const otherIds = message && (otherIdsOf(message, ownId) ?? [])
  const place =
    message?.stream_id === undefined ? undefined : { channelId: message.stream_id, topic: message.subject }
  const narrow = place ? ofTopic(place.channelId, place.topic) : ofDirect(otherIds ?? [])
  const again = () =>
    void app.api
      .call('POST /reminders', { message_id: messageId, scheduled_delivery_timestamp: at })
      .catch(showError)
  const remove = () =>
    app.api
      .call('DELETE /reminders/{reminder_id}', { reminder_id: id })
      .then(() => showToast(t('Reminder deleted'), { text: t('Undo'), run: again }), showError)
  return (
    <li class="line-row">
      <a
        class="line"
        data-row
        {...(message
          ? { href: app.router.hrefOf({ view: 'narrow', narrow: [...narrow, term('near', messageId)] }) }
          : {})}
      >
        {place || otherIds ? (
          <PlaceName place={place ?? { otherIds: otherIds ?? [] }} />
        ) : (
          <b class="place-name" />
        )}
        <span class="said" dir="auto">
          {message ? <Snippet message={message} /> : reminder.content}
        </span>
        <time>{dayAndTime(at)}</time>
      </a>
      <button
        class="ghost"
        aria-label={t('Delete reminder')}
        title={t('Delete reminder')}
        onClick={() => void remove()}
      >
        <RareIcon name="trash" />
      </button>
    </li>
  )
}
