/** Forgejo: what Gitea sends, with the same headers beside its own. */

import type { Integration } from '../integration.ts'
import { gitea } from './gitea.ts'

export const forgejo: Integration = { ...gitea, name: 'forgejo', title: 'Forgejo' }
