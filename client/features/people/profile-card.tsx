/** The card of a person beside the name that was clicked. */

import { useEffect, useRef } from 'preact/hooks'
import { useState } from '../../app/app.ts'
import { usersById } from '../../store/derived/users.ts'
import { Icon } from '../../ui/icon.tsx'
import { Profile } from './profile.tsx'
import type { OpenCard } from './open-card.ts'
import { t } from '../../texts/texts.ts'

/** Pixels between the card and the edges of the window. */
const EDGE_PX = 12

export function ProfileCard({ userId, anchor, onClose }: OpenCard & { readonly onClose: () => void }) {
  const user = usersById(useState()).get(userId)
  const card = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const place = card.current
    if (!place) return undefined
    place.show()
    putBeside(place, anchor.getBoundingClientRect())
    place.querySelector('button')?.focus()
    const close = (event: MouseEvent) => {
      if (!place.contains(event.target as Node)) onClose()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      onClose()
      if (anchor.isConnected) anchor.focus()
    }
    document.addEventListener('mousedown', close)
    place.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('mousedown', close)
      place.removeEventListener('keydown', onKey)
    }
  }, [])
  return (
    <dialog class="profile-card" ref={card} aria-label={user?.full_name ?? t('Unknown person')}>
      <div class="card-tools">
        <button class="ghost" aria-label={t('Close')} title={t('Close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {user ? (
        <>
          <Profile user={user} headingLevel="h2" onLeave={onClose} />
          <a href={`#user/${userId}`} onClick={onClose}>
            {t('Full profile')}
          </a>
        </>
      ) : (
        <p class="quiet-text">{t('This person doesn’t exist, or you don’t have access to their profile.')}</p>
      )}
    </dialog>
  )
}

/** Beside the anchor where there is room, else as near as the window allows. */
function putBeside(card: HTMLElement, anchor: DOMRect): void {
  const { offsetWidth, offsetHeight } = card
  const after = anchor.right + EDGE_PX
  const left = after + offsetWidth + EDGE_PX <= innerWidth ? after : anchor.left - offsetWidth - EDGE_PX
  const clamp = (value: number, max: number) => Math.max(EDGE_PX, Math.min(value, max - EDGE_PX))
  card.style.left = `${clamp(left, innerWidth - offsetWidth)}px`
  card.style.top = `${clamp(anchor.top, innerHeight - offsetHeight)}px`
}
