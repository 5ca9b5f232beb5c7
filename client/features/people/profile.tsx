/** A person: picture, name, role, status, local time, profile, and what both have in common. */

import { roleName } from '../../../packages/rules/roles.ts'
import type { User } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { groupsById } from '../../store/derived/group-choices.ts'
import { commonChannels } from '../../store/derived/members.ts'
import { profileOf } from '../../store/derived/profile.ts'
import { presenceOf } from '../../store/derived/users.ts'
import { type Narrow, ofChannel } from '../../store/narrows/narrow.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { labelOf, runAction } from '../../ui/action.ts'
import { PERSON_ACTIONS } from './actions/table.ts'
import { Face } from './face.tsx'
import { timeIn } from '../../ui/times.ts'
import { shownPresence } from './shown-presence.ts'
import { StatusText } from './status-text.tsx'
import { t } from '../../texts/texts.ts'

const PRESENCE_NAMES = { active: t('Active'), idle: t('Away'), offline: t('Offline') } as const

interface ProfileProps {
  readonly user: User
  readonly headingLevel: 'h2' | 'h3'
  /** Called when a link or a button leads elsewhere. */
  readonly onLeave?: () => void
}

export function Profile({ user, headingLevel: Heading, onLeave }: ProfileProps) {
  const app = useApp()
  const state = useState()
  const { user_id: id } = user
  const presence = presenceOf(state, id, app.minute.value / 1000)
  const about = [
    user.is_bot ? t('Bot') : t(roleName(user.role)),
    ...(user.is_active ? [] : [t('Deactivated')]),
    ...(user.is_bot || !user.is_active ? [] : [PRESENCE_NAMES[presence]]),
  ]
  return (
    <div class="profile">
      <div class="profile-head">
        <Face
          userId={id}
          name={user.full_name}
          picture={user.avatar_url}
          size="large"
          presence={shownPresence(app, id)}
        />
        <div>
          <Heading dir="auto">{user.full_name}</Heading>
          <p class="quiet-text">{about.join(' · ')}</p>
          <StatusText userId={id} />
        </div>
      </div>
      <Actions user={user} onLeave={onLeave} />
      <Facts user={user} />
      <Common user={user} headingLevel={Heading === 'h2' ? 'h3' : 'h4'} onLeave={onLeave} />
    </div>
  )
}

interface PartProps {
  readonly user: User
  readonly onLeave?: (() => void) | undefined
}

function Actions({ user, onLeave }: PartProps) {
  const app = useApp()
  useState()
  return (
    <div class="actions start">
      {PERSON_ACTIONS.filter(({ may }) => may(app, user)).map((action) => {
        const label = labelOf(action, app, user)
        if ('to' in action)
          return (
            <a
              key={action.name}
              class={action.name === 'message' ? 'button primary' : 'button'}
              href={app.router.hrefOf(action.to(app, user))}
              onClick={onLeave}
            >
              {label}
            </a>
          )
        const run = () => {
          if (action.name === 'set-status') onLeave?.()
          runAction(action, app, user)
        }
        return (
          <button key={action.name} class="button" onClick={run}>
            {label}
          </button>
        )
      })}
    </div>
  )
}

function ofHref(app: ReturnType<typeof useApp>, narrow: Narrow): string {
  return app.router.hrefOf({ view: 'narrow', narrow })
}

function Facts({ user }: { readonly user: User }) {
  const app = useApp()
  const state = useState()
  const owner = state.realm_users?.find((one) => one.user_id === user.bot_owner_id)
  const lines = [
    ...(user.delivery_email ? [{ name: t('Email'), text: user.delivery_email, href: undefined }] : []),
    ...(user.is_bot
      ? []
      : [{ name: t('Local time'), text: timeIn(user.timezone, app.minute.value), href: undefined }]),
    ...(owner ? [{ name: t('Owner'), text: owner.full_name, href: `#user/${owner.user_id}` }] : []),
    ...profileOf(state, user),
  ].filter(({ text }) => text !== '')
  return (
    <dl class="facts">
      {lines.map(({ name, text, href }) => (
        <div key={name}>
          <dt dir="auto">{name}</dt>
          <dd dir="auto">
            {href === undefined ? (
              text
            ) : (
              <a href={href} rel="noreferrer" target={href.startsWith('#') ? undefined : '_blank'}>
                {text}
              </a>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface CommonProps extends PartProps {
  readonly headingLevel: 'h3' | 'h4'
}

function Common({ user, headingLevel: Heading, onLeave }: CommonProps) {
  const app = useApp()
  const state = useState()
  const channels = commonChannels(state, user.user_id)
  const groups = [...groupsById(state).values()].filter(
    (one) => !one.is_system_group && !one.deactivated && one.members.includes(user.user_id),
  )
  return (
    <>
      {groups.length > 0 && (
        <section>
          <Heading>{t('Groups')}</Heading>
          <p dir="auto">{groups.map(({ name }) => name).join(', ')}</p>
        </section>
      )}
      {channels.length > 0 && (
        <section>
          <Heading>{user.user_id === state.user_id ? t('Your channels') : t('Channels in common')}</Heading>
          <ul class="common">
            {channels.map((one) => (
              <li key={one.stream_id}>
                <a class="row" href={ofHref(app, ofChannel(one.stream_id))} onClick={onLeave}>
                  <ChannelMark channelId={one.stream_id} />
                  <span class="name" dir="auto">
                    {one.name}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
