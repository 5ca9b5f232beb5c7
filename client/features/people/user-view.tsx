/** The view of one person. */

import { useState } from '../../app/app.ts'
import { usersById } from '../../store/derived/users.ts'
import { PlacesLink } from '../../ui/places-link.tsx'
import { Profile } from './profile.tsx'
import { t } from '../../texts/texts.ts'

export function UserView({ path }: { readonly path: readonly string[] }) {
  const user = usersById(useState()).get(Number(path[0]))
  return (
    <>
      <header class="head">
        <PlacesLink />
        <h1 dir="auto">{user?.full_name ?? t('Unknown person')}</h1>
      </header>
      <div class="page">
        {user ? (
          <Profile user={user} headingLevel="h2" />
        ) : (
          <p class="empty">{t('This person doesn’t exist, or you don’t have access to their profile.')}</p>
        )}
      </div>
    </>
  )
}
