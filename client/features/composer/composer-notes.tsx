/** Notes below the text: how many people a mention notifies, and how much the text is too long. */

import { t } from '../../texts/texts.ts'

interface ComposerNotesProps {
  readonly askedCount: number | undefined
  /** Characters over the limit. */
  readonly excess: number
  readonly lengthMax: number
  readonly onSend: () => void
  readonly onCancel: () => void
}

export function ComposerNotes({ askedCount, excess, lengthMax, onSend, onCancel }: ComposerNotesProps) {
  return (
    <>
      {askedCount !== undefined && (
        <p class="composer-note" role="alert">
          {t('This will notify all {count} people in the channel.', { count: askedCount })}{' '}
          <button type="button" class="button" onClick={onSend}>
            {t('Send anyway')}
          </button>{' '}
          <button type="button" class="button" onClick={onCancel}>
            {t('Keep editing')}
          </button>
        </p>
      )}
      {excess > 0 && (
        <p class="composer-note" role="status">
          {t(
            '{excess, plural, one {One character} other {# characters}} too many. A message may have {max}.',
            { excess, max: lengthMax },
          )}
        </p>
      )}
    </>
  )
}
