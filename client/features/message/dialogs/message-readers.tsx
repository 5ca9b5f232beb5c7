/** The people who have read a message and share it. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp } from '../../../app/app.ts'
import { Face } from '../../people/face.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Waiting } from '../../../ui/waiting.tsx'
import type { MessageDialogProps } from '../message-parts.ts'
import { FailedCall, useCall } from './use-call.tsx'
import { t } from '../../../texts/texts.ts'

export function MessageReaders({ message, onClose }: MessageDialogProps) {
  const app = useApp()
  const call = useCall()
  const ids = useSignal<readonly number[] | undefined>(undefined)
  useEffect(() => {
    void call.run(async () => {
      const reply = await app.api.call('GET /messages/{message_id}/read_receipts', { message_id: message.id })
      ids.value = reply.user_ids
    })
  }, [message.id])
  const users = app.users.value
  const readers = (ids.value ?? [])
    .map((id) => ({
      id,
      name: users.get(id)?.full_name ?? t('Unknown user'),
      picture: users.get(id)?.avatar_url,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const count = readers.length
  return (
    <Dialog title={t('Read by')} onClose={onClose}>
      <FailedCall call={call} />
      {call.isRunning.value && <Waiting text={t('Loading…')} />}
      {ids.value && (
        <p class="quiet">
          {count === 0
            ? t('No one who sends read receipts has read it yet.')
            : t('{count, plural, one {One person who sends} other {# people who send}} read receipts', {
                count,
              })}
        </p>
      )}
      <ul class="readers">
        {readers.map(({ id, name, picture }) => (
          <li key={id}>
            <Face userId={id} name={name} picture={picture} size="small" />
            <a href={app.router.hrefOf({ view: 'user', path: [String(id)] })} onClick={onClose}>
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
