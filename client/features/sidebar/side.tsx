/** The places at the side: views, people, and channels with the topics of the open one. */

import { useApp, useState } from '../../app/app.ts'
import { unreadOf } from '../../store/derived/unread.ts'
import { lazy } from '../../ui/lazy.tsx'
import { SearchField } from '../search/search-field.tsx'
import { Me } from './me.tsx'
import { OwnPlaces } from './own-places.tsx'
import { SideChannels } from './side-channels.tsx'
import { SideDirects } from './side-directs.tsx'
import { SideHead } from './side-head.tsx'
import { t } from '../../texts/texts.ts'

// Not part of the first load: phones never show it.
const Resizer = lazy(async () => (await import('./resizer.tsx')).Resizer, { isQuiet: true })

export function Side({ onLoggedOut }: { readonly onLoggedOut: () => void }) {
  const unread = unreadOf(useState())
  // They may be many rows: the conversation that the person came for is painted before them.
  const hasOpened = useApp().hasOpened.value
  return (
    <nav class="side" aria-label={t('Places')}>
      <SideHead />
      <SearchField />
      <div class="side-scroll">
        <OwnPlaces unread={unread} />
        <SideDirects />
        {hasOpened && <SideChannels unread={unread} />}
      </div>
      <Me onLoggedOut={onLoggedOut} />
      {hasOpened && <Resizer />}
    </nav>
  )
}
