/** The privacy of channels, as people choose it. */

import type { Channel } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../../store/apply.ts'
import { t } from '../../texts/texts.ts'

export type Privacy = 'web-public' | 'public' | 'shared' | 'protected'

const TEXTS: readonly (readonly [Privacy, string])[] = [
  ['public', t('Public: everyone in the organization can read and join')],
  ['shared', t('Private: members can read all messages, including earlier ones')],
  ['protected', t('Private: members can read only messages sent after they joined')],
  ['web-public', t('Web-public: anyone on the web can read, without an account')],
]

export function privacyOf(channel: Channel): Privacy {
  if (channel.is_web_public) return 'web-public'
  if (!channel.invite_only) return 'public'
  return channel.history_public_to_subscribers ? 'shared' : 'protected'
}

/** The kinds that the user may choose, with the present one. */
export function privacyChoices(state: State, now?: Privacy): readonly (readonly [Privacy, string])[] {
  const may: Readonly<Record<Privacy, boolean | undefined>> = {
    public: state.can_create_public_streams,
    shared: state.can_create_private_streams,
    protected: state.can_create_private_streams,
    'web-public': state.can_create_web_public_streams && state.server_web_public_streams_enabled,
  }
  return TEXTS.filter(([privacy]) => privacy === now || may[privacy])
}

/** The warning before a channel is opened to the web. */
export const WEB_PUBLIC_WARNING = t(
  'Anyone on the web will be able to read all of its messages and files, including earlier ones, and see who wrote them.',
)

/** The privacy in the parameters of a new channel. */
export function privacyParams(privacy: Privacy) {
  return {
    invite_only: privacy === 'shared' || privacy === 'protected',
    is_web_public: privacy === 'web-public',
    history_public_to_subscribers: privacy !== 'protected',
  }
}
