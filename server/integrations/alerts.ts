/** Alerts of Prometheus' kind, which Alertmanager and Grafana send. */

import { bold, bullets, code, link, lines, paragraphs, plain, time } from './markdown.ts'
import type { Delivery } from './integration.ts'
import { firstOf, textAt, textsAt } from './payload.ts'

/** Alerts of one message; more are counted. */
const ALERTS_MAX = 20
/** Labels of an alert. */
const LABELS_MAX = 12
/** Labels that the message has elsewhere. */
const SHOWN_ELSEWHERE = ['alertname', 'severity', 'grafana_folder', '__alert_rule_uid__']

/** A time before this is one that a sender left open. */
const OPEN_END_BEFORE = '1970'

/** The message of a group of alerts, firing ones first. */
export function describeAlerts(delivery: Delivery, alerts: readonly unknown[]): string {
  const firing = alerts.filter((alert) => !isResolved(alert, delivery))
  const resolved = alerts.filter((alert) => isResolved(alert, delivery))
  return paragraphs(section('🔴', 'Firing', firing), section('🟢', 'Resolved', resolved))
}

/** The name that all alerts of a group have; empty without one. */
export function alertName(payload: unknown, alerts: readonly unknown[]): string {
  return firstOf(
    textAt(payload, 'commonLabels', 'alertname'),
    textAt(payload, 'groupLabels', 'alertname'),
    textsAt(payload, 'groupLabels')
      .map(([, value]) => value)
      .filter((value) => value !== '')
      .join(' '),
    textAt(alerts[0], 'labels', 'alertname'),
  )
}

/** Whether an alert is over. Prometheus does not say so: an alert that fires has its end some minutes ahead. */
export function isResolved(alert: unknown, { payload, now }: Delivery): boolean {
  const status = firstOf(textAt(alert, 'status'), textAt(payload, 'status'))
  if (status !== '') return status === 'resolved'
  const end = textAt(alert, 'endsAt')
  return end >= OPEN_END_BEFORE && Date.parse(end) <= now * 1_000
}

function section(sign: string, title: 'Firing' | 'Resolved', alerts: readonly unknown[]): string {
  const [first] = alerts
  if (first === undefined) return ''
  if (alerts.length === 1) return lines(`${sign} **${title}**: ${headline(first)}`, ...details(first, title))
  const items = alerts
    .slice(0, ALERTS_MAX)
    .map((alert) => [headline(alert), ...details(alert, title)].join('\n  '))
  return `${sign} **${title}** (${alerts.length})\n\n${bullets(items, alerts.length)}`
}

function headline(alert: unknown): string {
  const name = firstOf(textAt(alert, 'labels', 'alertname'), 'Alert')
  const severity = textAt(alert, 'labels', 'severity')
  const about = firstOf(textAt(alert, 'annotations', 'summary'), textAt(alert, 'annotations', 'title'))
  const named = `${link(name, firstOf(textAt(alert, 'generatorURL'), textAt(alert, 'panelURL')))}${severity === '' ? '' : ` (${plain(severity)})`}`
  return about === '' ? named : `${named}: ${plain(about)}`
}

/** The lines below the headline. */
function details(alert: unknown, state: 'Firing' | 'Resolved'): readonly string[] {
  const labels = textsAt(alert, 'labels')
    .filter(([name, value]) => value !== '' && !SHOWN_ELSEWHERE.includes(name))
    .slice(0, LABELS_MAX)
    .map(([name, value]) => code(`${name}=${value}`))
  const links = [
    ['Runbook', textAt(alert, 'annotations', 'runbook_url')],
    ['Dashboard', textAt(alert, 'dashboardURL')],
    ['Silence', textAt(alert, 'silenceURL')],
    ['Picture', textAt(alert, 'imageURL')],
  ]
    .filter(([, url]) => /^https?:/i.test(url ?? ''))
    .map(([name = '', url = '']) => link(name, url))
  const [start, end] = [textAt(alert, 'startsAt'), textAt(alert, 'endsAt')]
  const since = start < OPEN_END_BEFORE ? '' : time(start)
  const until = state === 'Firing' || end < OPEN_END_BEFORE ? '' : time(end)
  const span = since === '' ? '' : until === '' ? `Since ${since}` : `${since} to ${until}`
  const text = firstOf(textAt(alert, 'annotations', 'description'), textAt(alert, 'annotations', 'message'))
  const rest = [span, ...links].filter((one) => one !== '').join(' · ')
  return [plain(text), labels.join(' '), rest].filter((line) => line !== '')
}

/** A short line for messages without alerts. */
export function describeState(title: string, text: string, url: string): string {
  return lines(url === '' ? bold(title) : `**${link(title, url)}**`, plain(text))
}
