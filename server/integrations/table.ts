/** All integrations, by the name in their address. A new one is a file in `senders`, its fixtures, and a line here. */

import type { Integration } from './integration.ts'
import { alertmanager } from './senders/alertmanager.ts'
import { circleci } from './senders/circleci.ts'
import { forgejo } from './senders/forgejo.ts'
import { gitea } from './senders/gitea.ts'
import { github } from './senders/github.ts'
import { gitlab } from './senders/gitlab.ts'
import { grafana } from './senders/grafana.ts'
import { jenkins } from './senders/jenkins.ts'
import { jira } from './senders/jira.ts'
import { json } from './senders/json.ts'
import { pagerduty } from './senders/pagerduty.ts'
import { prometheus } from './senders/prometheus.ts'
import { sentry } from './senders/sentry.ts'
import { slackIncoming } from './senders/slack_incoming.ts'
import { stripe } from './senders/stripe.ts'
import { text } from './senders/text.ts'
import { uptimekuma } from './senders/uptimekuma.ts'
import { BEARER } from './signatures.ts'

const ALL: readonly Integration[] = [
  alertmanager,
  circleci,
  forgejo,
  gitea,
  github,
  gitlab,
  grafana,
  jenkins,
  jira,
  json,
  pagerduty,
  prometheus,
  sentry,
  slackIncoming,
  stripe,
  text,
  uptimekuma,
]

export const INTEGRATIONS: ReadonlyMap<string, Integration> = new Map(ALL.map((one) => [one.name, one]))

/** The headers that integrations read, in lower case. */
export const WEBHOOK_HEADERS: readonly string[] = [
  ...new Set(ALL.flatMap(({ headers, signature = BEARER }) => [...headers, ...signature.headers])),
]
