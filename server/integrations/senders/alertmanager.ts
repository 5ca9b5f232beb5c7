/** Alertmanager's `webhook_configs`, and the lists of alerts that Prometheus sends. */

import { alertName, describeAlerts, isResolved } from '../alerts.ts'
import type { Integration } from '../integration.ts'
import { listAt, UnreadablePayload } from '../payload.ts'

export const alertmanager: Integration = {
  name: 'alertmanager',
  title: 'Alertmanager',
  takes: 'json',
  events: ['firing', 'resolved'],
  headers: [],
  read(delivery) {
    const { payload } = delivery
    const alerts = Array.isArray(payload) ? (payload as readonly unknown[]) : listAt(payload, 'alerts')
    if (alerts.length === 0) throw new UnreadablePayload('no alerts')
    return {
      event: alerts.every((alert) => isResolved(alert, delivery)) ? 'resolved' : 'firing',
      topic: alertName(payload, alerts) || 'Alerts',
      content: describeAlerts(delivery, alerts),
    }
  },
}
