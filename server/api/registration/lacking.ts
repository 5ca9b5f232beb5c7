/** The initial state of features that this server lacks. */

import { BOOLEAN, EMPTY_LIST, orNull, record, STRING } from '../../domain/json-schema.ts'
import { constant, constantPart } from './state-part.ts'

/** `realm_filters`. */
export const filters = constantPart({
  realm_filters: constant(
    EMPTY_LIST,
    [],
    'Linkifiers in the form from before URL templates: always empty; `GET /realm/filters` lists them.',
  ),
})

/** `giphy`. */
export const animations = constantPart({
  giphy_api_key: constant(STRING, '', 'A key for a service of animations: always empty.'),
})

/** `onboarding_steps`. */
export const onboardingSteps = constantPart({
  onboarding_steps: constant(EMPTY_LIST, [], 'Hints for new users: there are none.'),
  navigation_tour_video_url: constant(orNull(STRING), null, 'A film for new users: always null.'),
})

/** `realm_billing`. */
export const billing = constantPart({
  realm_billing: constant(
    record({ has_pending_sponsorship_request: BOOLEAN }),
    { has_pending_sponsorship_request: false },
    'The state of payments: there are none.',
  ),
})

/** `realm_embedded_bots`. */
export const embeddedBots = constantPart({
  realm_embedded_bots: constant(EMPTY_LIST, [], 'Bots that run in the server: there are none.'),
})

/** `realm_incoming_webhook_bots`. */
export const webhookBots = constantPart({
  realm_incoming_webhook_bots: constant(
    EMPTY_LIST,
    [],
    'Always empty. `POST /external/{integration_name}` takes the webhooks of other systems.',
  ),
})

/** `stop_words`. */
export const stopWords = constantPart({
  stop_words: constant(EMPTY_LIST, [], 'Words that searches ignore: there are none.'),
})
