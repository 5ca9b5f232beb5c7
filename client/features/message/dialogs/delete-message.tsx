/** Asks before a message is deleted for everybody. */

import { useApp } from '../../../app/app.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { ServerHtml } from '../../../ui/server-html.tsx'
import type { MessageDialogProps } from '../message-parts.ts'
import { t } from '../../../texts/texts.ts'

export function DeleteMessage({ message, onClose }: MessageDialogProps) {
  const app = useApp()
  return (
    <Confirm
      title={t('Delete this message?')}
      action={t('Delete')}
      onConfirm={() => app.api.call('DELETE /messages/{message_id}', { message_id: message.id })}
      onClose={onClose}
    >
      <p>{t('It will be deleted for everyone, for good.')}</p>
      <blockquote class="message-preview">
        <ServerHtml class="rendered" html={message.content} prepare={removeMedia} />
      </blockquote>
    </Confirm>
  )
}

/** A preview needs no players. */
function removeMedia(body: HTMLElement): void {
  for (const one of body.querySelectorAll('video, audio')) one.remove()
}
