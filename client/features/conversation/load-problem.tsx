/** Messages that could not be loaded: the reason, and the way on. */

import { ApiError } from '../../../packages/client/src/index.ts'
import { problemText } from '../../ui/toasts.tsx'
import { t } from '../../texts/texts.ts'

interface LoadProblemProps {
  readonly error: unknown
  readonly onRetry: () => void
}

export function LoadProblem({ error, onRetry }: LoadProblemProps) {
  // The server knows no such place, or does not show it: a second attempt has the same answer.
  if (error instanceof ApiError && error.code === 'BAD_NARROW')
    return (
      <p class="empty" role="alert">
        {t('This conversation doesn’t exist, or you don’t have access.')}
      </p>
    )
  return (
    <p class="problem" role="alert">
      {t('Couldn’t load messages.')} {problemText(error)}{' '}
      <button class="button" onClick={onRetry}>
        {t('Try again')}
      </button>
    </p>
  )
}
