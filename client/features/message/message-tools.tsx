/** The tools of the message under the pointer, or with the focus: they stand over it and move nothing. */

import { useEffect } from 'preact/hooks'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { type Action, labelOf, menuItems, runAction } from '../../ui/action.ts'
import { Icon } from '../../ui/icon.tsx'
import { withKeys } from '../../ui/keys.ts'
import { OpenMenu } from '../../ui/open-menu.tsx'
import { react } from './actions/react.ts'
import { MENU, TOOLS } from './actions/table.ts'
import { endOf, MessageParts } from './message-parts.ts'
import { ReactButton } from './react-button.tsx'
import { t } from '../../texts/texts.ts'

interface MessageProps {
  readonly message: Message
}

export function MessageTools({ message }: MessageProps) {
  const app = useApp()
  return (
    <div class="tools-place">
      <div class="message-tools" role="toolbar" aria-label={t('Message tools')}>
        {TOOLS.filter(({ may }) => may(app, message)).map((action) =>
          action === react ? (
            <ReactButton key={action.name} message={message} />
          ) : (
            <Tool key={action.name} action={action} message={message} />
          ),
        )}
        <MoreButton message={message} />
      </div>
    </div>
  )
}

function Tool({ action, message }: MessageProps & { readonly action: Action<Message> }) {
  const app = useApp()
  const label = labelOf(action, app, message)
  const isOn = action.name === 'star' && message.flags.includes('starred')
  return (
    <button
      type="button"
      class={isOn ? 'ghost on' : 'ghost'}
      title={withKeys(label, action.key?.[0])}
      aria-label={label}
      onClick={() => runAction(action, app, message)}
    >
      {action.icon && <Icon name={action.icon} />}
    </button>
  )
}

function MoreButton({ message }: MessageProps) {
  const app = useApp()
  const { menuId } = app.part(MessageParts)
  const isShown = menuId.value === message.id
  const close = () => {
    menuId.value = undefined
  }
  useEffect(() => () => endOf(menuId, message.id), [message.id])
  return (
    <span class="menu-place">
      <button
        type="button"
        class="ghost"
        title={t('More')}
        aria-label={t('More')}
        aria-haspopup="menu"
        aria-expanded={isShown}
        onClick={() => (menuId.value = isShown ? undefined : message.id)}
      >
        <Icon name="more" />
      </button>
      {isShown && <OpenMenu items={menuItems(MENU, app, message)} onClose={close} isFloating />}
    </span>
  )
}
