/** The line in place of a message of a muted person, until it is asked for. */

import { useApp } from '../../app/app.ts'
import { MessageParts } from '../message/message-parts.ts'
import { t } from '../../texts/texts.ts'

export function HiddenMessage({ id }: { readonly id: number }) {
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
