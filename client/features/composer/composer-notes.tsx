/** Notes below the text: how many people a mention notifies, and how much the text is too long. */

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
          This will notify all {askedCount} people in the channel.{' '}
          <button type="button" class="button" onClick={onSend}>
            Send anyway
          </button>{' '}
          <button type="button" class="button" onClick={onCancel}>
            Keep editing
          </button>
        </p>
      )}
      {excess > 0 && (
        <p class="composer-note" role="status">
          {excess === 1 ? 'One character' : `${excess} characters`} too many. A message may have {lengthMax}.
        </p>
      )}
    </>
  )
}
