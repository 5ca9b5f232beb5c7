/** The own settings, in pages. */

import type { ComponentType } from 'preact'
import { PlacesLink } from '../../ui/places-link.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { isPhone } from '../../ui/use-phone.ts'
import { Account } from './account.tsx'
import { AlertWords } from './alert-words.tsx'
import { Appearance } from './appearance.tsx'
import { Bots } from './bots.tsx'
import { Muted } from './muted.tsx'
import { Notifications } from './notifications.tsx'
import { OwnProfile } from './own-profile.tsx'
import { Sessions } from './sessions.tsx'
import { Snippets } from './snippets.tsx'
import { Uploads } from './uploads.tsx'
import { t } from '../../texts/texts.ts'

const Integrations = lazy(async () => (await import('./integrations.tsx')).Integrations)

const PAGES: Readonly<Record<string, readonly [name: string, Page: ComponentType]>> = {
  profile: [t('Profile'), OwnProfile],
  appearance: [t('Appearance'), Appearance],
  notifications: [t('Notifications'), Notifications],
  account: [t('Account'), Account],
  sessions: [t('Devices and notifications'), Sessions],
  muted: [t('Muted people and topics'), Muted],
  'alert-words': [t('Alert words'), AlertWords],
  snippets: [t('Saved snippets'), Snippets],
  uploads: [t('Uploads'), Uploads],
  bots: [t('Bots'), Bots],
  integrations: [t('Integrations'), Integrations],
}

export function SettingsView({ path }: { readonly path: readonly string[] }) {
  const [given] = path
  // A phone shows the list of pages first.
  const name = given ?? (isPhone() ? undefined : 'profile')
  // An address may have any name.
  const page = name !== undefined && Object.hasOwn(PAGES, name) ? PAGES[name] : undefined
  return (
    <>
      <header class="head">
        <PlacesLink />
        <h1>
          <a href="#settings">{t('Settings')}</a>
          {page && (
            <>
              <span class="separator">›</span>
              <span>{page[0]}</span>
            </>
          )}
        </h1>
      </header>
      <div class={page ? 'settings-view at-page' : 'settings-view'}>
        <nav class="settings-nav" aria-label={t('Settings')}>
          {Object.entries(PAGES).map(([one, [text]]) => (
            <a
              key={one}
              class="row"
              href={`#settings/${one}`}
              aria-current={one === name ? 'page' : undefined}
            >
              {text}
            </a>
          ))}
        </nav>
        <div class="page" key={name}>
          <Content page={page} isUnknown={name !== undefined && !page} />
        </div>
      </div>
    </>
  )
}

interface ContentProps {
  readonly page: readonly [string, ComponentType] | undefined
  readonly isUnknown: boolean
}

function Content({ page, isUnknown }: ContentProps) {
  if (isUnknown) return <p class="empty">{t('These settings don’t exist.')}</p>
  if (!page) return null
  const [, Page] = page
  return <Page />
}
