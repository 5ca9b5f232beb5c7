/** Grafana: alerts of today, and those of releases before 9. */

import { alertName, describeAlerts, describeState } from '../alerts.ts'
import type { Integration, Posting } from '../integration.ts'
import { code, lines, link, paragraphs } from '../markdown.ts'
import { firstOf, listAt, neededText, textAt, UnreadablePayload } from '../payload.ts'
import { BEARER, hmacHeader, type SignatureCheck } from '../signatures.ts'

const HMAC = hmacHeader('x-grafana-alerting-signature')
/** Grafana signs since release 12; before, it sends a header of its user. */
const SIGNATURE: SignatureCheck = {
  headers: [...HMAC.headers, ...BEARER.headers],
  isRight: (signed) => HMAC.isRight(signed) || BEARER.isRight(signed),
}

/** States of the former alerts. */
const STATES = new Map([
  ['alerting', '🔴'],
  ['ok', '🟢'],
  ['no_data', '⚪'],
  ['pending', '🟠'],
  ['paused', '⏸️'],
])

export const grafana: Integration = {
  name: 'grafana',
  title: 'Grafana',
  takes: 'json',
  events: ['firing', 'resolved', ...STATES.keys()],
  headers: [],
  signature: SIGNATURE,
  read(delivery) {
    const { payload } = delivery
    const alerts = listAt(payload, 'alerts')
    if (alerts.length === 0) return readFormer(payload)
    const status = neededText(payload, 'status')
    if (status !== 'firing' && status !== 'resolved') throw new UnreadablePayload(`the status ${status}`)
    return {
      event: status,
      topic: firstOf(alertName(payload, alerts), textAt(payload, 'title'), 'Alerts'),
      content: describeAlerts(delivery, alerts),
    }
  },
}

function readFormer(payload: unknown): Posting {
  const state = neededText(payload, 'state')
  const sign = STATES.get(state)
  if (sign === undefined) throw new UnreadablePayload(`the state ${state}`)
  const name = firstOf(textAt(payload, 'ruleName'), textAt(payload, 'title'), 'Alert')
  const title = firstOf(textAt(payload, 'title'), name)
  const values = listAt(payload, 'evalMatches')
    .slice(0, 20)
    .map((match) => code(`${textAt(match, 'metric')} = ${textAt(match, 'value')}`))
  const picture = textAt(payload, 'imageUrl')
  return {
    event: state,
    topic: name,
    content: paragraphs(
      `${sign} ${describeState(title, textAt(payload, 'message'), textAt(payload, 'ruleUrl'))}`,
      lines(...values),
      picture === '' ? '' : link('Picture', picture),
    ),
  }
}
