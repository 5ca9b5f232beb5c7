/** Forgejo: what Gitea sends but for runs of workflows, with the same headers beside its own. */

import type { Integration } from '../integration.ts'
import { gitea } from './gitea.ts'

export const forgejo: Integration = {
  ...gitea,
  name: 'forgejo',
  title: 'Forgejo',
  events: gitea.events.filter((event) => event !== 'workflow_run'),
}
