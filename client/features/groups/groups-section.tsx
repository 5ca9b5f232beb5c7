/** The groups of people, and the page of one. */

import { useSignal } from '@preact/signals'
import type { UserGroup } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { mayCreateGroups } from '../../store/derived/group-permissions.ts'
import { CreateGroup } from './create-group.tsx'
import { GroupPage } from './group-page.tsx'
import { t } from '../../texts/texts.ts'

export function GroupsSection({ path }: { readonly path: readonly string[] }) {
  const [part] = path
  if (part === undefined) return <GroupList />
  return part === 'new' ? <CreateGroup /> : <GroupPage groupId={Number(part)} />
}

function GroupList() {
  const app = useApp()
  const state = useState()
  const showsDeactivated = useSignal(false)
  const groups = (state.realm_user_groups ?? [])
    .filter((one) => !one.is_system_group && (showsDeactivated.value || !one.deactivated))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const hasDeactivated = state.realm_user_groups?.some((one) => one.deactivated) ?? false
  return (
    <section class="settings-part" aria-labelledby="groups">
      <div class="page-title">
        <h2 id="groups">{t('Groups')}</h2>
        {mayCreateGroups(state) && (
          <a class="button" href={app.router.hrefOf({ view: 'groups', path: ['new'] })}>
            {t('New group')}
          </a>
        )}
      </div>
      <p class="quiet-text">
        {t(
          'Mention several people at once, or give them permissions together. Groups can contain other groups.',
        )}
      </p>
      {groups.length === 0 && <p class="empty">{t('No groups yet')}</p>}
      <ul>
        {groups.map((group) => (
          <GroupCard key={group.id} group={group} />
        ))}
      </ul>
      {hasDeactivated && (
        <label class="check">
          <input
            type="checkbox"
            checked={showsDeactivated.value}
            onChange={(event) => (showsDeactivated.value = event.currentTarget.checked)}
          />
          {t('Show deactivated groups')}
        </label>
      )}
    </section>
  )
}

function GroupCard({ group }: { readonly group: UserGroup }) {
  const app = useApp()
  const count = group.members.length
  return (
    <li class="card">
      <div class="card-text">
        <a
          class="card-name"
          dir="auto"
          href={app.router.hrefOf({ view: 'groups', path: [String(group.id)] })}
        >
          {group.name}
        </a>
        <span class="card-about" dir="auto">
          {group.description}
        </span>
      </div>
      <small>
        {group.deactivated
          ? t('Deactivated')
          : t('{count, plural, one {One person} other {# people}}', { count })}
      </small>
    </li>
  )
}
