/** The views of `#organization` and `#groups`: the administration in sections. */

import type { ComponentType } from 'preact'
import { useState } from '../../app/app.ts'
import { type AdministrationSection, administrationOf } from '../../store/derived/administration.ts'
import { Sectioned } from '../../ui/sectioned.tsx'
import { GroupsSection } from '../groups/groups-section.tsx'
import { ImportSection } from '../imports/import-section.tsx'
import { AuditSection } from './audit-section.tsx'
import { DefaultChannelsSection } from './default-channels-section.tsx'
import { DomainsSection } from './domains-section.tsx'
import { EmojiSection } from './emoji-section.tsx'
import { LegalHoldsSection } from '../legal-holds/legal-holds-section.tsx'
import { LinkifiersSection } from './linkifiers-section.tsx'
import { PlaygroundsSection } from './playgrounds-section.tsx'
import { ProfileFieldsSection } from './profile-fields-section.tsx'
import { DefaultsSection } from './defaults-section.tsx'
import { InvitationsSection } from './invitations-section.tsx'
import { JoiningSection } from './joining-section.tsx'
import { MessagesSection } from './messages-section.tsx'
import { PeopleSection } from './people-section.tsx'
import { PermissionsSection } from './permissions-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { ServerSection } from './server-section.tsx'
import { t } from '../../texts/texts.ts'

interface Part {
  readonly name: string
  readonly View: ComponentType<{ readonly path: readonly string[] }>
}

const PARTS: Readonly<Record<AdministrationSection, Part>> = {
  profile: { name: t('Organization'), View: ProfileSection },
  messages: { name: t('Messages'), View: MessagesSection },
  permissions: { name: t('Permissions'), View: PermissionsSection },
  joining: { name: t('Joining'), View: JoiningSection },
  people: { name: t('People'), View: PeopleSection },
  invitations: { name: t('Invitations'), View: InvitationsSection },
  groups: { name: t('Groups'), View: GroupsSection },
  emoji: { name: t('Emoji'), View: EmojiSection },
  linkifiers: { name: t('Linkifiers'), View: LinkifiersSection },
  playgrounds: { name: t('Code playgrounds'), View: PlaygroundsSection },
  domains: { name: t('Allowed domains'), View: DomainsSection },
  'profile-fields': { name: t('Profile fields'), View: ProfileFieldsSection },
  'default-channels': { name: t('Default channels'), View: DefaultChannelsSection },
  import: { name: t('Import'), View: ImportSection },
  'legal-holds': { name: t('Legal holds'), View: LegalHoldsSection },
  audit: { name: t('Audit log'), View: AuditSection },
  server: { name: t('Server'), View: ServerSection },
  defaults: { name: t('Defaults'), View: DefaultsSection },
}

interface OrganizationViewProps {
  readonly view: 'organization' | 'groups'
  readonly path: readonly string[]
}

export function OrganizationView({ view, path }: OrganizationViewProps) {
  const state = useState()
  const visible = administrationOf(state)
  const links = visible.map((id) => ({ id, href: hrefOf(id), name: PARTS[id].name }))
  const [asked, ...rest] = view === 'groups' ? ['groups', ...path] : path
  const current = asked === undefined ? links[0] : links.find(({ id }) => id === asked)
  const Section = current && PARTS[current.id].View
  return (
    <Sectioned
      title={t('Administration')}
      href="#organization"
      sections={links}
      current={current}
      isList={asked === undefined}
    >
      {Section ? (
        <Section key={rest.join('/')} path={rest} />
      ) : (
        <p class="empty">
          {t('This section doesn’t exist, or you don’t have access.')}{' '}
          <a href="#organization">{t('All sections')}</a>
        </p>
      )}
    </Sectioned>
  )
}

function hrefOf(id: AdministrationSection): string {
  return id === 'groups' ? '#groups' : `#organization/${id}`
}
