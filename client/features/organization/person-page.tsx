/** One account: name, role, profile, sessions, and whether it is active. */

import { roleName } from '../../../packages/rules/roles.ts'
import { FULL_NAME_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { useApp, useState } from '../../app/app.ts'
import { usersById } from '../../store/derived/users.ts'
import { Face } from '../people/face.tsx'
import { Choice, TextSetting } from '../../ui/setting.tsx'
import { AccountActions } from './account-actions.tsx'
import { ProfileValues } from './profile-values.tsx'
import { roleOptions, ROLES_IN_WORDS } from './roles.ts'
import { locale, t } from '../../texts/texts.ts'

export function PersonPage({ userId }: { readonly userId: number }) {
  const { api } = useApp()
  const state = useState()
  const user = usersById(state).get(userId)
  if (!user)
    return (
      <p class="empty">
        {t('This person doesn’t exist.')} <a href="#organization/people">{t('All people')}</a>
      </p>
    )
  const options = roleOptions(state)
  // Only owners change the role of an owner.
  const mayChangeRole = options.some(([role]) => role === String(user.role))
  const joined = new Date(user.date_joined)
  return (
    <>
      <p class="section-about">
        <a href="#organization/people">{t('People')}</a>
      </p>
      <section class="settings-part" aria-labelledby="person">
        <div class="page-title">
          <Face userId={userId} name={user.full_name} picture={user.avatar_url} size="large" />
          <h2 id="person">
            <bdi>{user.full_name}</bdi>
          </h2>
        </div>
        <p class="quiet-text">
          <bdi>{user.delivery_email ?? user.email}</bdi>
        </p>
        <p class="quiet-text">
          {t('Joined on {date}.', { date: joined.toLocaleDateString(locale, { dateStyle: 'long' }) })}
          {!user.is_active && ` ${t('This account is deactivated.')}`}
        </p>
        <TextSetting
          label={t('Name')}
          value={user.full_name}
          lengthMax={FULL_NAME_LENGTH_MAX}
          onSave={(name) => api.call('PATCH /users/{user_id}', { user_id: userId, full_name: name.trim() })}
        />
        <Choice
          label={t('Role')}
          hint={ROLES_IN_WORDS[user.role]}
          value={String(user.role)}
          options={mayChangeRole ? options : [[String(user.role), t(roleName(user.role))]]}
          isDisabled={!mayChangeRole}
          onSave={(role) =>
            api.call('PATCH /users/{user_id}', { user_id: userId, role: Number(role) as typeof user.role })
          }
        />
      </section>
      {!user.is_bot && <ProfileValues user={user} />}
      <AccountActions user={user} />
    </>
  )
}
