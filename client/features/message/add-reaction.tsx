/** A button at the end of the reactions that opens the emoji picker. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { runAction } from '../../ui/action.ts'
import { Icon } from '../../ui/icon.tsx'
import { react } from './actions/react.ts'
import { t } from '../../texts/texts.ts'

export function AddReaction({ message }: { readonly message: Message }) {
  const app = useApp()
  if (!react.may(app, message)) return null
  return (
    <li>
      <button
        type="button"
        class="pill"
        title={t('Add reaction')}
        aria-label={t('Add reaction')}
        onClick={() => runAction(react, app, message)}
      >
        <Icon name="smile" />
      </button>
    </li>
  )
}
