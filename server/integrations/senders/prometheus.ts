/** Prometheus, whose alerts go through Alertmanager, or straight here by a relay. */

import type { Integration } from '../integration.ts'
import { alertmanager } from './alertmanager.ts'

export const prometheus: Integration = { ...alertmanager, name: 'prometheus', title: 'Prometheus' }
