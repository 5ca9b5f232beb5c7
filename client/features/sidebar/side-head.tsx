/** The head of the sidebar: the organization with its menu, and the ways to hide the sidebar and to write. */

import { useApp, useState } from '../../app/app.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { ownPicture } from '../../ui/own-picture.ts'
import { toggleSide } from '../../ui/toggle-side.ts'
import { t } from '../../texts/texts.ts'

export function SideHead() {
  const app = useApp()
  const { device, router } = app
  const { realm_name: name = '', realm_icon_url: icon = '', is_guest: isGuest } = useState()
  const items = () => [
    { text: t('Browse channels'), onChoose: () => router.go({ view: 'channels', path: [] }) },
    ...(isGuest
      ? []
      : [{ text: t('Administration'), onChoose: () => router.go({ view: 'organization', path: [] }) }]),
  ]
  const hideText = device.sideIsHidden.value ? t('Keep sidebar open') : t('Hide sidebar')
  return (
    <header class="side-head">
      <Menu label={name} class="organization" items={items} isFloating>
        <img src={ownPicture(icon) ?? '/app/icon.svg'} alt="" width={26} height={26} />
        <span dir="auto">{name}</span>
        <Icon name="down" />
      </Menu>
      <button
        class="ghost only-wide"
        title={`${hideText} (Ctrl+\\)`}
        aria-label={hideText}
        onClick={() => toggleSide(app)}
      >
        <Icon name="side" />
      </button>
      <a class="ghost" href="#new-direct" title={`${t('New message')} (X)`} aria-label={t('New message')}>
        <Icon name="pen" />
      </a>
    </header>
  )
}
