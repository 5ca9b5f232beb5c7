/** `POST /users/me/onboarding_steps`: marks a hint for new users as read. */

import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'

const NAME_LENGTH_MAX = 50
/** The hints that clients of the API family know. Here all are read from the start: `onboarding_steps` is empty. */
const STEPS: readonly string[] = [
  'visibility_policy_banner',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
  'navigation_tour_video',
]

export const markOnboardingStep = operation({
  method: 'POST',
  path: '/users/me/onboarding_steps',
  summary: 'Mark a hint for new users as read',
  description: 'All hints are read from the start on this server, so this changes nothing.',
  access: 'user',
  params: { onboarding_step: required(text({ lengthMax: NAME_LENGTH_MAX }), 'The name of the hint.') },
  reply: {},
  errors: ['ONBOARDING_STEP_UNKNOWN'],
  events: [],
  run({ params: { onboarding_step: name }, fail }) {
    if (!STEPS.includes(name)) throw fail('ONBOARDING_STEP_UNKNOWN', { name })
    return {}
  },
})
