/** Small marks: edited, moved, by an agent, starred. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { maySeeHistory } from '../../store/derived/may-see-history.ts'
import { Icon } from '../../ui/icon.tsx'
import { fullTime } from '../../ui/times.ts'
import { MessageParts } from './message-parts.ts'
import { t } from '../../texts/texts.ts'

export function MessageMarks({ message }: { readonly message: Message }) {
  const app = useApp()
  const { last_edit_timestamp: editedAt, last_moved_timestamp: movedAt, flags } = message
  const at = editedAt ?? movedAt
  const text = editedAt === undefined ? t('moved') : t('edited')
  return (
    <>
      {at !== undefined &&
        (maySeeHistory(app.state.peek(), message) ? (
          <button
            type="button"
            class="mark-text"
            title={fullTime(at)}
            onClick={() => (app.part(MessageParts).dialog.value = { name: 'history', message })}
          >
            {text}
          </button>
        ) : (
          <small title={fullTime(at)}>{text}</small>
        ))}
      {message.client === 'MCP' && <small>{t('by an agent')}</small>}
      {flags.includes('starred') && (
        <span class="mark-star" role="img" aria-label={t('Starred')} title={t('Starred')}>
          <Icon name="star" />
        </span>
      )}
    </>
  )
}
