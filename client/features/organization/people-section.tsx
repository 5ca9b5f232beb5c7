/** The people of the organization: to find one, and to manage them. */

import { roleName } from '../../../packages/rules/roles.ts'
import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import { findPeople, type PeopleFilter } from '../../store/derived/administered-people.ts'
import { nameOf } from '../../store/derived/users.ts'
import type { User } from '../../../packages/client/src/wire-types.ts'
import { Face } from '../people/face.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PersonPage } from './person-page.tsx'
import { t } from '../../texts/texts.ts'

const FILTERS: readonly (readonly [PeopleFilter, string])[] = [
  ['active', t('Active')],
  ['deactivated', t('Deactivated')],
  ['bots', t('Bots')],
]
/** People that a list shows at once; others are found by search, or by the button below. */
const SHOWN_STEP = 100

export function PeopleSection({ path }: { readonly path: readonly string[] }) {
  const [id] = path
  return id === undefined ? <PeopleList /> : <PersonPage userId={Number(id)} />
}

function PeopleList() {
  const state = useState()
  const filter = useSignal<PeopleFilter>('active')
  const text = useSignal('')
  const shownMax = useSignal(SHOWN_STEP)
  const found = findPeople(state, filter.value, text.value)
  return (
    <section class="settings-part" aria-labelledby="people-list">
      <h2 id="people-list">{t('People')}</h2>
      <div class="list-filter">
        <label class="list-filter-text">
          <Icon name="search" />
          <span class="hidden">{t('Find people')}</span>
          <input
            type="search"
            placeholder={t('Name or email')}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value
              shownMax.value = SHOWN_STEP
            }}
          />
        </label>
        <div class="segments" role="group" aria-label={t('Filter people')}>
          {FILTERS.map(([one, name]) => (
            <button
              key={one}
              type="button"
              class="segment"
              aria-pressed={filter.value === one}
              onClick={() => (filter.value = one)}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
      {found.length === 0 ? (
        <p class="empty">
          {text.value === '' ? t('No one here') : t('No one found')}{' '}
          {filter.value === 'active' && <a href="#organization/invitations">{t('Invite people')}</a>}
        </p>
      ) : (
        <ul>
          {found.slice(0, shownMax.value).map((user) => (
            <PersonCard key={user.user_id} user={user} />
          ))}
        </ul>
      )}
      {found.length > shownMax.value && (
        <p>
          <button class="button" onClick={() => (shownMax.value += SHOWN_STEP)}>
            {t('Show more of {count}', { count: found.length })}
          </button>
        </p>
      )}
    </section>
  )
}

function PersonCard({ user }: { readonly user: User }) {
  const app = useApp()
  const state = useState()
  const { user_id: id, full_name: name, role, bot_owner_id: ownerId } = user
  const address = user.delivery_email ?? user.email
  const about = ownerId === null ? address : t('Bot of {name}', { name: nameOf(state, ownerId) })
  return (
    <li class="card">
      <Face userId={id} name={name} picture={user.avatar_url} size="medium" />
      <div class="card-text">
        <a
          class="card-name"
          dir="auto"
          href={app.router.hrefOf({ view: 'organization', path: ['people', String(id)] })}
        >
          {name}
        </a>
        <span class="card-about" dir="auto">
          {about}
        </span>
      </div>
      <small>
        {t(roleName(role))}
        {!user.is_active && ', deactivated'}
      </small>
    </li>
  )
}
