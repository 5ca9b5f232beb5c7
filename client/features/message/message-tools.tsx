/** The tools of the message under the pointer, or with the focus: they stand over it and move nothing. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { isOpen, mayEdit, mayReply } from '../../store/derived/message-permissions.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { OpenMenu } from '../../ui/open-menu.tsx'
import { menuItems } from './menu-items.ts'
import { reply, toggleStar } from './message-actions.ts'
import { ReactButton } from './react-button.tsx'
import { editingId, menuId } from './shown-message.ts'

export function MessageTools({ message }: { readonly message: Message }) {
  const app = useApp()
  const state = app.state.peek()
  const { id, flags } = message
  const isStarred = flags.includes('starred')
  const isEditable = mayEdit(state, message, Math.floor(Date.now() / 1_000))
  return (
    <div class="message-tools" role="toolbar" aria-label="Message tools">
      {isOpen(state, message) && <ReactButton message={message} />}
      {mayReply(state, message) && (
        <Tool icon="reply" label="Reply" onClick={() => void reply(app, message)} />
      )}
      <Tool
        icon="star"
        label={isStarred ? 'Remove the star' : 'Star'}
        isOn={isStarred}
        onClick={() => void toggleStar(app, message)}
      />
      {isEditable && <Tool icon="pen" label="Edit" onClick={() => (editingId.value = id)} />}
      <MoreButton message={message} />
    </div>
  )
}

interface ToolProps {
  readonly icon: IconName
  readonly label: string
  readonly onClick: () => void
  readonly isOn?: boolean
}

function Tool({ icon, label, onClick, isOn = false }: ToolProps) {
  return (
    <button
      type="button"
      class={isOn ? 'ghost on' : 'ghost'}
      title={label}
      aria-label={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}

function MoreButton({ message }: { readonly message: Message }) {
  const app = useApp()
  const isShown = menuId.value === message.id
  const close = () => {
    menuId.value = undefined
  }
  return (
    <span class="menu-place">
      <button
        type="button"
        class="ghost"
        title="More"
        aria-label="More"
        aria-haspopup="menu"
        aria-expanded={isShown}
        onClick={() => (menuId.value = isShown ? undefined : message.id)}
      >
        <Icon name="more" />
      </button>
      {isShown && <OpenMenu items={menuItems(app, message)} onClose={close} isFloating />}
    </span>
  )
}
