/** Opens the card of a person on a click on their face or name, wherever it stands. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { lazy } from '../../ui/lazy.tsx'
import type { OpenCard } from './open-card.ts'

const ProfileCard = lazy(async () => (await import('./profile-card.tsx')).ProfileCard)

/** Elements of the client have `data-user`, mentions in messages `data-user-id`. */
const PEOPLE = '[data-user], .user-mention[data-user-id]'

export function ProfileCards() {
  const open = useSignal<OpenCard | undefined>(undefined)
  useEffect(() => {
    const look = (event: MouseEvent) => {
      const anchor = event.target instanceof Element ? event.target.closest<HTMLElement>(PEOPLE) : null
      if (!anchor || anchor.closest('.profile')) return
      const link = anchor.closest('a')
      // Faces in links to conversations belong to the link, and a new tab shows the whole profile.
      if ((link && link !== anchor) || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      const userId = Number(anchor.dataset.user ?? anchor.dataset.userId)
      if (Number.isSafeInteger(userId) && userId > 0) open.value = { userId, anchor }
    }
    document.addEventListener('click', look)
    return () => document.removeEventListener('click', look)
  }, [])
  const card = open.value
  return card ? <ProfileCard key={card.userId} {...card} onClose={() => (open.value = undefined)} /> : null
}
