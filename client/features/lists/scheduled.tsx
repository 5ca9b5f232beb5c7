/** Messages that are sent later: their time, and ways to change one's mind. */

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { ScheduledMessage } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { Icon } from '../../ui/icon.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { showToast, showError } from '../../ui/toasts.tsx'
import { dayAndTime } from '../../ui/day-and-time.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListView } from './list-view.tsx'
import { PlaceName, placeOfUnsent } from './place-name.tsx'
import { t } from '../../texts/texts.ts'

export function Scheduled() {
  const { scheduled_messages: messages = [] } = useState()
  return (
    <ListView
      title={t('Scheduled messages')}
      about={
        messages.length === 0
          ? ''
          : t('{count, plural, one {# message} other {# messages}}', { count: messages.length })
      }
    >
      {messages.length === 0 ? (
        <EmptyState icon="clock" title={t('No scheduled messages')}>
          <p>{t('To send a message later, choose a time next to Send. It waits here.')}</p>
        </EmptyState>
      ) : (
        <ul class="group">
          {messages.map((message) => (
            <Line key={message.scheduled_message_id} message={message} />
          ))}
        </ul>
      )}
    </ListView>
  )
}

function Line({ message }: { readonly message: ScheduledMessage }) {
  const app = useApp()
  const { user_id: ownId = 0 } = useState()
  const isChanging = useSignal(false)
  const { scheduled_message_id: id, scheduled_delivery_timestamp: at, content, topic, failed } = message
  const found = placeOfUnsent(message, ownId)
  const remove = () =>
    app.api.call('DELETE /scheduled_messages/{scheduled_message_id}', { scheduled_message_id: id })
  const again = () => {
    const type = message.type === 'stream' ? 'channel' : 'direct'
    const fields = { type, to: message.to, content, scheduled_delivery_timestamp: at } as const
    app.api
      .call('POST /scheduled_messages', topic === undefined ? fields : { ...fields, topic })
      .catch(showError)
  }
  const cancel = () =>
    remove().then(() => showToast(t('Scheduled message deleted'), { text: t('Undo'), run: again }), showError)
  const sendNow = async () => {
    if (!found) return
    // First out of the schedule, so that it is not sent twice; then the outbox holds it until it is sent.
    await remove()
    const { place } = found
    await app.outbox.add({
      to: 'otherIds' in place ? { type: 'direct', userIds: place.otherIds } : { type: 'channel', ...place },
      content,
    })
    app.router.go({ view: 'narrow', narrow: found.narrow })
  }
  return (
    <li class="line-row">
      <a
        class="line"
        data-row
        {...(found ? { href: app.router.hrefOf({ view: 'narrow', narrow: found.narrow }) } : {})}
      >
        {found && <PlaceName place={found.place} />}
        <span class="said" dir="auto">
          {content}
        </span>
        <time>{failed ? t('Not sent') : dayAndTime(at)}</time>
      </a>
      <Menu
        label={t('More')}
        items={() => [
          { text: t('Reschedule'), onChoose: () => (isChanging.value = true) },
          { text: t('Send now'), onChoose: () => void sendNow().catch(showError) },
          { text: t('Delete'), onChoose: () => void cancel(), isDanger: true },
        ]}
      >
        <Icon name="more" />
      </Menu>
      {isChanging.value && <ChangeTime message={message} onClose={() => (isChanging.value = false)} />}
    </li>
  )
}

function ChangeTime({
  message,
  onClose,
}: {
  readonly message: ScheduledMessage
  readonly onClose: () => void
}) {
  const app = useApp()
  const saving = useSaving()
  const id = useId()
  const time = useSignal(localText(message.scheduled_delivery_timestamp))
  const save = async (event: Event) => {
    event.preventDefault()
    const isSaved = await saving.save(() =>
      app.api.call('PATCH /scheduled_messages/{scheduled_message_id}', {
        scheduled_message_id: message.scheduled_message_id,
        scheduled_delivery_timestamp: Math.floor(new Date(time.value).getTime() / 1_000),
      }),
    )
    if (isSaved) onClose()
  }
  return (
    <Dialog title={t('Reschedule')} onClose={onClose}>
      <form class="form" onSubmit={(event) => void save(event)}>
        <div class="field">
          <label for={id}>{t('Date and time')}</label>
          <input
            id={id}
            type="datetime-local"
            required
            value={time.value}
            onInput={(event) => (time.value = event.currentTarget.value)}
          />
        </div>
        <div class="actions">
          <SavedNote saving={saving} />
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button class="button primary">{t('Save')}</button>
        </div>
      </form>
    </Dialog>
  )
}

/** A time in the form of the field, in the time zone of the browser: `2031-04-05T09:00`. */
function localText(seconds: number): string {
  const ms = seconds * 1_000
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
